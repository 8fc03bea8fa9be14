import {
	type Aggregated,
	type AggregateQuery,
	type Call,
	type Change,
	type ChangeOutcome,
	type Connection,
	type DatabaseObject,
	type DriverContext,
	type Encoded,
	type Explainable,
	type Explained,
	type ExportOptions,
	encode,
	type FactSection,
	type FoundColumn,
	type Grid,
	type GridOpening,
	type GridQuery,
	type ImportOptions,
	isDriverError,
	type RawReading,
	type RowCount,
	type RowExport,
	type RowImport,
	type ServerInfo,
	type Table,
	type TableAction,
	type TableDescription,
	type TypedQuery,
	type WholeRow,
} from '@roundhouse/kit'
import { CheckedGrid, notSent, type Shapes, type Using } from '@roundhouse/sql'
import { tableActions } from './actions/table-actions.ts'
import { type Databases, type ListedDatabase, listDatabases } from './catalog/databases.ts'
import { indexesOf } from './catalog/indexes.ts'
import { gridColumn, type Shape } from './catalog/shape.ts'
import { shapesOf } from './catalog/shapes.ts'
import { columnsNamed, listTables, mostColumns } from './catalog/tables.ts'
import { refuseExpensive } from './console/cost-guard.ts'
import { explain } from './console/explain.ts'
import { checkCondition } from './console/raw-condition.ts'
import { readCondition } from './console/read-condition.ts'
import { ResultTypes } from './console/result-types.ts'
import type { SqlConsole } from './console/sql-console.ts'
import { findVolatile } from './console/volatile.ts'
import { exportTable } from './data/export.ts'
import { TableImport } from './data/import.ts'
import { applyChanges } from './edit/apply.ts'
import { BlockerWatch, blockerOf } from './edit/blocker.ts'
import { cascadeComment, mayCascade, mostTried } from './edit/cascades.ts'
import { changeSql } from './edit/change-sql.ts'
import { listObjects, objectFacts, objectPlace } from './facts/objects.ts'
import { serverFacts } from './facts/server-facts.ts'
import { tableFacts } from './facts/table-facts.ts'
import { aggregated, aggregateSql } from './grid/aggregate.ts'
import { countExactly, countedRows, countForGrid } from './grid/count.ts'
import { readRow } from './grid/read-row.ts'
import { tableGrid } from './grid/table-grid.ts'
import type { Login } from './settings.ts'
import { inline } from './sql/binding.ts'
import { conditionOf, pathFor } from './sql/conditions.ts'
import { dayNotices, isInZone } from './sql/day-notices.ts'
import { placeOf } from './sql/names.ts'
import type { Query, Session } from './wire/session.ts'

/** An open connection: joins the parts of this driver. */
export class PostgresConnection implements Connection {
	readonly #databases: Databases
	readonly #login: Login
	readonly #info: ServerInfo
	/** As the server names it. */
	readonly #timeZone: string
	readonly console: SqlConsole
	readonly #limitRows: DriverContext['costLimitRows']
	readonly #types = new ResultTypes()
	readonly #shapes: Shapes<Shape>
	/** Databases whose tables could not be listed, with the reason. */
	readonly #unlisted = new Map<string, string>()

	constructor(parts: {
		readonly databases: Databases
		readonly login: Login
		readonly info: ServerInfo
		readonly timeZone: string
		readonly console: SqlConsole
		readonly limitRows: DriverContext['costLimitRows']
	}) {
		this.#databases = parts.databases
		this.#shapes = shapesOf(parts.databases)
		this.#login = parts.login
		this.#info = parts.info
		this.#timeZone = parts.timeZone
		this.console = parts.console
		this.#limitRows = parts.limitRows
	}

	info(): ServerInfo {
		return this.#info
	}

	async listTables(call: Call): Promise<readonly Table[]> {
		this.#unlisted.clear()
		return this.#listAll(listTables, call)
	}

	listObjects(call: Call): Promise<readonly DatabaseObject[]> {
		return this.#listAll(listObjects, call)
	}

	/** Lists the database of the connection, or all databases if the user chose that. */
	async #listAll<T>(list: List<T>, call: Call): Promise<readonly T[]> {
		const { main } = this.#databases
		const listMain = (levels: readonly string[]) =>
			this.#databases.using(call, (session, signal) => list(session, { database: undefined, levels }, signal))
		if (!this.#login.listsAllDatabases) return listMain([])
		const names = await this.#databases.using(call, listDatabases)
		const lists: (readonly T[])[] = []
		for (const name of names) {
			try {
				lists.push(await (name === main ? listMain([main]) : this.#listOther(list, name, call)))
			} catch (error) {
				if (name === main || call.signal.aborted || !isDriverError(error)) throw error
				this.#unlisted.set(name, error.message)
			}
		}
		return lists.flat()
	}

	/** On a separate session: a server with many databases would not have that many sessions to spare. */
	async #listOther<T>(list: List<T>, database: string, { signal }: Call): Promise<readonly T[]> {
		const session = await this.#databases.openUncompiled(signal, database)
		try {
			return await list(session, { database, levels: [database] }, signal)
		} finally {
			session.close()
		}
	}

	async findColumns(text: string, call: Call): Promise<readonly FoundColumn[]> {
		return (await this.#listAll(columnsNamed(text), call)).slice(0, mostColumns)
	}

	async tableActions(names: readonly string[], call: Call): Promise<readonly TableAction[]> {
		if (names.length === 0) return tableActions([])
		const tables = await this.listTables(call)
		const known = new Map(tables.map(table => [table.name, table]))
		return tableActions(names.map(name => known.get(name) ?? { name }))
	}

	async describeTable(table: string, call: Call): Promise<TableDescription> {
		const shape = await this.#shapes.read(table, call)
		const { columns, references, referrers, comment } = shape
		const indexes = await this.#usingOf(shape)(call, (session, signal) => indexesOf(session, shape, signal))
		const note = comment !== undefined && { note: comment }
		return { name: table, ...note, columns: columns.map(gridColumn), indexes, references, referrers }
	}

	async openGrid(query: GridOpening, call: Call): Promise<Grid> {
		const guard = await this.#checkRead(query, call)
		const limitRows = this.#limitRows()
		const open = (shape: Shape) =>
			tableGrid({
				shape,
				query,
				guard,
				using: this.#usingOf(shape),
				mostCounted: limitRows ?? countedRows,
				notices: dayNotices(shape, query, this.#timeZone),
			})
		const read = (later: Call) => this.#shapes.read(query.table, later)
		const kept = query.isReload || limitRows !== undefined ? undefined : this.#shapes.kept(query.table)
		if (kept) return new CheckedGrid({ kept, open, read })
		const shape = await (query.isReload ? read(call) : this.#shapes.of(query.table, call))
		const grid = open(shape)
		if (limitRows !== undefined) {
			const asked = { query: grid.firstPage(query.firstPage ?? 100), path: pathFor(query), guard, limitRows }
			await this.#usingOf(shape)(call, (session, signal) => refuseExpensive(session, asked, signal))
		}
		return grid
	}

	async countRows(query: Omit<GridQuery, 'sort'>, call: Call): Promise<RowCount> {
		const shape = await this.#shapes.of(query.table, call)
		const guard = await this.#checkRead(query, call)
		const notice = dayNotices(shape, query, this.#timeZone).join(' ')
		return this.#usingOf(shape)(call, async (session, signal) => {
			const limit = this.#limitRows()
			// An exact count reads all rows, which may cost much: an AI client gets the estimate of a large table.
			const count =
				limit !== undefined && shape.estimatedRows > limit
					? await countForGrid(session, { shape, query, guard, most: limit }, signal)
					: await countExactly(session, { shape, query, guard }, signal)
			return { ...count, ...(notice !== '' && { notice }) }
		})
	}

	async aggregate(query: AggregateQuery, call: Call): Promise<Encoded<Aggregated>> {
		return encode(await this.#aggregate(query, call))
	}

	async readRawQuery(table: string, typed: TypedQuery, call: Call): Promise<RawReading> {
		return readCondition(typed, {
			columns: (await this.#shapes.of(table, call)).columns,
			check: async raw => void (await this.#checkRead({ table, raw }, call)),
			top: async (filters, column, limit) => {
				const asked = { table, filters, match: 'all', groups: [{ column }], measures: [], limit } as const
				return (await this.#aggregate(asked, call)).rows.flatMap(([cell]) => cell ?? [])
			},
		})
	}

	async filterText(query: Omit<GridQuery, 'sort'>, call: Call): Promise<string> {
		await this.#checkRead(query, call)
		return conditionOf(await this.#shapes.of(query.table, call), query, inline) ?? 'true'
	}

	async #aggregate(query: AggregateQuery, call: Call): Promise<Aggregated> {
		const shape = await this.#shapes.of(query.table, call)
		const guard = await this.#checkRead(query, call)
		const sql = aggregateSql(shape, query)
		return this.#usingOf(shape)(call, async (session, signal) => {
			const path = pathFor(query)
			await refuseExpensive(session, { query: sql, path, guard, limitRows: this.#limitRows() }, signal)
			const answer = await session.read(sql, signal, { path, guard })
			await this.#types.read(session, answer.fields, signal)
			const timeZone = query.groups.some(group => isInZone(shape, group)) && { timeZone: this.#timeZone }
			return aggregated(query, answer, {
				types: this.#types,
				notices: dayNotices(shape, query, this.#timeZone),
				...timeZone,
			})
		})
	}

	async explain(what: Explainable, call: Call): Promise<Explained> {
		if ('statement' in what) return this.console.of(what.database).explain(what, call)
		const shape = await this.#shapes.of(what.query.table, call)
		const guard = await this.#checkRead(what.query, call)
		const grid = tableGrid({ shape, query: what.query, using: this.#usingOf(shape), mostCounted: countedRows })
		const query = grid.firstPage(100)
		const asked = { query, path: pathFor(what.query), guard, isPlanOnly: false, limitRows: this.#limitRows() }
		return this.#usingOf(shape)(call, (session, signal) => explain(session, asked, signal))
	}

	async readRow(table: string, rowId: string, call: Call): Promise<Encoded<WholeRow>> {
		const shape = await this.#shapes.of(table, call)
		const guard = await this.#checkRead({ table }, call)
		return this.#usingOf(shape)(call, (session, signal) => readRow(session, { shape, id: rowId, guard }, signal))
	}

	async previewChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly string[]> {
		const shape = await this.#shapes.of(table, call)
		const statements = changes.map(change => changeSql(shape, change))
		const deletions = statements.filter((_, at) => changes[at]?.kind === 'delete')
		if (deletions.length === 0 || !mayCascade(shape)) return statements
		const { console } = this
		const tried = deletions.length > mostTried ? [] : deletions
		const effect = await console.of(shape.place.database).tried(tried, call)
		const comment = cascadeComment(shape, effect, deletions.length)
		const last = changes.findLastIndex(({ kind }) => kind === 'delete')
		return statements.map((sql, at) => (at === last && comment !== undefined ? `${sql}\n${comment}` : sql))
	}

	async applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]> {
		try {
			const shape = await this.#shapes.of(table, call)
			return await this.#usingOf(shape)(call, async (session, signal) => {
				const asked = { pid: session.pid, statements: this.#databases.consoleStatements }
				using watch = new BlockerWatch(during =>
					this.#databases.using({ signal: during }, (other, signal) => blockerOf(other, asked, signal)),
				)
				return await applyChanges(session, { shape, changes, blocker: () => watch.last }, signal)
			})
		} catch (error) {
			// A cancelled save has outcomes as soon as it commits, so nothing was committed.
			if (call.signal.aborted) return changes.map(() => notSent)
			throw error
		}
	}

	async openExport(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport> {
		const shape = await this.#shapes.of(query.table, call)
		const guard = await this.#checkRead(query, call)
		const session = await this.#databases.open(call.signal, shape.place.database)
		return closingOnError(session, () => exportTable(session, { shape, query, options, guard }))
	}

	async openImport(table: string, options: ImportOptions, call: Call): Promise<RowImport> {
		const shape = await this.#shapes.of(table, call)
		const session = await this.#databases.open(call.signal, shape.place.database)
		return closingOnError(session, () => new TableImport(session, shape, options))
	}

	async readFacts(table: string | undefined, call: Call): Promise<readonly FactSection[]> {
		if (table === undefined) {
			const read = (session: Session, signal: AbortSignal) =>
				serverFacts(session, this.#databases.consoleStatements, signal)
			return [...(await this.#databases.using(call, read)), ...this.#unlistedFacts()]
		}
		const read = (session: Session, signal: AbortSignal) => tableFacts(session, table, signal)
		return this.#databases.using(call, read, placeOf(table).database)
	}

	readObject(name: string, call: Call): Promise<readonly FactSection[]> {
		const { database, ...object } = objectPlace(name)
		const work = (session: Session, signal: AbortSignal) => objectFacts(session, object.name, signal)
		return this.#databases.using(call, work, database)
	}

	#unlistedFacts(): readonly FactSection[] {
		if (this.#unlisted.size === 0) return []
		const rows = [...this.#unlisted].map(cells => ({ cells, state: 'warning' as const }))
		return [{ title: 'Databases without a list of tables', list: { columns: ['Database', 'Reason'], rows } }]
	}

	async listDatabases(call: Call): Promise<readonly string[]> {
		const { main } = this.#databases
		const names = await this.#databases.using(call, listDatabases)
		return [main, ...names.filter(name => name !== main)]
	}

	consoleOf(database: string): SqlConsole {
		return this.console.of(database)
	}

	openSession(call: Call, database?: string) {
		return this.console.of(database).openSession(call)
	}

	close(): Promise<void> {
		return this.#databases.close()
	}

	#usingOf(shape: Shape): Using<Session> {
		return async (call, work) => {
			try {
				return await this.#databases.using(call, work, shape.place.database)
			} catch (error) {
				this.#shapes.forget(shape, error)
				throw error
			}
		}
	}

	/** @returns what must be run before the read in its transaction, if it is that of an AI client */
	async #checkRead({ raw, table }: Pick<GridQuery, 'raw' | 'table'>, call: Call): Promise<Query | undefined> {
		const place = placeOf(table)
		if (raw?.trim()) {
			await checkCondition(raw, names =>
				this.#databases.using(call, (session, signal) => findVolatile(session, names, signal), place.database),
			)
		}
		return this.console.of(place.database).requireKnown(place, raw, call)
	}
}

/** Lists what a database has. */
type List<T> = (session: Session, database: ListedDatabase, signal: AbortSignal) => Promise<readonly T[]>

function closingOnError<T>(session: Session, make: () => T): T {
	try {
		return make()
	} catch (error) {
		session.close()
		throw error
	}
}
