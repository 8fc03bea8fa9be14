import {
	type Call,
	type Column,
	type Count,
	DriverError,
	type Encoded,
	encode,
	type Grid,
	type GridOpening,
	type GridPage,
	type Row,
} from '@roundhouse/kit'
import { from, gridColumn, type Shape } from '../catalog/shape.ts'
import { signatureIn, signatureSql } from '../catalog/signature.ts'
import { inline, Parameters } from '../sql/binding.ts'
import { conditionOf, pathFor } from '../sql/conditions.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session, TextRow } from '../wire/session.ts'
import { cellsOf } from './cells.ts'
import { countExactly, estimateIn, estimateQuery } from './count.ts'
import {
	behind,
	type Order,
	orderOf,
	orderSql,
	type Position,
	positionSql,
	positionText,
	readPosition,
} from './order.ts'
import { identityIn, row, rowKeyOf } from './row-key.ts'
import { type Selection, selectionOf } from './selection.ts'

/** Rows that are expected behind a page, if the estimate was too low. */
const pageAhead = 1_000

/** Runs work on a session of the pool. */
export type Using = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

export interface GridParts {
	readonly using: Using
	readonly shape: Shape
	readonly query: GridOpening
	/** Run before each read, in its transaction. Absent for the user. */
	readonly guard?: Query | undefined
	/** Upper limit of rows that are counted. Above it the estimate of the server is shown. */
	readonly mostCounted: number
	/** About the filters. */
	readonly notices?: readonly string[]
}

/**
 * Pages of a table. Behind a page that was read, the next one begins at the values of its last row, which costs the same
 * at any depth, and rows that are inserted meanwhile move nothing. Elsewhere it begins at an offset.
 */
export class TableGrid implements Grid {
	readonly #parts: GridParts
	readonly #order: Order
	readonly #selection: Selection
	readonly #columns: readonly Column[]
	/** By offset: the row before it. */
	readonly #positions = new Map<number, Position>()
	/** Resolves when the last search for one has ended. */
	#searched = Promise.resolve()
	#total: Count | undefined

	constructor(parts: GridParts) {
		this.#parts = parts
		this.#order = orderOf(parts.shape, parts.query.sort)
		this.#selection = selectionOf(parts.shape, this.#order)
		this.#columns = parts.shape.columns.map(gridColumn)
		const { after } = parts.query
		if (after) this.#positions.set(after.offset, readPosition(this.#order, after.position))
	}

	page({ offset, limit }: Page, call: Call): Promise<Encoded<GridPage>> {
		return this.#parts.using(call, async (session, signal) => {
			const startedAt = performance.now()
			const { shape } = this.#parts
			const start = await this.#start(session, { offset, limit }, signal)
			const query = start === 'end' ? undefined : this.#pageQuery({ ...start, limit })
			const [rows, known] = await this.#read(session, query, signal)
			const tookMs = Math.round(performance.now() - startedAt)
			const page = rows.map(values => this.#rowOf(values))
			const last = rows.at(-1)
			const end = offset + rows.length
			if (last && this.#order.isTotal) this.#positions.set(end, this.#selection.positionOf(last))
			const { mostCounted } = this.#parts
			const ended = { end, isFull: rows.length === limit, isEmpty: rows.length === 0, mostCounted }
			const corrected = this.#parts.query.after ? sureOf(known, mostCounted) : correctedBy(known, ended)
			const total = corrected ?? (await countExactly(session, this.#parts, signal))
			this.#total = total
			return encode({
				columns: this.#columns,
				rows: rowKeyOf(shape).by === 'digest' ? withUniqueIds(page) : page,
				references: shape.references,
				referrers: shape.referrers,
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

	/**
	 * Reads a page. The first one comes with an estimate of the total, and with the columns as they are now, in the same
	 * round trip. @throws DriverError if the columns are not those of the description
	 */
	async #read(
		session: Session,
		query: Query | undefined,
		signal: AbortSignal,
	): Promise<readonly [readonly TextRow[], Count]> {
		const estimating = this.#total === undefined ? [estimateQuery(this.#parts)] : []
		const asked = [...(query ? [query] : []), ...estimating]
		const { shape } = this.#parts
		const isChecking = this.#total === undefined && shape.signature !== undefined
		const answers = await session.readAll(asked, signal, {
			path: pathFor(this.#parts.query),
			guard: this.#parts.guard,
			described: isChecking ? { sql: signatureSql(shape.place) } : undefined,
		})
		if (isChecking && signatureIn(answers.at(-1)?.fields ?? []) !== shape.signature)
			throw new DriverError('query_failed', `The columns of ${shape.name} have changed. Reload.`)
		const rows = (query && answers[0]?.rows) ?? []
		return [rows, this.#total ?? { value: estimateIn(answers[asked.length - 1]), isExact: false, bound: 'about' }]
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
		const parameters = new Parameters()
		const sql = `select ${positionSql(this.#order).join(', ')}${this.#fromWhere({ after, parameters })}${orderSql(this.#order)} offset ${first - nearest - 1} limit ${offset + limit - first + 1}`
		const { rows } = await session.read({ sql, values: parameters.values }, signal, {
			path: pathFor(this.#parts.query),
			guard: this.#parts.guard,
		})
		for (const at of [offset - limit, offset, offset + limit]) {
			const found = rows[at - first]
			if (found) this.#positions.set(at, found)
		}
	}

	/** The query of the first rows. */
	firstPage(limit: number): Query {
		return this.#pageQuery({ offset: 0, limit })
	}

	#pageQuery({ after, offset, limit }: Start & { readonly limit: number }): Query {
		const parameters = new Parameters()
		const where = this.#fromWhere({ after, parameters })
		const skipped = offset > 0 ? ` offset ${offset}` : ''
		const sql = `select ${this.#selection.expressions.join(', ')}${where}${orderSql(this.#order)} limit ${limit}${skipped}`
		return { sql, values: parameters.values }
	}

	/** Returns the query of a page as a user would write it, with its values, for the console. */
	#statement({ offset, limit }: Page): string {
		const { shape, query } = this.#parts
		const condition = conditionOf(shape, query, inline)
		const order = this.#order.terms.map(({ name, direction }) => `${name} ${direction}`)
		return [
			`select ${shape.columns.map(({ name }) => quoted(name)).join(', ')}`,
			`from ${from(shape)}`,
			...(condition === undefined ? [] : [`where ${condition}`]),
			...(order.length === 0 ? [] : [`order by ${order.join(', ')}`]),
			`limit ${limit}${offset > 0 ? ` offset ${offset}` : ''}`,
		].join('\n')
	}

	#fromWhere({ after, parameters }: { readonly after: Position | undefined; readonly parameters: Parameters }): string {
		const { shape, query } = this.#parts
		const condition = conditionOf(shape, query, parameters.bind)
		const begin = after && behind(this.#order, after, parameters.bind)
		const all = [condition, begin].filter(part => part !== undefined).map(part => `(${part})`)
		return ` from ${from(shape)} ${row}${all.length === 0 ? '' : ` where ${all.join(' and ')}`}`
	}

	#rowOf(values: TextRow): Row {
		const [cells] = cellsOf(this.#parts.shape.columns, values)
		const { givesPositions } = this.#parts.query
		const isPlaced = givesPositions && this.#order.isTotal
		const position = isPlaced ? positionText(this.#order, this.#selection.positionOf(values)) : undefined
		return { ...identityIn(this.#selection.identityOf(values)), ...(position !== undefined && { position }), cells }
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
function withUniqueIds(rows: readonly Row[]): readonly Row[] {
	const seen = new Map<string, number>()
	return rows.map(row => {
		const count = (seen.get(row.id) ?? 0) + 1
		seen.set(row.id, count)
		return count === 1 ? row : { ...row, id: `${row.id}#${count}` }
	})
}
