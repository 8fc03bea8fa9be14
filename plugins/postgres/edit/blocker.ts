import { setTimeout as delay } from 'node:timers/promises'
import { applicationSql, beginningOf } from '../facts/server-facts.ts'
import type { Session } from '../wire/session.ts'

/** Which session has the lock that a save waits for. After the save has given up, the server no longer knows. */

/** What a console ran last, by the PID of its session. The server would name a query of this driver that came later. */
export type ConsoleStatements = ReadonlyMap<string, string>

/** Returns the session that another one waits for, in words, or nothing if it waits for none. */
export async function blockerOf(
	session: Session,
	{ pid, statements }: { readonly pid: number; readonly statements: ConsoleStatements },
	signal: AbortSignal,
): Promise<string | undefined> {
	const sql = `
select b.pid, b.usename, ${applicationSql('b')}, b.state, ${beginningOf('b.query', 200)}
from unnest(pg_blocking_pids($1::int)) blocker(pid) join pg_stat_activity b on b.pid = blocker.pid limit 1`
	const { rows } = await session.read({ sql, values: [String(pid)] }, signal)
	const [holder, user, application, state, query] = rows[0] ?? []
	if (holder == null) return undefined
	const who = [`PID ${holder}`, `user ${user}`, application, state].filter(Boolean).join(', ')
	const said = statements.get(holder) ?? query
	return said ? `${who}; its last statement: ${said}` : who
}

/** Looks again and again whom a save waits for. A save that is done soon is not looked at. */
export class BlockerWatch implements Disposable {
	readonly #abort = new AbortController()
	#last: string | undefined

	constructor(find: (signal: AbortSignal) => Promise<string | undefined>) {
		void this.#watch(find)
	}

	/** The session that was found last. */
	get last(): string | undefined {
		return this.#last
	}

	async #watch(find: (signal: AbortSignal) => Promise<string | undefined>): Promise<void> {
		const { signal } = this.#abort
		try {
			for (let waitMs = 100; ; waitMs = 1_000) {
				await delay(waitMs, undefined, { signal })
				this.#last = (await find(signal)) ?? this.#last
			}
		} catch {
			// The save has ended, or the user may not see other sessions. The message then names none.
		}
	}

	[Symbol.dispose](): void {
		this.#abort.abort()
	}
}
