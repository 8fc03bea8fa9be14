import type { DriverContext, GridQuery, ServerInfo } from '@roundhouse/kit'
import { dayNotices, type Shapes, type SqlEngine, type TextRow } from '@roundhouse/sql'
import type { Databases } from './catalog/databases.ts'
import { indexesOf } from './catalog/indexes.ts'
import { gridColumn, type Shape } from './catalog/shape.ts'
import { refuseExpensive } from './console/cost-guard.ts'
import { explain } from './console/explain.ts'
import { checkCondition } from './console/raw-condition.ts'
import { ResultTypes } from './console/result-types.ts'
import type { SqlConsole } from './console/sql-console.ts'
import { findVolatile } from './console/volatile.ts'
import { exportTable } from './data/export.ts'
import { TableImport } from './data/import.ts'
import { applyChanges } from './edit/apply.ts'
import { BlockerWatch, blockerOf } from './edit/blocker.ts'
import { aggregated, aggregateSql } from './grid/aggregate.ts'
import { countExactly, countForGrid } from './grid/count.ts'
import { gridTable } from './grid/grid-table.ts'
import { readRow } from './grid/read-row.ts'
import { pathFor } from './sql/conditions.ts'
import { parseName } from './sql/names.ts'
import { hasZone, isInZone } from './sql/zones.ts'
import type { Query, Session } from './wire/session.ts'

interface EngineParts {
	readonly databases: Databases
	readonly shapes: Shapes<Shape>
	readonly info: ServerInfo
	/** As the server names it. */
	readonly timeZone: string
	readonly console: SqlConsole
	readonly limitRows: DriverContext['costLimitRows']
}

/** Returns what PostgreSQL does in another way than other engines. */
export function postgresEngine(parts: EngineParts): SqlEngine<Session, Shape, Query, TextRow> {
	const { databases, shapes, info, timeZone, console, limitRows } = parts
	const types = new ResultTypes()
	const limited = (
		read: { readonly query: Pick<GridQuery, 'raw'>; readonly guard: Query | undefined },
		sql: Query,
	) => ({
		query: sql,
		path: pathFor(read.query),
		guard: read.guard,
		limitRows: limitRows(),
	})
	const noticesOf = (shape: Shape, query: Parameters<typeof dayNotices>[0]) =>
		dayNotices(query, timeZone, column => hasZone(shape, column))
	return {
		info,
		sessions: databases,
		shapes,
		limitRows,
		async checkRead({ raw, table }, call) {
			const place = parseName(table)
			if (raw?.trim()) {
				await checkCondition(raw, names =>
					databases.using(call, (session, signal) => findVolatile(session, names, signal), place.database),
				)
			}
			return console.of({ database: place.database }).requireKnown(place, raw, call)
		},
		refuseExpensive: (session, { sql, ...read }, signal) => refuseExpensive(session, limited(read, sql), signal),
		databaseOf: ({ place }) => place.database,
		columnsOf: ({ columns }) => columns.map(gridColumn),
		indexesOf,
		gridTable,
		notices: noticesOf,
		count: (session, { most, ...read }, signal) =>
			most === undefined ? countExactly(session, read, signal) : countForGrid(session, { ...read, most }, signal),
		aggregateSql,
		async aggregate(session, { shape, query, guard, sql }, signal) {
			const answer = await session.read(sql, signal, { path: pathFor(query), guard })
			await types.read(session, answer.fields, signal)
			const notices = noticesOf(shape, query)
			const isZoned = query.groups.some(group => isInZone(shape, group))
			return aggregated(query, answer, isZoned ? { types, notices, timeZone } : { types, notices })
		},
		explain: (session, { sql, ...read }, signal) =>
			explain(session, { ...limited(read, sql), isPlanOnly: false }, signal),
		readRow,
		async applyChanges(session, save, signal) {
			const asked = { pid: session.pid, statements: databases.consoleStatements }
			using watch = new BlockerWatch(during =>
				databases.using({ signal: during }, (other, signal) => blockerOf(other, asked, signal)),
			)
			return await applyChanges(session, { ...save, blocker: () => watch.last }, signal)
		},
		exportTable,
		importTable: (session, shape, options) => new TableImport(session, shape, options),
		consoleOf: namespace => console.of(namespace),
	}
}
