import { Emitter } from '../../../base/emitter.ts'
import type { Caller } from '../../protocol/caller.ts'

/** One statement that an AI client ran. */
export interface RecentQuery {
	readonly connectionId: string
	/** Who ran it, and who alone may read it again (`Caller.grantee`). */
	readonly grantee: string
	readonly statement: string
	readonly access: 'read' | 'write' | 'destructive'
	readonly ranAt: string
	readonly tookMs: number
	readonly outcome: 'done' | 'failed'
}

/** Kept for each token, so that one that runs much pushes out nothing of another's. */
const most = 500

/**
 * What was run since the host started, in memory alone: statements may hold data, so none is written down, and none is
 * shown to another token than the one that ran it.
 */
export class RecentQueries {
	readonly #byGrantee = new Map<string, RecentQuery[]>()
	readonly #added = new Emitter<RecentQuery>()
	readonly onAdded = this.#added.on

	add(query: RecentQuery): void {
		const own = this.#byGrantee.get(query.grantee) ?? []
		this.#byGrantee.set(query.grantee, own)
		own.push(query)
		if (own.length > most) own.shift()
		this.#added.fire(query)
	}

	/** What this caller ran on the connection, the newest first. */
	of({ grantee }: Caller, connectionId: string, limit: number): readonly RecentQuery[] {
		return (this.#byGrantee.get(grantee) ?? [])
			.filter(query => query.connectionId === connectionId)
			.slice(-limit)
			.reverse()
	}

	/** A revoked token takes its history along. */
	forget(grantee: string): void {
		this.#byGrantee.delete(grantee)
	}
}
