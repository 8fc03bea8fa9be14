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
import { pathForTriggers, type Session } from '../wire/session.ts'

/**
 * Imports rows in one transaction. Plain rows go by COPY. Rows with a default of the server, those whose key may exist,
 * and those of a COPY that fails without naming a row, go by INSERT, many in one message.
 */
export class TableImport implements RowImport {
	readonly #session: Session
	readonly #shape: Shape
	readonly #columns: readonly ShapeColumn[]
	readonly #onConflict: ImportOptions['onConflict']
	readonly #conflict: string
	#isCopied: boolean
	#hasBegun = false

	/** @throws DriverError `unsupported` if the table takes no new rows, or has no key by which rows are replaced */
	constructor(session: Session, shape: Shape, { columns, onConflict }: ImportOptions) {
		if (shape.cannot?.insert !== undefined) throw new DriverError('unsupported', shape.cannot.insert)
		this.#session = session
		this.#shape = shape
		this.#columns = columns.map(name => columnIn(shape, name))
		this.#onConflict = onConflict
		this.#isCopied = onConflict === 'fail' && shape.kind !== 'v'
		this.#conflict = onConflict === 'fail' ? '' : onConflict === 'skip' ? ' on conflict do nothing' : this.#replacing()
	}

	async write(rows: readonly (readonly Cell[])[], call: Call): Promise<readonly ChangeOutcome[]> {
		const { signal } = call
		const outcomes: ChangeOutcome[] = []
		// After a bad row few are sent, and more with each good row: where all are bad, none is sent twice.
		for (let size = rows.length; outcomes.length < rows.length; ) {
			const part = rows.slice(outcomes.length, outcomes.length + size)
			const found = await this.#writePart(part, signal)
			const bad = found.findIndex(({ status }) => status !== 'not_sent' && !this.#isStored(status))
			const named = found[bad]
			if (named === undefined) {
				outcomes.push(...found)
				size *= 2
				continue
			}
			await this.#session.command(`rollback to ${point}`, signal)
			// COPY checks references after its last row, so the rows before may be bad too.
			if (bad > 0) outcomes.push(...(await this.write(part.slice(0, bad), call)))
			outcomes.push(named)
			size = Math.max(1, 2 * bad)
		}
		return outcomes
	}

	#isStored(status: ChangeOutcome['status']): boolean {
		return status === 'applied' || (status === 'conflict' && this.#onConflict === 'skip')
	}

	/** Imports rows up to the first bad one, whose outcome says why; then none of them is stored. */
	async #writePart(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
		if (this.#hasBegun) await this.#session.command(`release ${point}; ${point}`, signal)
		else await this.#session.begin(signal, { sql: `${pathForTriggers}; ${point}` })
		this.#hasBegun = true
		const hasDefaults = rows.some(row => row.some(cell => fromCell(cell) === undefined))
		try {
			return await (this.#isCopied && !hasDefaults ? this.#copy(rows, signal) : this.#insert(rows, signal))
		} catch (error) {
			if (!isDriverError(error) || error.code !== 'invalid_argument') throw error
			const at = rows.findIndex(row => !this.#hasText(row))
			return failedAt(rows, at, error)
		}
	}

	/** Whether every value of a row has a text that the server stores. */
	#hasText(row: readonly Cell[]): boolean {
		try {
			this.#insertion(row)
			return true
		} catch {
			return false
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
			this.#columns.map((column, at) => copyText(textOf(column, row[at] ?? null))).join('\t'),
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
			if (!isAboutRows(error)) throw error
			const at = placeOfLine(error, this.#shape.place.table)
			if (at !== undefined) return failedAt(rows, at, error)
			// Tables with row-level security take no COPY, and neither do the sample and some engines that speak the protocol.
			if (error.engineCode === '0A000') this.#isCopied = false
			// A reference is checked after the last row, so COPY does not name its row. INSERT checks it with the row.
			await this.#session.command(`rollback to ${point}`, signal)
			return this.#insert(rows, signal)
		}
	}

	async #insert(rows: readonly (readonly Cell[])[], signal: AbortSignal): Promise<readonly ChangeOutcome[]> {
		const statements = rows.map(row => this.#insertion(row))
		const tags: string[] = []
		try {
			await this.#session.command(statements.join(';\n'), signal, tags)
			return tags.map(tag => (this.#onConflict === 'skip' && tag.endsWith(' 0') ? exists : { status: 'applied' }))
		} catch (error) {
			if (!isAboutRows(error)) throw error
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

/** Marks the start of each batch, so that rows of a failed COPY can be sent again. */
const point = 'savepoint roundhouse_rows'

const exists: ChangeOutcome = { status: 'conflict', message: 'A row with this key exists.' }
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const copyText = (text: string | null) =>
	text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, found => escapes[found] ?? found)

/** Returns the place of a bad row, if COPY names its line. The server may also name a trigger first, or translate it. */
function placeOfLine({ cause }: DriverError, table: string): number | undefined {
	const where = (isServerError(cause) && cause.where) || ''
	const head = `COPY ${table}, line `
	return where.startsWith(head) ? Number.parseInt(where.slice(head.length), 10) - 1 : undefined
}

const isAboutRows = (error: unknown): error is DriverError =>
	isDriverError(error) && error.code !== 'not_connected' && error.code !== 'user_cancelled'

/** With a bad row, none of its part is stored. */
function failedAt(
	rows: readonly unknown[],
	at: number,
	{ message, engineCode }: DriverError,
): readonly ChangeOutcome[] {
	const outcome: ChangeOutcome = { status: engineCode === '23505' ? 'conflict' : 'failed', message }
	return rows.map((_, index) => (index === at ? outcome : { status: 'not_sent' }))
}
