import { z } from 'zod'
import { JsonStore } from '../../../base/json-store.ts'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Clock } from '../protocol/clock.ts'

const grantSchema = z.object({
	grantee: z.string(),
	connectionId: z.string(),
	/** Identity of the connection when the user allowed it. A grant without one allows nothing. */
	identity: z.string().exactOptional(),
	grantedAt: z.iso.datetime(),
})
export type AccessGrant = Readonly<z.infer<typeof grantSchema>>

const fileSchema = z.object({ version: z.literal(1), grants: z.array(grantSchema) })
type GrantsFile = z.infer<typeof fileSchema>

/**
 * Permissions of tokens for connections whose AI policy is "ask". Stored in `access-grants.json` until they are
 * revoked.
 */
export class AccessGrants {
	readonly #store: JsonStore<GrantsFile>
	readonly #clock: Clock
	/** Grants of anonymous callers, until the host stops: the identity of the connection by key. */
	readonly #anonymous = new Map<string, string>()

	private constructor(store: JsonStore<GrantsFile>, clock: Clock) {
		this.#store = store
		this.#clock = clock
	}

	static async open(path: string, clock: Clock): Promise<AccessGrants> {
		return new AccessGrants(await JsonStore.open(path, fileSchema, { version: 1, grants: [] }), clock)
	}

	list(): readonly AccessGrant[] {
		return this.#store.value.grants
	}

	has({ grantee, tokenId }: Caller, connection: SavedConnection): boolean {
		const identity = identityOf(connection)
		if (tokenId === undefined) return this.#anonymous.get(keyOf(grantee, connection.id)) === identity
		return this.list().some(grant => grant.grantee === grantee && grant.identity === identity)
	}

	async add({ grantee, tokenId }: Caller, connection: SavedConnection): Promise<void> {
		const [connectionId, identity] = [connection.id, identityOf(connection)]
		if (tokenId === undefined) return void this.#anonymous.set(keyOf(grantee, connectionId), identity)
		const grant = { grantee, connectionId, identity, grantedAt: new Date(this.#clock.now()).toISOString() }
		await this.#store.update(file => ({ ...file, grants: [...file.grants, grant] }))
	}

	/** Removes the grants for connections that were changed or removed. */
	async retain(connections: readonly SavedConnection[]): Promise<void> {
		const current = new Set(connections.map(identityOf))
		const isCurrent = ({ identity }: AccessGrant) => identity !== undefined && current.has(identity)
		for (const [key, identity] of this.#anonymous) if (!current.has(identity)) this.#anonymous.delete(key)
		if (this.list().every(isCurrent)) return
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(isCurrent) }))
	}

	async revoke(grantee: string, connectionId: string): Promise<void> {
		const isOther = (grant: AccessGrant) => grant.grantee !== grantee || grant.connectionId !== connectionId
		this.#anonymous.delete(keyOf(grantee, connectionId))
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(isOther) }))
	}

	/** Removes all grants of a revoked token. */
	async forget(grantee: string): Promise<void> {
		if (!this.list().some(grant => grant.grantee === grantee)) return
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(grant => grant.grantee !== grantee) }))
	}
}

function keyOf(grantee: string, connectionId: string): string {
	return `${grantee}\n${connectionId}`
}
