import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Clock } from '../protocol/clock.ts'

const grantSchema = z.object({ grantee: z.string(), connectionId: z.string(), grantedAt: z.iso.datetime() })
export type AccessGrant = Readonly<z.infer<typeof grantSchema>>

const fileSchema = z.object({ version: z.literal(1), grants: z.array(grantSchema) })
type GrantsFile = z.infer<typeof fileSchema>

/** Which token may use which connection whose AI policy is "ask", in `access-grants.json`; kept until it is revoked. */
export class AccessGrants {
	readonly #store: JsonStore<GrantsFile>
	readonly #clock: Clock
	/** Anonymous callers are remembered until the host stops. */
	readonly #anonymous = new Set<string>()

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

	has({ grantee, tokenId }: Caller, connectionId: string): boolean {
		if (tokenId === undefined) return this.#anonymous.has(keyOf(grantee, connectionId))
		return this.list().some(grant => grant.grantee === grantee && grant.connectionId === connectionId)
	}

	async add({ grantee, tokenId }: Caller, connectionId: string): Promise<void> {
		if (tokenId === undefined) return void this.#anonymous.add(keyOf(grantee, connectionId))
		const grant = { grantee, connectionId, grantedAt: new Date(this.#clock.now()).toISOString() }
		await this.#store.update(file => ({ ...file, grants: [...file.grants, grant] }))
	}

	async revoke(grantee: string, connectionId: string): Promise<void> {
		const isOther = (grant: AccessGrant) => grant.grantee !== grantee || grant.connectionId !== connectionId
		this.#anonymous.delete(keyOf(grantee, connectionId))
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(isOther) }))
	}

	/** A revoked token takes its grants along. */
	async forget(grantee: string): Promise<void> {
		if (!this.list().some(grant => grant.grantee === grantee)) return
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(grant => grant.grantee !== grantee) }))
	}
}

function keyOf(grantee: string, connectionId: string): string {
	return `${grantee}\n${connectionId}`
}
