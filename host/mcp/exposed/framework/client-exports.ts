import { randomUUID } from 'node:crypto'
import type { KeptExport } from '../../../exports/export-file.ts'
import type { Caller } from '../../protocol/caller.ts'

/** A file that a client exported. */
export interface ClientExport {
	readonly connectionId: string
	/** The caller that exported it, and the only one that may read it (`Caller.grantee`). */
	readonly grantee: string
	readonly file: KeptExport
	readonly mimeType: string
	/** The columns that were hidden from clients, as JSON. */
	readonly hidden: string
}

/** Upper limit for each token, so that one token cannot evict the exports of another. */
const most = 200

/** The exports since the host started, in memory only. The files outlive the host, and belong to the user. */
export class ClientExports {
	readonly #byGrantee = new Map<string, Map<string, ClientExport>>()

	/** @returns the id of the export */
	add(exported: ClientExport): string {
		// Short, for models; it opens nothing to other callers.
		const id = randomUUID().slice(0, 8)
		const own = this.#byGrantee.get(exported.grantee) ?? new Map<string, ClientExport>()
		this.#byGrantee.set(exported.grantee, own.set(id, exported))
		const [oldest] = own.keys()
		if (own.size > most && oldest !== undefined) own.delete(oldest)
		return id
	}

	/** Returns an export of this caller from the connection. */
	find({ grantee }: Caller, connectionId: string, id: string): ClientExport | undefined {
		const found = this.#byGrantee.get(grantee)?.get(id)
		return found?.connectionId === connectionId ? found : undefined
	}

	/** Removes the exports of a revoked token. */
	forget(grantee: string): void {
		this.#byGrantee.delete(grantee)
	}
}
