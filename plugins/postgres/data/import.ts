import {
	type Call,
	type Cell,
	type ChangeOutcome,
	DriverError,
	fromCell,
	type ImportOptions,
	isDriverError,
	type RowImport,
} from '@roundhouse/kit'
import { columnIn, from, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { textOf, valueSql } from '../edit/change-sql.ts'
import { quoted } from '../sql/names.ts'
import { isServerError } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'

/**
 * Imports rows in one transaction. Plain rows go by COPY. Rows with a default of the server, and those whose key may
 * exist, go by INSERT, many in one message.
 */
export class TableImport implements RowImport {
	readonly #session: Session
	readonly #shape: Shape
	readonly #columns: readonly ShapeColumn[]
	readonly #conflict: string
	#isCopied: boolean
	#hasBegun = false

	/** @throws DriverError `unsupported` if the table takes no new rows, or has no key by which rows are replaced */
	constructor(session: Session, shape: Shape, { columns, onConflict }: ImportOptions) {
		if (shape.cannot?.insert !== undefined) throw new DriverError('unsupported', shape.cannot.insert)
		this.#session = session
		this.#shape = shape
		this.#columns = columns.map(name => columnIn(shape, name))
		this.#isCopied = onConflict === 'fail' && shape.kind !== 'v'
		this.#conflict = onConflict === 'fail' ? '' : onConflict === 'skip' ? ' on conflict do nothing' : this.#replacing()
	}

	async write(rows: readonly (readonly Cell[])[], { signal }: Call): Promise<readonly ChangeOutcome[]> {
		if (!this.#hasBegun) await this.#session.command('begin', signal)
		this.#hasBegun = true
		const hasDefaults = rows.some(row => row.some(cell => fromCell(cell) === undefined))
		try {
			return await (this.#isCopied && !hasDefaults ? this.#copy(rows, signal) : this.#insert(rows, signal))
		} catch (error) {
			if (isDriverError(error) && error.code === 'invalid_argument') return failedAt(rows, 0, error)
			throw error
		}
	}

	async finish({ signal }: Call): Promise<void> {
		try {
			if (!this.#hasBegun) return
			const { tag } = await this.#session.command('commit', signal)
			if (tag !== 'COMMIT')
				throw new DriverError('query_failed', 'The server rolled the import back. No row was imported.')
		} finally {
			this.#session.close()
		}
	}

	async abort(): Promise<void> {
		this.#session.close()
	}

	#replacing(): string {
		const { key, name } = this.#shape
		if (key.length === 0) throw new DriverError('unsupported', `${name} has no key by which rows could be replaced.`)
		const others = this.#columns.filter(column => !key.includes(column.name))
		const set = others.map(column => `${quoted(column.name)} = excluded.${quoted(column.name)}`).join(', ')
		return ` on conflict (${key.map(quoted).join(', ')}) do ${set === '' ? 'nothing' : `update set ${set}`}`
	}

	async #copy(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
		const lines = rows.map(row =>
			this.#columns.map(({ name }, at) => copyText(textOf(name, row[at] ?? null))).join('\t'),
		)
		const names = this.#columns.map(({ name }) => quoted(name)).join(', ')
		try {
			await this.#session.copyIn(
				`copy ${from(this.#shape)} (${names}) from stdin`,
				Buffer.from(`${lines.join('\n')}\n`),
				signal,
			)
			return rows.map(() => ({ status: 'applied' }))
		} catch (error) {
			// The sample, and some engines that speak the protocol, take no data of COPY.
			if (isDriverError(error) && error.engineCode === '0A000' && this.#session.transaction === 'open') {
				this.#isCopied = false
				return this.#insert(rows, signal)
			}
			return failedAt(rows, lineOf(error), error)
		}
	}

	async #insert(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
		const tags: string[] = []
		try {
			const statements = rows.map(row => this.#insertion(row))
			await this.#session.command(statements.join(';\n'), signal, tags)
			return tags.map(tag => (tag.endsWith(' 0') ? exists : { status: 'applied' }))
		} catch (error) {
			// The server stops at the first statement that fails.
			return failedAt(rows, tags.length, error)
		}
	}

	#insertion(row: readonly Cell[]): string {
		const given = this.#columns.flatMap((column, at) => {
			const cell = row[at] ?? null
			return fromCell(cell) === undefined ? [] : [[column, cell] as const]
		})
		const target = `insert into ${from(this.#shape)}`
		if (given.length === 0) return `${target} default values${this.#conflict}`
		const names = given.map(([{ name }]) => quoted(name)).join(', ')
		const values = given.map(([column, cell]) => valueSql(column, cell)).join(', ')
		return `${target} (${names}) values (${values})${this.#conflict}`
	}
}

const exists: ChangeOutcome = { status: 'conflict', message: 'A row with this key exists.' }
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const copyText = (text: string | null) =>
	text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, found => escapes[found] ?? found)

/** COPY names the line of a bad row, from 1. A constraint that is checked at the end has none. */
function lineOf(error: unknown): number {
	const cause = error instanceof Error ? error.cause : undefined
	const where = isServerError(cause) ? cause.where : undefined
	return Math.max(0, Number(/^COPY .*?, line (\d+)/.exec(where ?? '')?.[1] ?? 1) - 1)
}

/** With a bad row, none is stored. @throws the error, if it says nothing of a row */
function failedAt(rows: readonly unknown[], at: number, error: unknown): readonly ChangeOutcome[] {
	if (!isDriverError(error) || error.code === 'not_connected' || error.code === 'user_cancelled') throw error
	const message = error.message
	const outcome: ChangeOutcome =
		error.engineCode === '23505' ? { status: 'conflict', message } : { status: 'failed', message }
	return rows.map((_, index) => (index === at ? outcome : { status: 'not_sent' }))
}
