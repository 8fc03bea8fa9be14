import { type Call, cutText, type DriverContext, DriverError, Pool } from '@roundhouse/kit'
import { ClientTurns } from '@roundhouse/sql'
import type { Login } from '../settings.ts'
import { literal } from '../sql/names.ts'
import { openSession } from '../wire/open-session.ts'
import type { Session } from '../wire/session.ts'

/** Sessions for each database of the server that is used. A session of PostgreSQL cannot change its database. */
export class Databases {
	readonly #login: Login
	readonly #context: DriverContext
	readonly #pools = new Map<string, Pool<Session>>()
	readonly #turns: ClientTurns
	readonly #statements = new Map<string, string>()
	#isClosed = false
	/** Of all sessions but those of consoles, so that a filter and a group mean the same day. */
	#timeZone: string | undefined

	constructor(login: Login, context: DriverContext) {
		this.#login = login
		this.#context = context
		this.#turns = new ClientTurns(login.mostSessions, context)
	}

	/** The database of the connection. */
	get main(): string {
		return this.#login.database
	}

	/** Sets the zone of the sessions that are opened from now on, also in other databases. */
	keepTimeZone(zone: string): void {
		this.#timeZone = zone
	}

	/**
	 * Runs work on a session that no other call has. @param database default: that of the connection @param schema the first
	 * one that the user's statements search
	 */
	using<T>(
		{ signal }: Pick<Call, 'signal'>,
		work: (session: Session, signal: AbortSignal) => Promise<T>,
		database = this.main,
		schema?: string,
	): Promise<T> {
		const pool = this.#poolOf(database, schema)
		return this.#turns.run(() => pool.use(session => work(session, signal), signal), { signal })
	}

	/** What each console ran last, by the PID of its session. */
	get consoleStatements(): ReadonlyMap<string, string> {
		return this.#statements
	}

	/** Notes what a console runs, or with `undefined` that its session is closed. */
	noteStatement({ pid }: Session, text: string | undefined): void {
		if (text === undefined) this.#statements.delete(String(pid))
		else this.#statements.set(String(pid), cutText(text.replace(/\s+/g, ' '), 200))
	}

	/** Opens a separate session with the search path of the user, for one console. The caller closes it. */
	openForUser(signal: AbortSignal, database = this.main, schema?: string): Promise<Session> {
		return openSession({ ...this.#login, database, schema }, this.#context, signal, { path: 'user' })
	}

	/** Opens a separate session for one transfer. The caller closes it. */
	open(signal: AbortSignal, database = this.main, schema?: string): Promise<Session> {
		return openSession({ ...this.#login, database, schema }, this.#context, signal, {
			path: 'own',
			settings: this.#settings(),
		})
	}

	/** Opens a session without JIT: compiling a query of the catalogs takes ten times as long as running it. */
	openUncompiled(signal: AbortSignal, database: string, schema?: string): Promise<Session> {
		return openSession({ ...this.#login, database, schema }, this.#context, signal, {
			path: 'own',
			settings: ['set jit to off', ...this.#settings()],
		})
	}

	#settings(): readonly string[] {
		return this.#timeZone === undefined ? [] : [`set timezone to ${literal(this.#timeZone)}`]
	}

	async close(): Promise<void> {
		this.#isClosed = true
		await Promise.all([this.#turns, ...this.#pools.values()].map(pool => pool.close()))
	}

	#poolOf(database: string, schema: string | undefined): Pool<Session> {
		if (this.#isClosed) throw new DriverError('not_connected', 'The connection was closed.')
		const key = JSON.stringify([database, schema])
		const known = this.#pools.get(key)
		if (known) return known
		const pool = new Pool<Session>({
			most: this.#login.mostSessions,
			open: signal => this.openUncompiled(signal, database, schema),
			close: session => session.close(),
			isUsable: session => session.isUsable && session.transaction === undefined,
		})
		this.#pools.set(key, pool)
		return pool
	}
}

/** A database whose tables or objects are listed. */
export interface ListedDatabase {
	/** Set for another database than that of the connection: it is a part of the names. */
	readonly database: string | undefined
	/** The levels above the schemas. */
	readonly levels: readonly string[]
}

/** Databases of the server that the user may open, except templates. */
export async function listDatabases(session: Session, signal: AbortSignal): Promise<readonly string[]> {
	const sql = `select datname from pg_database where datallowconn and not datistemplate and has_database_privilege(oid, 'connect') order by datname`
	const { rows } = await session.read({ sql }, signal)
	return rows.map(([name]) => name ?? '')
}
