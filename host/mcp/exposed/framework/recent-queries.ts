import { cutText } from '@roundhouse/kit'
import { Emitter } from '../../../../base/emitter.ts'
import type { Caller } from '../../protocol/caller.ts'

/** One statement that an AI client ran. */
export interface RecentQuery {
	readonly connectionId: string
	/** The caller that ran it, and the only one that may read it (`Caller.grantee`). */
	readonly grantee: string
	/** Cut if it is long. */
	readonly statement: string
	readonly access: 'read' | 'write' | 'destructive'
	readonly ranAt: string
	readonly tookMs: number
	readonly outcome: 'done' | 'failed'
	/** The columns that were hidden from clients, as JSON. */
	readonly hidden: string
}

/** A query as its caller may read it. */
export type ShownQuery = Omit<RecentQuery, 'grantee' | 'hidden'>

/** In place of a statement that may have a value of a column that was hidden later, such as that of an undo. */
const withheld = 'Not shown: the hidden columns of this connection have changed since.'

/** Upper limit for each token, so that one token cannot evict the queries of another. */
const most = 500
/** Upper limit of characters of each statement. */
const maxKept = 2_000

/**
 * The queries since the host started. In memory only, because statements may contain data. A token sees only its own
 * queries.
 */
export class RecentQueries {
	readonly #byGrantee = new Map<string, RecentQuery[]>()
	readonly #added = new Emitter<RecentQuery>()
	readonly onAdded = this.#added.on

	add(query: RecentQuery): void {
		const own = this.#byGrantee.get(query.grantee) ?? []
		this.#byGrantee.set(query.grantee, own)
		own.push({ ...query, statement: cutText(query.statement, maxKept) })
		if (own.length > most) own.shift()
		this.#added.fire(query)
	}

	/** Returns the queries of this caller on the connection, newest first. @param hidden the hidden columns, as they are now */
	of({ grantee }: Caller, connectionId: string, hidden: string): readonly ShownQuery[] {
		return (this.#byGrantee.get(grantee) ?? [])
			.filter(query => query.connectionId === connectionId)
			.map(({ grantee: _, hidden: then, ...query }) => (then === hidden ? query : { ...query, statement: withheld }))
			.reverse()
	}

	/** Returns what an answer says that has only some of the queries of this caller. */
	restWords({ grantee }: Caller, shown: number, all: number): string | undefined {
		const words = [
			...(shown < all ? [`The newest ${shown} of ${all} statements.`] : []),
			...(this.#byGrantee.get(grantee)?.length === most ? [`The last ${most} of all connections are kept.`] : []),
		]
		return words.length > 0 ? words.join(' ') : undefined
	}

	/** Removes the queries of a revoked token. */
	forget(grantee: string): void {
		this.#byGrantee.delete(grantee)
	}
}
