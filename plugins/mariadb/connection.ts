import {
	type Assessment,
	type Call,
	type Change,
	type Connection,
	type DatabaseObject,
	DriverError,
	type FactSection,
	type FoundColumn,
	type GridQuery,
	type HiddenColumns,
	type RawReading,
	type Table,
	type TableAction,
	type TableChange,
	type TableForm,
	type TableFormPlace,
	type TriedChange,
	type TypedQuery,
} from '@roundhouse/kit'
import { type RawRow, readCondition, type Shapes, SqlConnection, type SqlEngine } from '@roundhouse/sql'
import { tableActions } from './actions/table-actions.ts'
import { listDatabases } from './catalog/databases.ts'
import type { Sessions } from './catalog/sessions.ts'
import type { Shape } from './catalog/shape.ts'
import { columnsNamed, listTables } from './catalog/tables.ts'
import { completingIn } from './console/complete.ts'
import { tableStatements } from './definition/statements.ts'
import { readTableForm } from './definition/table-form.ts'
import { tryChange } from './definition/try-change.ts'
import { changeSql } from './edit/change-sql.ts'
import { listObjects, readObject } from './facts/objects.ts'
import { serverFacts } from './facts/server-facts.ts'
import { tableFacts } from './facts/table-facts.ts'
import { userSql } from './hidden/restricted-user.ts'
import { reachOfChanges } from './judge/rehearsable.ts'
import { conditionOf } from './sql/conditions.ts'
import { parseName, type QualifiedName } from './sql/names.ts'
import type { Session } from './wire/session.ts'

interface Parts {
	readonly sessions: Sessions
	readonly shapes: Shapes<Shape>
	readonly engine: SqlEngine<Session, Shape>
	/** Whether an AI client makes the call. */
	readonly isForClient: () => boolean
}

/** An open connection: what the SQL layer does, and what only MariaDB and MySQL have. */
export class MariadbConnection extends SqlConnection<Session, Shape, never, RawRow> implements Connection {
	readonly #sessions: Sessions
	readonly #shapes: Shapes<Shape>
	readonly #engine: SqlEngine<Session, Shape>
	readonly #isForClient: () => boolean

	constructor({ sessions, shapes, engine, isForClient }: Parts) {
		super(engine)
		this.#sessions = sessions
		this.#shapes = shapes
		this.#engine = engine
		this.#isForClient = isForClient
	}

	listTables(call: Call): Promise<readonly Table[]> {
		const { main } = this.#sessions
		return this.#sessions.using(call, (session, signal) => listTables(session, main, signal))
	}

	restrictedLogin(hidden: readonly HiddenColumns[], call: Call): Promise<string> {
		const { main } = this.#sessions
		return this.#sessions.using(call, (session, signal) => userSql(session, { hidden, main }, signal))
	}

	findColumns(text: string, call: Call): Promise<readonly FoundColumn[]> {
		const { main } = this.#sessions
		return this.#sessions.using(call, (session, signal) => columnsNamed(session, { text, database: main }, signal))
	}

	async tableActions(names: readonly string[], call: Call): Promise<readonly TableAction[]> {
		if (names.length === 0) return tableActions([])
		const known = new Map((await this.listTables(call)).map(table => [table.name, table]))
		return tableActions(names.map(name => known.get(name) ?? { name }))
	}

	async readTableForm(at: TableFormPlace, call: Call): Promise<TableForm> {
		const place = this.#placeOfForm(at)
		return this.#sessions.using(call, (session, signal) => readTableForm(session, place, signal))
	}

	/** Returns where a form begins. A new table without a level is one of the database of the connection. */
	#placeOfForm(at: TableFormPlace): QualifiedName {
		if ('table' in at) return parseName(at.table, this.#sessions.main)
		const database = at.path.at(-1) ?? this.#sessions.main
		if (database === undefined) throw new DriverError('invalid_argument', 'Choose the database of the new table.')
		return { database, table: '' }
	}

	async tableStatements(change: TableChange): Promise<readonly string[]> {
		return tableStatements(change)
	}

	async tryTableChange(change: TableChange, { signal }: Call): Promise<TriedChange> {
		const session = await this.#sessions.open(signal)
		try {
			return await tryChange(session, change, signal)
		} finally {
			session.close()
		}
	}

	async readRawQuery(table: string, typed: TypedQuery, call: Call): Promise<RawReading> {
		return readCondition(typed, {
			completing: completingIn(this.#sessions.main),
			columns: (await this.#shapes.of(table, call)).columns,
			check: async raw => void (await this.#engine.checkRead({ table, raw }, call)),
			top: async (filters, column, limit) => {
				const asked = { table, filters, match: 'all', groups: [{ column }], measures: [], limit } as const
				return (await this.aggregateRows(asked, call)).rows.flatMap(([cell]) => cell ?? [])
			},
		})
	}

	async filterText(query: Omit<GridQuery, 'sort'>, call: Call): Promise<string> {
		await this.#engine.checkRead(query, call)
		return conditionOf(await this.#shapes.of(query.table, call), query) ?? 'true'
	}

	async previewChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly string[]> {
		const shape = await this.#shapes.of(table, call)
		const statements = changes.map(change => changeSql(shape, change))
		const comments = [
			...(shape.isTransactional
				? []
				: [`-- ${shape.engine ?? 'This engine'} stores each change at once. None is rolled back.`]),
			...(changes.some(({ kind }) => kind === 'delete') && shape.cascadesTo.length > 0
				? [`-- This also deletes or changes rows of ${shape.cascadesTo.join(', ')}. Undo does not bring that back.`]
				: []),
		]
		return statements.map((sql, at) => (at === statements.length - 1 ? [sql, ...comments].join('\n') : sql))
	}

	/** A client's changes name their rows. What triggers and keys do beside them is not tried. */
	async assessChanges(table: string, changes: readonly Change[], call: Call): Promise<Assessment> {
		if (!this.#isForClient()) return {}
		const { place } = await this.#shapes.of(table, call)
		const kinds = [...new Set(changes.map(({ kind }) => kind))]
		const unrehearsed = await this.#sessions.using(call, (session, signal) =>
			reachOfChanges(session, { place, kinds }, signal),
		)
		return unrehearsed === undefined ? {} : { unrehearsed }
	}

	listObjects(call: Call): Promise<readonly DatabaseObject[]> {
		const { main } = this.#sessions
		return this.#sessions.using(call, (session, signal) => listObjects(session, main, signal))
	}

	readFacts(table: string | undefined, call: Call): Promise<readonly FactSection[]> {
		const read = (session: Session, signal: AbortSignal) =>
			table === undefined
				? serverFacts(session, signal)
				: tableFacts(session, parseName(table, this.#sessions.main), signal)
		return this.#sessions.using(call, read)
	}

	readObject(name: string, call: Call): Promise<readonly FactSection[]> {
		return this.#sessions.using(call, (session, signal) => readObject(session, name, signal))
	}

	async listDatabases(call: Call): Promise<readonly string[]> {
		const { main } = this.#sessions
		const names = await this.#sessions.using(call, listDatabases)
		return [main ?? '', ...names.filter(name => name !== main)]
	}
}
