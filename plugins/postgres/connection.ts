import {
	type Assessment,
	type Call,
	type Change,
	type Connection,
	type DatabaseObject,
	type FactSection,
	type FoundColumn,
	type GridQuery,
	type HiddenColumns,
	type HiddenPart,
	isDriverError,
	type PreviewOptions,
	type RawReading,
	type Table,
	type TableAction,
	type TableChange,
	type TableForm,
	type TableFormPlace,
	type TriedChange,
	type TypedQuery,
} from '@roundhouse/kit'
import { type Shapes, SqlConnection, type SqlEngine, type TextRow } from '@roundhouse/sql'
import { tableActions } from './actions/table-actions.ts'
import { type Databases, type ListedDatabase, listDatabases } from './catalog/databases.ts'
import type { Shape } from './catalog/shape.ts'
import { columnsNamed, listTables, mostColumns } from './catalog/tables.ts'
import { readCondition } from './console/read-condition.ts'
import type { SqlConsole } from './console/sql-console.ts'
import { tableStatements } from './definition/statements.ts'
import { placeOfForm, readTableForm } from './definition/table-form.ts'
import { tryChange } from './definition/try-change.ts'
import { cascadeComment, isTried, mayCascade } from './edit/cascades.ts'
import { changeSql, copiedSql } from './edit/change-sql.ts'
import { listObjects, objectFacts, objectPlace } from './facts/objects.ts'
import { serverFacts } from './facts/server-facts.ts'
import { tableFacts } from './facts/table-facts.ts'
import { partOf } from './hidden/closure.ts'
import { roleSql } from './hidden/restricted-role.ts'
import type { Login } from './settings.ts'
import { inline } from './sql/binding.ts'
import { conditionOf } from './sql/conditions.ts'
import { parseName } from './sql/names.ts'
import type { Query, Session } from './wire/session.ts'

interface Parts {
	readonly databases: Databases
	readonly login: Login
	readonly shapes: Shapes<Shape>
	readonly console: SqlConsole
	readonly engine: SqlEngine<Session, Shape, Query, TextRow>
}

/** An open connection: what the SQL layer does, and what only PostgreSQL has. */
export class PostgresConnection extends SqlConnection<Session, Shape, Query, TextRow> implements Connection {
	readonly #databases: Databases
	readonly #login: Login
	readonly #shapes: Shapes<Shape>
	readonly #sql: SqlConsole
	readonly #engine: Parts['engine']
	/** Databases whose tables could not be listed, with the reason. */
	readonly #unlisted = new Map<string, string>()

	constructor({ databases, login, shapes, console, engine }: Parts) {
		super(engine)
		this.#databases = databases
		this.#login = login
		this.#shapes = shapes
		this.#sql = console
		this.#engine = engine
	}

	override get console(): SqlConsole {
		return this.#sql
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

	async hiddenPart(table: string, hidden: readonly HiddenColumns[], call: Call): Promise<HiddenPart> {
		const place = parseName(table)
		return partOf(await this.#sql.of({ database: place.database }).closureOf(hidden, call), place)
	}

	async restrictedLogin(hidden: readonly HiddenColumns[], call: Call): Promise<string> {
		const closure = await this.#sql.closureOf(hidden, call)
		return this.#databases.using(call, (session, signal) => roleSql(session, closure, signal))
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

	readTableForm(at: TableFormPlace, call: Call): Promise<TableForm> {
		// The first level is the database if all of them are listed.
		const isOfDatabase = this.#login.listsAllDatabases && 'path' in at && at.path.length === 1
		const place = placeOfForm(isOfDatabase ? { path: [...at.path, 'public'] } : at, this.#databases.main)
		const levels = this.#login.listsAllDatabases ? [place.database ?? this.#databases.main] : []
		const form = { place, path: [...levels, place.schema], isNew: !('table' in at) }
		const read = (session: Session, signal: AbortSignal) => readTableForm(session, form, signal)
		return this.#databases.using(call, read, place.database)
	}

	async tableStatements(change: TableChange): Promise<readonly string[]> {
		return tableStatements(change)
	}

	async tryTableChange(change: TableChange, { signal }: Call): Promise<TriedChange> {
		const [, database] = change.after.path.toReversed()
		// Types and functions without a schema are those of the console, in which the statements run.
		const session = await this.#databases.openForUser(signal, database)
		try {
			return await tryChange(session, change, signal)
		} finally {
			session.close()
		}
	}

	async readRawQuery(table: string, typed: TypedQuery, call: Call): Promise<RawReading> {
		return readCondition(typed, {
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
		return conditionOf(await this.#shapes.of(query.table, call), query, inline) ?? 'true'
	}

	async previewChanges(
		table: string,
		changes: readonly Change[],
		call: Call,
		{ isForCopy = false }: PreviewOptions = {},
	): Promise<readonly string[]> {
		const shape = await this.#shapes.of(table, call)
		if (isForCopy) return changes.map(change => copiedSql(shape, change))
		const statements = changes.map(change => changeSql(shape, change))
		const deletions = statements.filter((_, at) => changes[at]?.kind === 'delete')
		if (deletions.length === 0 || !mayCascade(shape)) return statements
		const tried = isTried(shape, deletions.length) ? deletions : []
		const effect = await this.#sql.of({ database: shape.place.database }).tried(tried, call)
		const comment = cascadeComment(shape, effect, deletions.length)
		const last = changes.findLastIndex(({ kind }) => kind === 'delete')
		return statements.map((sql, at) => (at === last && comment !== undefined ? `${sql}\n${comment}` : sql))
	}

	/** A client's changes name their rows. What triggers, rules and keys do beside them is not tried. */
	async assessChanges(table: string, changes: readonly Change[], call: Call): Promise<Assessment> {
		const shape = await this.#shapes.of(table, call)
		const samples = [...Map.groupBy(changes, ({ kind }) => kind).values()].flatMap(([one]) => one ?? [])
		const statements = samples.map(change => changeSql(shape, change))
		const unrehearsed = await this.#sql.of({ database: shape.place.database }).reachOfChanges(statements, call)
		if (unrehearsed !== undefined) return { unrehearsed }
		const referred = shape.referrers.flatMap(({ columns }) => columns)
		const changesKey = changes.some(one => one.kind === 'update' && referred.some(name => Object.hasOwn(one.set, name)))
		return changesKey ? { unrehearsed: 'Rows of other tables refer to what it changes.' } : {}
	}

	async readFacts(table: string | undefined, call: Call): Promise<readonly FactSection[]> {
		if (table === undefined) {
			const read = (session: Session, signal: AbortSignal) =>
				serverFacts(session, this.#databases.consoleStatements, signal)
			return [...(await this.#databases.using(call, read)), ...this.#unlistedFacts()]
		}
		const read = (session: Session, signal: AbortSignal) => tableFacts(session, table, signal)
		return this.#databases.using(call, read, parseName(table).database)
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
}

type List<T> = (session: Session, database: ListedDatabase, signal: AbortSignal) => Promise<readonly T[]>
