import { type Call, type DriverContext, Pool } from '@roundhouse/kit'
import { ClientTurns } from '@roundhouse/sql'
import type { Login } from '../settings.ts'
import { openSession } from '../wire/open-session.ts'
import type { Session } from '../wire/session.ts'

/** The sessions of a connection. All names of the driver have their database, so one pool serves all databases. */
export class Sessions {
	readonly #login: Login
	readonly #context: DriverContext
	readonly #pool: Pool<Session>
	/** Pools of the sessions in other databases, in which a console looks up names. */
	readonly #others = new Map<string, Pool<Session>>()
	readonly #turns: ClientTurns

	constructor(login: Login, context: DriverContext) {
		this.#login = login
		this.#context = context
		this.#pool = this.#poolOf(login.database)
		this.#turns = new ClientTurns(login.mostSessions, context)
	}

	/** The database of the connection. */
	get main(): string | undefined {
		return this.#login.database
	}

	/** Runs work on a session that no other call has. */
	using<T>(
		{ signal }: Pick<Call, 'signal'>,
		work: (session: Session, signal: AbortSignal) => Promise<T>,
		database = this.main,
	): Promise<T> {
		return this.#turns.run(() => this.#in(database).use(session => work(session, signal), signal), { signal })
	}

	/** Opens a separate session with the settings of the server, for one console. The caller closes it. */
	openForUser(signal: AbortSignal, database = this.main): Promise<Session> {
		return openSession({ ...this.#login, database }, this.#context, signal, 'user')
	}

	/** Opens a separate session for one transfer. The caller closes it. */
	open(signal: AbortSignal): Promise<Session> {
		return openSession(this.#login, this.#context, signal, 'driver')
	}

	async close(): Promise<void> {
		await Promise.all([this.#turns, this.#pool, ...this.#others.values()].map(pool => pool.close()))
	}

	#in(database: string | undefined): Pool<Session> {
		if (database === undefined || database === this.main) return this.#pool
		const pool = this.#others.get(database) ?? this.#poolOf(database)
		this.#others.set(database, pool)
		return pool
	}

	#poolOf(database: string | undefined): Pool<Session> {
		return new Pool<Session>({
			most: this.#login.mostSessions,
			open: signal => openSession({ ...this.#login, database }, this.#context, signal, 'driver'),
			close: session => session.close(),
			isUsable: session => session.isUsable && session.transaction === undefined,
		})
	}
}
