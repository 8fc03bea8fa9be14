import {
	type Aggregated,
	type AggregateQuery,
	type Call,
	type Change,
	type ChangeOutcome,
	type Column,
	type Console,
	type ConsoleSession,
	type Count,
	DriverError,
	type Encoded,
	type Explainable,
	type Explained,
	type ExportOptions,
	encode,
	type Grid,
	type GridOpening,
	type GridQuery,
	type ImportOptions,
	type Namespace,
	type Reference,
	type RowCount,
	type RowExport,
	type RowImport,
	type ServerInfo,
	type TableDescription,
	type WholeRow,
} from '@roundhouse/kit'
import type { Shapes } from './catalog/shapes.ts'
import { notSent } from './edit/apply.ts'
import { CheckedGrid } from './grid/checked-grid.ts'
import { type GridTable, TableGrid, type Using } from './grid/table-grid.ts'
import type { Query, RawRow } from './text/session.ts'

/** A session of a server. */
export interface SqlSession {
	readonly isUsable: boolean
	/** The state of its transaction; `undefined` if none is open. */
	readonly transaction: 'open' | 'failed' | undefined
	/** Ends it. The server rolls back what is open. */
	close(): void
}

/** The sessions of a connection. */
export interface Sessions<Session> {
	/** Runs work on a session that no other call has. @param database default: that of the connection */
	using<T>(
		call: Pick<Call, 'signal'>,
		work: (session: Session, signal: AbortSignal) => Promise<T>,
		database?: string,
	): Promise<T>
	/** Opens a separate session for one transfer. The caller closes it. */
	open(signal: AbortSignal, database?: string): Promise<Session>
	close(): Promise<void>
}

/** A table with what queries and changes of it need. */
export interface TableShape {
	readonly name: string
	readonly signature: string | undefined
	readonly references: readonly Reference[]
	readonly referrers: readonly Reference[]
	readonly comment: string | undefined
	/** Row count that the server estimates, or -1 if it has no estimate. */
	readonly estimatedRows: number
}

type Counted = Omit<GridQuery, 'sort'>

/** A read of a table. `guard` is what {@link SqlEngine.checkRead} returned. */
interface Read<Shape, Guard, Asked = Counted> {
	readonly shape: Shape
	readonly query: Asked
	readonly guard: Guard | undefined
}

/** What an engine gives its connections: the differences from other engines. */
export interface SqlEngine<
	Session extends SqlSession,
	Shape extends TableShape,
	Guard = never,
	Row extends RawRow = RawRow,
> {
	readonly info: ServerInfo
	readonly sessions: Sessions<Session>
	readonly shapes: Shapes<Shape>
	/** See `DriverContext.costLimitRows`. */
	limitRows(): number | undefined
	/**
	 * Checks a typed condition, and for AI clients that a read acts on nothing. @returns what must hold while the read runs
	 * @throws DriverError
	 */
	checkRead(query: Pick<GridQuery, 'raw' | 'table'>, call: Call): Promise<Guard | undefined>
	/** Refuses a read of an AI client that costs too much. @throws DriverError `denied` */
	refuseExpensive(
		session: Session,
		read: Read<Shape, Guard> & { readonly sql: Query; readonly limitRows: number },
		signal: AbortSignal,
	): Promise<unknown>
	/** The database in which the sessions of a table are. `undefined`: that of the connection. */
	databaseOf(shape: Shape): string | undefined
	columnsOf(shape: Shape): readonly Column[]
	indexesOf(session: Session, shape: Shape, signal: AbortSignal): Promise<readonly string[]>
	gridTable(read: Read<Shape, Guard, GridOpening>): GridTable<Session, Row>
	/** About days and other things of a query that a user should know. */
	notices(shape: Shape, query: Pick<AggregateQuery, 'filters'> & Partial<Pick<AggregateQuery, 'groups'>>): string[]
	/** Counts rows, exactly up to `most` and by the estimate of the server beyond it. Default: exactly. */
	count(session: Session, read: Read<Shape, Guard> & { readonly most?: number }, signal: AbortSignal): Promise<Count>
	aggregateSql(shape: Shape, query: AggregateQuery): Query
	aggregate(
		session: Session,
		read: Read<Shape, Guard, AggregateQuery> & { readonly sql: Query },
		signal: AbortSignal,
	): Promise<Aggregated>
	/** Explains the query of a page. */
	explain(session: Session, read: Read<Shape, Guard> & { readonly sql: Query }, signal: AbortSignal): Promise<Explained>
	readRow(
		session: Session,
		row: { readonly shape: Shape; readonly id: string; readonly guard: Guard | undefined },
		signal: AbortSignal,
	): Promise<Encoded<WholeRow>>
	applyChanges(
		session: Session,
		save: { readonly shape: Shape; readonly changes: readonly Change[] },
		signal: AbortSignal,
	): Promise<readonly ChangeOutcome[]>
	/** Closes the session at the end of the export. */
	exportTable(session: Session, read: Read<Shape, Guard, GridQuery> & { readonly options: ExportOptions }): RowExport
	/** Closes the session at the end of the import. @throws DriverError `unsupported` */
	importTable(session: Session, shape: Shape, options: ImportOptions): RowImport
	consoleOf(namespace: Namespace): SqlConsoleParts
}

/** A console with sessions. */
export interface SqlConsoleParts extends Console {
	openSession(call: Call): Promise<ConsoleSession>
	explain?(what: Extract<Explainable, { readonly statement: unknown }>, call: Call): Promise<Explained>
}

/** Above this estimate, a grid of the user shows the estimate, because an exact count reads the whole table. */
const countedRows = 100_000

/** What all connections to SQL engines do with tables. */
export class SqlConnection<Session extends SqlSession, Shape extends TableShape, Guard, Row extends RawRow> {
	readonly #engine: SqlEngine<Session, Shape, Guard, Row>

	constructor(engine: SqlEngine<Session, Shape, Guard, Row>) {
		this.#engine = engine
	}

	/** Runs statements of the connection's own database. */
	get console(): SqlConsoleParts {
		return this.#engine.consoleOf({})
	}

	info(): ServerInfo {
		return this.#engine.info
	}

	async describeTable(table: string, call: Call): Promise<TableDescription> {
		const shape = await this.#engine.shapes.read(table, call)
		const { references, referrers, comment } = shape
		const indexes = await this.#using(shape, call, (session, signal) => this.#engine.indexesOf(session, shape, signal))
		const described = { name: table, columns: this.#engine.columnsOf(shape), indexes, references, referrers }
		return comment === undefined ? described : { ...described, note: comment }
	}

	async openGrid(query: GridOpening, call: Call): Promise<Grid> {
		const { shapes } = this.#engine
		const guard = await this.#engine.checkRead(query, call)
		const limitRows = this.#engine.limitRows()
		const open = (shape: Shape) => this.#gridOf({ shape, query, guard }, limitRows ?? countedRows)
		const read = (later: Call) => shapes.read(query.table, later)
		const kept = query.isReload || limitRows !== undefined ? undefined : shapes.kept(query.table)
		if (kept) return new CheckedGrid({ kept, open, read })
		const shape = await (query.isReload ? read(call) : shapes.of(query.table, call))
		const grid = open(shape)
		if (limitRows === undefined) return grid
		const asked = { shape, query, guard, limitRows, sql: grid.firstPage(query.firstPage ?? 100) }
		await this.#using(shape, call, (session, signal) => this.#engine.refuseExpensive(session, asked, signal))
		return grid
	}

	#gridOf(read: Read<Shape, Guard, GridOpening>, mostCounted: number): TableGrid<Session, Row> {
		const { shape, query } = read
		const using: Using<Session> = (call, work) => this.#using(shape, call, work)
		const notices = this.#engine.notices(shape, query)
		return new TableGrid({ table: this.#engine.gridTable(read), query, using, mostCounted, notices })
	}

	async countRows(query: Counted, call: Call): Promise<RowCount> {
		const shape = await this.#engine.shapes.of(query.table, call)
		const guard = await this.#engine.checkRead(query, call)
		const notice = this.#engine.notices(shape, query).join(' ')
		const limit = this.#engine.limitRows()
		// An exact count reads all rows, which may cost much: an AI client gets the estimate of a large table.
		const most = limit !== undefined && shape.estimatedRows > limit ? { most: limit } : {}
		const count = await this.#using(shape, call, (session, signal) =>
			this.#engine.count(session, { shape, query, guard, ...most }, signal),
		)
		return notice === '' ? count : { ...count, notice }
	}

	async aggregate(query: AggregateQuery, call: Call): Promise<Encoded<Aggregated>> {
		return encode(await this.aggregateRows(query, call))
	}

	async aggregateRows(query: AggregateQuery, call: Call): Promise<Aggregated> {
		const shape = await this.#engine.shapes.of(query.table, call)
		const guard = await this.#engine.checkRead(query, call)
		const sql = this.#engine.aggregateSql(shape, query)
		return this.#using(shape, call, async (session, signal) => {
			const limitRows = this.#engine.limitRows()
			const read = { shape, query, guard, sql }
			if (limitRows !== undefined) await this.#engine.refuseExpensive(session, { ...read, limitRows }, signal)
			return this.#engine.aggregate(session, read, signal)
		})
	}

	async explain(what: Explainable, call: Call): Promise<Explained> {
		if ('statement' in what) {
			const console = this.#engine.consoleOf(what)
			if (!console.explain) throw new DriverError('unsupported', 'The engine explains no statement.')
			return console.explain(what, call)
		}
		const { query } = what
		const shape = await this.#engine.shapes.of(query.table, call)
		const guard = await this.#engine.checkRead(query, call)
		const sql = this.#gridOf({ shape, query, guard }, countedRows).firstPage(100)
		return this.#using(shape, call, (session, signal) =>
			this.#engine.explain(session, { shape, query, guard, sql }, signal),
		)
	}

	async readRow(table: string, id: string, call: Call): Promise<Encoded<WholeRow>> {
		const shape = await this.#engine.shapes.of(table, call)
		const guard = await this.#engine.checkRead({ table }, call)
		return this.#using(shape, call, (session, signal) => this.#engine.readRow(session, { shape, id, guard }, signal))
	}

	async applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]> {
		try {
			const shape = await this.#engine.shapes.of(table, call)
			return await this.#using(shape, call, (session, signal) =>
				this.#engine.applyChanges(session, { shape, changes }, signal),
			)
		} catch (error) {
			// A cancelled save has outcomes as soon as it commits, so nothing was committed.
			if (call.signal.aborted) return changes.map(() => notSent)
			throw error
		}
	}

	async openExport(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport> {
		const shape = await this.#engine.shapes.of(query.table, call)
		const guard = await this.#engine.checkRead(query, call)
		return this.#onSeparate(shape, call, session => this.#engine.exportTable(session, { shape, query, guard, options }))
	}

	async openImport(table: string, options: ImportOptions, call: Call): Promise<RowImport> {
		const shape = await this.#engine.shapes.of(table, call)
		return this.#onSeparate(shape, call, session => this.#engine.importTable(session, shape, options))
	}

	consoleOf(namespace: Namespace): Console {
		return this.#engine.consoleOf(namespace)
	}

	openSession(call: Call, namespace: Namespace = {}): Promise<ConsoleSession> {
		return this.#engine.consoleOf(namespace).openSession(call)
	}

	close(): Promise<void> {
		return this.#engine.sessions.close()
	}

	async #onSeparate<T>(shape: Shape, { signal }: Call, make: (session: Session) => T): Promise<T> {
		const session = await this.#engine.sessions.open(signal, this.#engine.databaseOf(shape))
		try {
			return make(session)
		} catch (error) {
			session.close()
			throw error
		}
	}

	async #using<T>(shape: Shape, call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T> {
		try {
			return await this.#engine.sessions.using(call, work, this.#engine.databaseOf(shape))
		} catch (error) {
			this.#engine.shapes.forget(shape, error)
			throw error
		}
	}
}
