import {
	type Call,
	type Column,
	type Count,
	type Encoded,
	encode,
	type Grid,
	type GridPage,
	type GridQuery,
	type Row,
} from '@roundhouse/kit'
import { from, gridColumn, type Shape } from '../catalog/shape.ts'
import { inline, Parameters } from '../sql/binding.ts'
import { conditionOf } from '../sql/conditions.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session, TextRow } from '../wire/session.ts'
import { cellsOf, selectedOf } from './cells.ts'
import { behind, type Order, orderOf, orderSql, type Position, positionSql } from './order.ts'
import { identityIn, identityOf, row, rowKeyOf } from './row-key.ts'

/** Rows that are expected behind a page, if the estimate was too low. */
const pageAhead = 1_000

/** Runs work on a session of the pool. */
export type Using = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

export interface GridParts {
	readonly using: Using
	readonly shape: Shape
	readonly query: GridQuery
	/** Counts the rows, or estimates their number. */
	readonly count: (session: Session, signal: AbortSignal) => Promise<Count>
	readonly countExactly: (session: Session, signal: AbortSignal) => Promise<Count>
}

/**
 * Pages of a table. Behind a page that was read, the next one begins at the values of its last row, which costs the same
 * at any depth, and rows that are inserted meanwhile move nothing. Elsewhere it begins at an offset.
 */
export class TableGrid implements Grid {
	readonly #parts: GridParts
	readonly #order: Order
	/** Number of values that identify a row. */
	readonly #identity: number
	readonly #columns: readonly Column[]
	/** By offset: the row before it. */
	readonly #positions = new Map<number, Position>()
	#total: Count | undefined

	constructor(parts: GridParts) {
		this.#parts = parts
		this.#order = orderOf(parts.shape, parts.query.sort)
		this.#identity = identityOf(parts.shape).length
		this.#columns = parts.shape.columns.map(gridColumn)
	}

	page({ offset, limit }: { readonly offset: number; readonly limit: number }, call: Call): Promise<Encoded<GridPage>> {
		return this.#parts.using(call, async (session, signal) => {
			const startedAt = performance.now()
			const { shape } = this.#parts
			const start = await this.#start(session, offset, signal)
			const query = start === 'end' ? undefined : this.#pageQuery({ ...start, limit })
			const rows = query ? (await session.read(query, signal)).rows : []
			const tookMs = Math.round(performance.now() - startedAt)
			const page = rows.map(values => this.#rowOf(values))
			const last = rows.at(-1)
			if (last && this.#order.isTotal) this.#positions.set(offset + rows.length, this.#positionIn(last))
			const total = await this.#totalBehind(
				{ end: offset + rows.length, isFull: rows.length === limit, isEmpty: rows.length === 0 },
				session,
				signal,
			)
			return encode({
				columns: this.#columns,
				rows: rowKeyOf(shape).by === 'digest' ? withUniqueIds(page) : page,
				references: shape.references,
				referrers: shape.referrers,
				total,
				tookMs,
				...(query && { request: this.#statement({ offset, limit }) }),
				notices: [],
			})
		})
	}

	async close(): Promise<void> {
		this.#positions.clear()
	}

	/** An estimate is corrected by what the page shows, so that the last row can be reached. */
	async #totalBehind(
		{ end, isFull, isEmpty }: { readonly end: number; readonly isFull: boolean; readonly isEmpty: boolean },
		session: Session,
		signal: AbortSignal,
	): Promise<Count> {
		if (!isFull && (!isEmpty || end === 0)) this.#total = { value: end, isExact: true }
		this.#total ??= await this.#parts.count(session, signal)
		const { value, isExact } = this.#total
		if (isEmpty && !isExact) this.#total = await this.#parts.countExactly(session, signal)
		else if (isFull && !isExact && value <= end)
			this.#total = { value: end + pageAhead, isExact: false, bound: 'about' }
		return this.#total
	}

	/** Finds where a page begins: behind a known row, or at an offset from one. */
	async #start(session: Session, offset: number, signal: AbortSignal): Promise<Start | 'end'> {
		if (!this.#order.isTotal || offset === 0) return { offset }
		const known = this.#positions.get(offset)
		if (known) return { after: known, offset: 0 }
		const nearest = Math.max(0, ...[...this.#positions.keys()].filter(at => at < offset))
		const after = this.#positions.get(nearest)
		// Only the columns of the order are read on the way, which an index alone can answer.
		const parameters = new Parameters()
		const sql = `select ${positionSql(this.#order).join(', ')}${this.#fromWhere({ after, parameters })}${orderSql(this.#order)} offset ${offset - nearest - 1} limit 1`
		const { rows } = await session.read({ sql, values: parameters.values }, signal)
		const [found] = rows
		if (!found) return 'end'
		this.#positions.set(offset, found)
		return { after: found, offset: 0 }
	}

	/** The query of the first rows. */
	firstPage(limit: number): Query {
		return this.#pageQuery({ offset: 0, limit })
	}

	#pageQuery({ after, offset, limit }: Start & { readonly limit: number }): Query {
		const { shape } = this.#parts
		const parameters = new Parameters()
		const columns = [...selectedOf(shape.columns), ...identityOf(shape), ...positionSql(this.#order)]
		const where = this.#fromWhere({ after, parameters })
		const skipped = offset > 0 ? ` offset ${offset}` : ''
		const sql = `select ${columns.join(', ')}${where}${orderSql(this.#order)} limit ${limit}${skipped}`
		return { sql, values: parameters.values }
	}

	/** Returns the query of a page as a user would write it, with its values, for the console. */
	#statement({ offset, limit }: { readonly offset: number; readonly limit: number }): string {
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
		const { shape } = this.#parts
		const [cells, at] = cellsOf(shape.columns, values)
		const { id, version } = identityIn(values.slice(at, at + this.#identity))
		return { id, version, cells }
	}

	#positionIn(values: TextRow): Position {
		return values.slice(-this.#order.terms.length)
	}
}

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
