import {
	type Call,
	type Change,
	type Connection,
	type DriverContext,
	DriverError,
	type FactSection,
	type GridQuery,
	isDriverError,
	type RawReading,
	type Table,
	type TypedQuery,
} from '@roundhouse/kit'
import { Shapes } from '../catalog/shapes.ts'
import { readCondition } from '../completion/condition.ts'
import { SqlConnection, type SqlEngine, type TableShape } from '../connection.ts'
import { requireOneCondition } from '../text/one-condition.ts'
import type { TextRow } from '../text/session.ts'
import { aggregated, aggregateSql } from './aggregate.ts'
import { completingIn, consoleOf } from './console.ts'
import type { Dialect, DialectSession, DialectTable } from './dialect.ts'
import { conditionOf, whereOf } from './rows.ts'
import { countRows, exportTable, frequentValues, gridTable, readRow } from './table-rows.ts'

type Shape = DialectTable & TableShape

/** Returns a connection that reads. */
export const connectionOf = <Session extends DialectSession>(
	dialect: Dialect<Session>,
	context: Pick<DriverContext, 'permitted'>,
): Connection => new DialectConnection(dialect, context)

class DialectConnection<Session extends DialectSession>
	extends SqlConnection<Session, Shape, never, TextRow>
	implements Connection
{
	readonly #dialect: Dialect<Session>
	readonly #engine: SqlEngine<Session, Shape, never, TextRow>

	constructor(dialect: Dialect<Session>, context: Pick<DriverContext, 'permitted'>) {
		const engine = engineOf(dialect, context)
		super(engine)
		this.#dialect = dialect
		this.#engine = engine
	}

	listTables(call: Call): Promise<readonly Table[]> {
		const { sessions, listTables, readsOnly } = this.#dialect
		return sessions.using(call, async (session, signal) => {
			const cannot = { insert: readsOnly, update: readsOnly, delete: readsOnly }
			return (await listTables(session, signal)).map(table => ({ cannot, ...table }))
		})
	}

	readFacts(table: string | undefined, call: Call): Promise<readonly FactSection[]> {
		const { sessions, facts } = this.#dialect
		return sessions.using(call, (session, signal) => facts(session, table, signal))
	}

	async filterText(query: Omit<GridQuery, 'sort'>, call: Call): Promise<string> {
		await this.#engine.checkRead(query, call)
		return conditionOf(this.#dialect, await this.#engine.shapes.of(query.table, call), query) ?? '1 = 1'
	}

	async readRawQuery(table: string, typed: TypedQuery, call: Call): Promise<RawReading> {
		const shape = await this.#engine.shapes.of(table, call)
		return readCondition(typed, {
			completing: completingIn(this.#dialect),
			columns: shape.columns,
			check: async raw => void (await this.#engine.checkRead({ table, raw }, call)),
			top: (filters, column, limit) =>
				this.#dialect.sessions.using(call, (session, signal) =>
					frequentValues(this.#dialect, { session, table: shape, filters, column, limit }, signal),
				),
		})
	}

	async previewChanges(_table: string, _changes: readonly Change[], _call: Call): Promise<readonly string[]> {
		throw new DriverError('unsupported', this.#dialect.readsOnly)
	}
}

function engineOf<Session extends DialectSession>(
	dialect: Dialect<Session>,
	context: Pick<DriverContext, 'permitted'>,
): SqlEngine<Session, Shape, never, TextRow> {
	const { sessions, language, readsOnly } = dialect
	const console = consoleOf(dialect, context)
	const refuse = (): never => {
		throw new DriverError('unsupported', readsOnly)
	}
	return {
		info: dialect.info,
		sessions,
		shapes: new Shapes<Shape>({
			read: (name, call) =>
				sessions.using(call, async (session, signal) => ({
					comment: undefined,
					...(await dialect.describe(session, name, signal)),
					signature: 'read',
					estimatedRows: -1,
				})),
			signature: async ({ signature }) => signature,
			changed: new Set(),
		}),
		limitRows: () => undefined,
		async checkRead({ raw, table }, call) {
			if (!raw?.trim()) return undefined
			requireOneCondition(raw, language.lexer)
			const { from } = await sessions.using(call, (session, signal) => dialect.describe(session, table, signal))
			const sql = `select 1 from ${from} where (${raw}\n)`
			const judging = sessions.using(call, (session, signal) => dialect.judge(session, sql, signal))
			const { access } = await judging.catch(error => {
				throw isDriverError(error) ? new DriverError('invalid_argument', error.message) : error
			})
			if (access !== 'read') throw new DriverError('invalid_argument', `The condition may change data. ${readsOnly}`)
			return undefined
		},
		refuseExpensive: async () => {},
		databaseOf: () => undefined,
		columnsOf: ({ columns }) => columns,
		indexesOf: async (_, { indexes }) => indexes,
		gridTable: ({ shape, query }) => gridTable(dialect, shape, query),
		notices: () => [],
		count: (session, { shape, query }, signal) =>
			countRows(session, `from ${shape.from}${whereOf(dialect, shape, query)}`, signal),
		aggregateSql: (shape, query) => ({ sql: aggregateSql(dialect, shape, query) }),
		async aggregate(session, { shape, query, sql }, signal) {
			return aggregated(dialect, shape, { query, rows: await session.read(sql.sql, signal) })
		},
		explain: (session, { sql }, signal) => dialect.explain(session, sql.sql, signal),
		readRow: (session, { shape, id }, signal) => readRow(dialect, { session, table: shape, id }, signal),
		applyChanges: async () => refuse(),
		exportTable: (session, { shape, query, options }) =>
			exportTable(dialect, session, { table: shape, query, options }),
		importTable: refuse,
		consoleOf: () => console,
	}
}
