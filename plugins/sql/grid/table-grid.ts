import {
	type Call,
	type Cell,
	type Column,
	type Count,
	type Encoded,
	encode,
	type Grid,
	type GridOpening,
	type GridPage,
	type Row as GridRow,
	type Reference,
} from '@roundhouse/kit'
import type { Bind, Binding } from '../text/binding.ts'
import type { Query, RawRow, Rows, TextRow } from '../text/session.ts'
import { behind, type Order, orderSql, type Position, positionSql, positionText, readPosition } from './order.ts'
import type { Selection } from './selection.ts'

/** Rows that are expected behind a page, if the estimate was too low. */
const pageAhead = 1_000

/** Runs work on a session of the pool. */
export type Using<Session> = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

/** A row's id, and the version that was read. */
export interface Identity {
	readonly id: string
	readonly version?: string
}

/** What an engine gives a grid of one table. */
export interface GridTable<Session, Row extends RawRow = TextRow> {
	readonly columns: readonly Column[]
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
	readonly order: Order
	readonly selection: Selection
	/** As FROM takes it. @param alias of the whole row, if a query needs one */
	readonly from: string
	readonly alias: string
	/** Returns the condition of the query, or `undefined` for all rows. */
	condition(bind: Bind): string | undefined
	/** Begins the values of a statement. */
	parameters(): Binding
	/** Writes a value into a text for the user. */
	readonly inline: Bind
	quoted(name: string): string
	/** Whether ids of equal rows are equal. They are then numbered. */
	readonly idsMayRepeat: boolean
	cellsOf(values: Row): readonly Cell[]
	identityIn(values: TextRow): Identity
	/** Returns the position of a row that has nothing else. */
	positionIn(values: Row): Position
	read(session: Session, query: Query, signal: AbortSignal): Promise<Rows<Row>>
	/**
	 * Reads the first page with an estimate of the total, in as few round trips as the engine can. @param query absent if the
	 * page is behind the last row @throws DriverError if the columns are not those of the description
	 */
	readFirst(
		session: Session,
		query: Query | undefined,
		signal: AbortSignal,
	): Promise<Rows<Row> & { readonly estimate: Count }>
	/** Counts the rows of the query. */
	count(session: Session, signal: AbortSignal): Promise<Count>
}

export interface GridParts<Session, Row extends RawRow = TextRow> {
	readonly table: GridTable<Session, Row>
	readonly using: Using<Session>
	readonly query: GridOpening
	/** Upper limit of rows that are counted. Above it the estimate of the server is shown. */
	readonly mostCounted: number
	/** About the filters. */
	readonly notices?: readonly string[]
}

/**
 * Pages of a table. Behind a page that was read, the next one begins at the values of its last row, which costs the same
 * at any depth, and rows that are inserted meanwhile move nothing. Elsewhere it begins at an offset.
 */
export class TableGrid<Session, Row extends RawRow = TextRow> implements Grid {
	readonly #parts: GridParts<Session, Row>
	readonly #table: GridTable<Session, Row>
	readonly #order: Order
	/** By offset: the row before it. */
	readonly #positions = new Map<number, Position>()
	/** Resolves when the last search for one has ended. */
	#searched = Promise.resolve()
	#total: Count | undefined

	constructor(parts: GridParts<Session, Row>) {
		this.#parts = parts
		this.#table = parts.table
		this.#order = parts.table.order
		const { after } = parts.query
		if (after) this.#positions.set(after.offset, readPosition(this.#order, after.position))
	}

	page({ offset, limit }: Page, call: Call): Promise<Encoded<GridPage>> {
		return this.#parts.using(call, async (session, signal) => {
			const startedAt = performance.now()
			const { columns, references, referrers, selection, idsMayRepeat } = this.#table
			const start = await this.#start(session, { offset, limit }, signal)
			const query = start === 'end' ? undefined : this.#pageQuery({ ...start, limit })
			const [rows, known] = await this.#read(session, query, signal)
			const tookMs = Math.round(performance.now() - startedAt)
			const page = rows.map(values => this.#rowOf(values))
			const last = rows.at(-1)
			const end = offset + rows.length
			if (last && this.#order.isTotal) this.#positions.set(end, selection.positionOf(last))
			const { mostCounted } = this.#parts
			const ended = { end, isFull: rows.length === limit, isEmpty: rows.length === 0, mostCounted }
			const corrected = this.#parts.query.after ? sureOf(known, mostCounted) : correctedBy(known, ended)
			const total = corrected ?? (await this.#table.count(session, signal))
			this.#total = total
			return encode({
				columns,
				rows: idsMayRepeat ? withUniqueIds(page) : page,
				references,
				referrers,
				total,
				tookMs,
				...(query && { request: this.#statement({ offset, limit }) }),
				notices: this.#parts.notices ?? [],
			})
		})
	}

	async close(): Promise<void> {
		this.#positions.clear()
	}

	async #read(
		session: Session,
		query: Query | undefined,
		signal: AbortSignal,
	): Promise<readonly [readonly Row[], Count]> {
		if (this.#total === undefined) {
			const { rows, estimate } = await this.#table.readFirst(session, query, signal)
			return [rows, estimate]
		}
		return [query ? (await this.#table.read(session, query, signal)).rows : [], this.#total]
	}

	/** Finds where a page begins: behind a known row, or at an offset from one. */
	async #start(session: Session, page: Page, signal: AbortSignal): Promise<Start | 'end'> {
		const { offset } = page
		if (!this.#order.isTotal || offset === 0) return { offset }
		// One search at a time: it also finds where the pages beside this one begin, which are asked for at once.
		const before = this.#searched
		const { promise, resolve } = Promise.withResolvers<void>()
		this.#searched = promise
		try {
			await before
			if (!this.#positions.has(offset)) await this.#search(session, page, signal)
		} finally {
			resolve()
		}
		const after = this.#positions.get(offset)
		return after ? { after, offset: 0 } : 'end'
	}

	/** Finds the rows before a page and before those beside it. A sort of a table costs far more than a few of its rows. */
	async #search(session: Session, { offset, limit }: Page, signal: AbortSignal): Promise<void> {
		const nearest = Math.max(0, ...[...this.#positions.keys()].filter(at => at < offset))
		const after = this.#positions.get(nearest)
		const first = Math.max(nearest + 1, offset - limit)
		// Only the columns of the order are read on the way, which an index alone can answer.
		const parameters = this.#table.parameters()
		const selected = positionSql(this.#order).join(', ')
		const range = `limit ${offset + limit - first + 1} offset ${first - nearest - 1}`
		const sql = `select ${selected}${this.#fromWhere({ after, parameters })}${orderSql(this.#order)} ${range}`
		const { rows } = await this.#table.read(session, { sql, values: parameters.values }, signal)
		for (const at of [offset - limit, offset, offset + limit]) {
			const found = rows[at - first]
			if (found) this.#positions.set(at, this.#table.positionIn(found))
		}
	}

	/** The query of the first rows. */
	firstPage(limit: number): Query {
		return this.#pageQuery({ offset: 0, limit })
	}

	#pageQuery({ after, offset, limit }: Start & { readonly limit: number }): Query {
		const parameters = this.#table.parameters()
		const where = this.#fromWhere({ after, parameters })
		const skipped = offset > 0 ? ` offset ${offset}` : ''
		const { expressions } = this.#table.selection
		const sql = `select ${expressions.join(', ')}${where}${orderSql(this.#order)} limit ${limit}${skipped}`
		return { sql, values: parameters.values }
	}

	/** Returns the query of a page as a user would write it, with its values, for the console. */
	#statement({ offset, limit }: Page): string {
		const { columns, from, inline } = this.#table
		const condition = this.#table.condition(inline)
		const order = this.#order.terms.map(({ name, direction }) => `${name} ${direction}`)
		return [
			`select ${columns.map(({ name }) => this.#table.quoted(name)).join(', ')}`,
			`from ${from}`,
			...(condition === undefined ? [] : [`where ${condition}`]),
			...(order.length === 0 ? [] : [`order by ${order.join(', ')}`]),
			`limit ${limit}${offset > 0 ? ` offset ${offset}` : ''}`,
		].join('\n')
	}

	#fromWhere({ after, parameters }: { readonly after: Position | undefined; readonly parameters: Binding }): string {
		const { from, alias } = this.#table
		const condition = this.#table.condition(parameters.bind)
		const begin = after && behind(this.#order, after, parameters.bind)
		const all = [condition, begin].filter(part => part !== undefined).map(part => `(${part})`)
		return ` from ${from} ${alias}${all.length === 0 ? '' : ` where ${all.join(' and ')}`}`
	}

	#rowOf(values: Row): GridRow {
		const { selection } = this.#table
		const { givesPositions } = this.#parts.query
		const isPlaced = givesPositions && this.#order.isTotal
		const position = isPlaced ? positionText(this.#order, selection.positionOf(values)) : undefined
		const identity = this.#table.identityIn(selection.identityOf(values))
		const cells = this.#table.cellsOf(values)
		return position === undefined ? { ...identity, cells } : { ...identity, position, cells }
	}
}

interface Page {
	readonly offset: number
	readonly limit: number
}

/** What a page shows of the total. */
interface Ended {
	/** Behind its last row. */
	readonly end: number
	readonly isFull: boolean
	readonly isEmpty: boolean
	readonly mostCounted: number
}

/** Corrects an estimate, so that the last row can be reached. @returns `undefined` if the rows must be counted */
function correctedBy(known: Count, { end, isFull, isEmpty, mostCounted }: Ended): Count | undefined {
	if (!isFull && (!isEmpty || end === 0)) return { value: end, isExact: true }
	if (known.isExact) return known
	if (isEmpty || known.value <= mostCounted) return undefined
	return isFull && known.value <= end ? { value: end + pageAhead, isExact: false, bound: 'about' } : known
}

/**
 * Returns the total behind a border, whose offset counts rows that may be gone. @returns `undefined` if the rows must be
 * counted
 */
const sureOf = (known: Count, mostCounted: number) => (known.isExact || known.value > mostCounted ? known : undefined)

interface Start {
	readonly after?: Position
	readonly offset: number
}

/** Equal rows of a view have the same digest. */
function withUniqueIds(rows: readonly GridRow[]): readonly GridRow[] {
	const seen = new Map<string, number>()
	return rows.map(row => {
		const count = (seen.get(row.id) ?? 0) + 1
		seen.set(row.id, count)
		return count === 1 ? row : { ...row, id: `${row.id}#${count}` }
	})
}
