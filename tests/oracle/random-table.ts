import {
	type Cell,
	type Change,
	type Connection,
	decode,
	type ExportOptions,
	type Filter,
	filterOperators,
	type GridQuery,
	type Json,
	type JsonObject,
	parseJson,
} from '@roundhouse/kit'
import { type Answer, Refusal } from './answer.ts'
import { csvRecords } from './csv-records.ts'
import { Difference, orRefusal, requireBothRefuse, requireRows, requireSame } from './difference.ts'
import type { Random } from './random.ts'

interface Expected {
	readonly rows: Answer
	/** Whether the engine answers otherwise than a user expects, so that the page must say something. */
	readonly needsNotice?: boolean
}

export interface ReadRow {
	readonly number: string
	readonly id: string
	readonly version: string | undefined
	readonly position: string | undefined
	readonly cells: ReadonlyMap<string, Cell>
}

/** A column with texts for its filters: those of its values, and others that it does not take. */
export interface FilteredColumn {
	readonly name: string
	readonly values: readonly string[]
	readonly probes: readonly string[]
}

export interface TableParts {
	/** How the driver names the table. */
	readonly name: string
	/** The column with the numbers of the rows. */
	readonly numberColumn: string
	/** How the table was made, for the message of a difference. */
	readonly description: string
	readonly connection: Connection
	readonly random: Random
}

interface Reading {
	readonly limit: number
	/** By one grid, or as MCP does by a new one behind each border. */
	readonly by: 'grid' | 'borders'
	readonly offset?: number
	readonly pages?: number
	/** What happens after a page. */
	readonly between?: (shown: readonly ReadRow[]) => Promise<void>
}

export const call = { signal: new AbortController().signal, progress() {} }

/**
 * A table whose questions are random, asked through the driver, and compared with a model of the test that asks the
 * engine by another client. Rows are known by the number in one of their columns.
 */
export abstract class RandomTable {
	readonly name: string
	readonly numberColumn: string
	readonly description: string
	/** The last question, for the message of a difference. */
	asked: unknown
	readonly connection: Connection
	protected readonly random: Random
	/** Number of the next row. */
	protected next = 1_000

	constructor({ name, numberColumn, description, connection, random }: TableParts) {
		this.name = name
		this.numberColumn = numberColumn
		this.description = description
		this.connection = connection
		this.random = random
	}

	protected abstract readonly filtered: readonly FilteredColumn[]
	/** Columns that a change may set. */
	abstract readonly writableColumns: readonly string[]
	abstract model(query: GridQuery): Promise<Expected | Refusal>
	/** Random changes of its rows: none if it takes none. @param near ids of rows that most of them are about */
	abstract someChanges(near?: readonly string[]): Promise<readonly Change[]>
	/** All that is stored, in one order. */
	abstract state(): Promise<readonly string[]>
	/** As another client, deletes one of these rows and inserts another one. @returns the number of the deleted one */
	deleteAndInsert?(numbers: readonly string[]): Promise<string | undefined>
	protected abstract readonly kinds: readonly (readonly [weight: number, ask: () => Promise<void>])[]
	/** @throws Difference if the cells are not what is stored */
	protected abstract requireCells(row: ReadRow): Promise<void>
	/** @throws Difference */
	protected abstract requireDocument(document: JsonObject): Promise<void>
	/** @throws Difference */
	protected abstract requireRecord(record: ReadonlyMap<string, string | null>): Promise<void>
	protected abstract numberIn(document: JsonObject): string

	/** Asks a random question. @throws Difference */
	async ask(): Promise<void> {
		await this.random.weighted(this.kinds)()
	}

	question(): GridQuery {
		const { random } = this
		const filters = Array.from({ length: random.pick([0, 0, 1, 1, 1, 1, 2, 2, 3]) }, () => this.#filter())
		const sort = random
			.some(this.filtered, 0, random.pick([0, 1, 1, 2, 3]))
			.map(({ name }) => ({ column: name, direction: random.pick(['asc', 'desc'] as const) }))
		return { table: this.name, filters, match: random.pick(['all', 'all', 'any'] as const), sort }
	}

	#filter(): Filter {
		const { random } = this
		const { name, values, probes } = random.pick(this.filtered)
		const operator = random.pick(filterOperators)
		const isPattern = /with|contains|wildcard/.test(operator)
		const value = () => {
			const text = random.pick(random.chance(0.3) && probes.length > 0 ? probes : values)
			if (!isPattern) return text
			// No user can copy half of a character.
			const letters = [...text]
			return random.chance(0.5)
				? letters.slice(0, 2).join('')
				: `${letters[0] ?? ''}${random.pick(['*', '?', '%', ''])}`
		}
		if (operator === 'exists' || operator === 'missing') return { column: name, operator, values: [] }
		const isList = operator === 'in' || operator === 'not_in'
		const right = operator === 'between' ? 2 : isList ? random.int(1, 4) : 1
		const count = random.chance(0.04) ? random.int(0, 3) : right
		return { column: name, operator, values: Array.from({ length: count }, value) }
	}

	protected async readAll(): Promise<readonly ReadRow[]> {
		const query: GridQuery = { table: this.name, filters: [], match: 'all', sort: [] }
		return (await this.read(query, { limit: 1_000, by: 'grid' })).rows
	}

	protected async read(query: GridQuery, { limit, by, offset: first = 0, pages = 1_000, between }: Reading) {
		const rows: ReadRow[] = []
		const opened = { ...query, givesPositions: true }
		let grid = await this.connection.openGrid(opened, call)
		try {
			for (let page = 1, offset = first; ; page++) {
				const { columns, rows: found, total, notices } = decode(await grid.page({ offset, limit }, call))
				for (const { id, version, position, cells: shown } of found) {
					const cells = new Map(columns.map(({ name }, at) => [name, shown[at] ?? null]))
					rows.push({ number: String(cells.get(this.numberColumn)), id, version, position, cells })
				}
				offset += found.length
				if (found.length < limit || page === pages) return { rows, total, notices }
				await between?.(rows)
				if (by === 'grid') continue
				await grid.close()
				const position = rows.at(-1)?.position
				const after = position !== undefined && { after: { offset, position } }
				grid = await this.connection.openGrid({ ...opened, ...after }, call)
			}
		} finally {
			await grid.close()
		}
	}

	/** Returns up to three rows for changes. */
	protected async rowsNear(near: readonly string[]): Promise<readonly ReadRow[]> {
		const rows = await this.readAll()
		const close = this.random.chance(0.8) ? rows.filter(({ id }) => near.includes(id)) : []
		return this.random.some(close.length > 0 ? close : rows, close.length > 0 ? 1 : 0, 3)
	}

	protected async askRows(): Promise<void> {
		const query = this.question()
		const expected = await this.model(query)
		// Not more than six pages.
		const least = expected instanceof Refusal ? 1 : Math.ceil(expected.rows.length / 6)
		const limit = Math.max(least, this.random.pick([1, 2, 3, 5, 100]))
		const by = this.random.pick(['grid', 'grid', 'borders'] as const)
		this.asked = { query, limit, by }
		const got = await orRefusal(() => this.read(query, { limit, by }))
		if (expected instanceof Refusal || got instanceof Refusal) return requireBothRefuse(got, expected)
		requireRows(numbersOf(got.rows), expected.rows)
		const total = { value: expected.rows.length, isExact: true }
		const counted = await this.connection.countRows(query, call)
		requireSame('total and count', [got.total, { ...counted, notice: '' }], [total, { ...total, notice: '' }])
		if (expected.needsNotice && got.notices.length === 0) throw new Difference('notices', [], 'a notice')
		for (const row of got.rows) await this.requireCells(row)
		if (this.random.chance(0.2)) await this.#requireText(query, expected.rows.length)
		await this.afterRows(query, limit, got.rows)
	}

	/** The text of a query, which users copy to the query bar, finds as many rows. */
	async #requireText({ sort: _, ...query }: GridQuery, count: number): Promise<void> {
		const text = await orRefusal(async () => this.connection.filterText?.(query, call))
		if (text === undefined || text instanceof Refusal) return
		const { value } = await this.connection.countRows({ ...query, filters: [], match: 'all', raw: text }, call)
		requireSame(`count of ${text}`, value, count)
	}

	/** Asks more about the rows of a question. */
	protected async afterRows(_query: GridQuery, _limit: number, _rows: readonly ReadRow[]): Promise<void> {}

	protected async askExport(format = this.random.pick(['csv', 'ndjson', 'json'])): Promise<void> {
		const { random } = this
		const query = this.question()
		const chosen = random.some(this.filtered, 0, 5).map(({ name }) => name)
		const columns = [...new Set([...chosen, this.numberColumn])]
		const limit = random.chance(0.3) ? random.int(1, 9) : undefined
		const options = { format, ...(format === 'csv' && { columns }), ...(limit !== undefined && { limit }) }
		this.asked = { query, options }
		const expected = await this.model(query)
		const got = await orRefusal(() => this.#export(query, options))
		if (expected instanceof Refusal || got instanceof Refusal) return requireBothRefuse(got, expected)
		await this.requireExported(got, { columns, expected: expected.rows, ...options })
	}

	protected async requireExported(
		text: string,
		{
			format,
			columns,
			expected,
			limit,
		}: ExportOptions & { readonly columns: readonly string[]; readonly expected: Answer },
	): Promise<void> {
		if (format === 'csv') {
			const [header = [], ...lines] = csvRecords(text)
			requireSame('header', header, columns)
			const records = lines.map(line => new Map(columns.map((name, at) => [name, line[at] ?? null])))
			requireRows(
				records.map(record => record.get(this.numberColumn) ?? ''),
				expected,
				limit,
			)
			for (const record of records) await this.requireRecord(record)
			return
		}
		const lines: Json =
			format === 'json'
				? parseJson(text)
				: text
						.split('\n')
						.filter(Boolean)
						.map(line => parseJson(line))
		// Both formats have an object for each row.
		const documents = lines as readonly JsonObject[]
		requireRows(
			documents.map(document => this.numberIn(document)),
			expected,
			limit,
		)
		for (const document of documents) await this.requireDocument(document)
	}

	async #export(query: GridQuery, options: ExportOptions): Promise<string> {
		const pieces: Uint8Array[] = []
		const rows = await this.connection.openExport?.(query, options, call)
		if (!rows) throw new Error('no exports')
		try {
			for (let piece = await rows.read(call); piece; piece = await rows.read(call)) pieces.push(piece)
		} finally {
			await rows.close()
		}
		return Buffer.concat(pieces).toString()
	}
}

export const numbersOf = (rows: readonly ReadRow[]) => rows.map(({ number }) => number)
