import type { DriverContext, GridQuery, ServerInfo } from '@roundhouse/kit'
import { dayNotices, type Shapes, type SqlEngine } from '@roundhouse/sql'
import type { Sessions } from './catalog/sessions.ts'
import { columnIn, gridColumn, type Shape } from './catalog/shape.ts'
import { refuseExpensive } from './console/cost-guard.ts'
import { explain } from './console/explain.ts'
import { requireKnown } from './console/raw-condition.ts'
import { consoleOf } from './console/sql-console.ts'
import { exportTable } from './data/export.ts'
import { importTable } from './data/import.ts'
import { applyChanges } from './edit/apply.ts'
import { aggregated, aggregateSql } from './grid/aggregate.ts'
import { countExactly, countForGrid } from './grid/count.ts'
import { gridTable } from './grid/grid-table.ts'
import { readRow } from './grid/read-row.ts'
import type { Session } from './wire/session.ts'

interface EngineParts {
	readonly sessions: Sessions
	readonly shapes: Shapes<Shape>
	readonly info: ServerInfo
	readonly context: DriverContext
}

/** Sessions of the driver read and write a TIMESTAMP in UTC. A DATETIME has no zone. */
const noticesOf = (shape: Shape, query: Parameters<typeof dayNotices>[0]) =>
	dayNotices(query, 'UTC', column => columnIn(shape, column).base === 'timestamp')

/** Returns what MariaDB and MySQL do in another way than other engines. */
export function mariadbEngine({ sessions, shapes, info, context }: EngineParts): SqlEngine<Session, Shape> {
	const limitRows = context.costLimitRows
	const isForClient = () => limitRows() !== undefined
	const main = consoleOf(sessions, context)
	/** Runs a read of a table. For an AI client, what the table is made of is looked up again directly before it. */
	const known = async <T>(
		session: Session,
		{ raw, table }: Pick<GridQuery, 'raw' | 'table'>,
		signal: AbortSignal,
		work: () => Promise<T>,
	): Promise<T> => {
		if (!isForClient()) return work()
		await requireKnown({ raw, table, isForClient: true, main: sessions.main }, look => look(session, signal))
		return session.withoutWaiting(signal, work)
	}
	const consoles = new Map<string, ReturnType<typeof consoleOf>>()
	return {
		info,
		sessions,
		shapes,
		limitRows,
		async checkRead({ raw, table }, call) {
			await requireKnown({ raw, table, isForClient: isForClient(), main: sessions.main }, work =>
				sessions.using(call, work),
			)
			return undefined
		},
		refuseExpensive: (session, { query, sql, limitRows }, signal) =>
			known(session, query, signal, () => refuseExpensive(session, sql.sql, limitRows, signal)),
		databaseOf: () => undefined,
		columnsOf: ({ columns }) => columns.map(gridColumn),
		indexesOf: async (_, { indexes }) => indexes,
		gridTable(read) {
			const table = gridTable(read)
			const { query } = read
			return {
				...table,
				read: (session, sql, signal) => known(session, query, signal, () => table.read(session, sql, signal)),
				readFirst: (session, sql, signal) => known(session, query, signal, () => table.readFirst(session, sql, signal)),
				count: (session, signal) => known(session, query, signal, () => table.count(session, signal)),
			}
		},
		notices: noticesOf,
		count: (session, { most, ...read }, signal) =>
			known(session, read.query, signal, () =>
				most === undefined ? countExactly(session, read, signal) : countForGrid(session, { ...read, most }, signal),
			),
		aggregateSql,
		async aggregate(session, { shape, query, sql }, signal) {
			const answer = await known(session, query, signal, () => session.read({ ...sql, most: query.limit }, signal))
			return aggregated(query, answer, noticesOf(shape, query))
		},
		explain: (session, { query, sql }, signal) =>
			known(session, query, signal, () =>
				explain(session, { query: { sql: sql.sql }, isPlanOnly: false, limitRows: limitRows() }, signal),
			),
		readRow: (session, row, signal) =>
			known(session, { table: row.shape.name }, signal, () => readRow(session, row, signal)),
		applyChanges,
		exportTable: (session, read) =>
			exportTable(session, { ...read, run: (signal, work) => known(session, read.query, signal, work) }),
		importTable,
		consoleOf({ database }) {
			if (database === undefined || database === sessions.main) return main
			const known = consoles.get(database) ?? consoleOf(sessions, context, database)
			consoles.set(database, known)
			return known
		},
	}
}
