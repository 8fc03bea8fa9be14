import { registryErrors } from '../format/errors.ts'
import { publisherName, revocationsRole, revocationsTarget } from '../format/format.ts'
import type { RoleDraft, TargetsDraft } from './drafts.ts'
import type { Repository } from './repository.ts'
import type { KeyDocument } from './signing-key.ts'
import { keyDocument, keyId } from './signing-key.ts'

/** The keys that sign for a role, and the threshold. */
export interface Signers {
	/** Ed25519 public keys in hexadecimal digits. */
	readonly publicKeys: readonly string[]
	readonly threshold: number
}

/** Adds a role's keys to `keys`, and returns the role. */
export function signersIn(keys: Record<string, KeyDocument>, { publicKeys, threshold }: Signers): RoleDraft {
	const documents = publicKeys.map(keyDocument)
	for (const document of documents) keys[keyId(document)] = document
	return { keyids: documents.map(keyId), threshold }
}

/** Delegates `role` in `targets` to these keys. They replace the keys of an existing role. */
export function delegateRole(repository: Repository, role: string, signers: Signers): void {
	repository.changeTargets('targets', draft => {
		const { keys, roles } = draft.delegations ?? { keys: {}, roles: [] }
		const paths = role === revocationsRole ? [revocationsTarget] : [`${role}/*/*`]
		const delegation = { name: role, paths, terminating: true, ...signersIn(keys, signers) }
		const isThere = roles.some(({ name }) => name === role)
		setDelegations(
			draft,
			keys,
			isThere ? roles.map(one => (one.name === role ? delegation : one)) : [...roles, delegation],
		)
	})
}

/** Delegates everything under a publisher's name to its keys. @throws HostError `registry/name_invalid` */
export function delegatePublisher(repository: Repository, publisher: string, signers: Signers): void {
	const { error } = publisherName.safeParse(publisher)
	if (error) {
		const reason = error.issues[0]?.message ?? ''
		throw registryErrors.make('name_invalid', { name: publisher, reason })
	}
	delegateRole(repository, publisher, signers)
}

/** Removes a publisher. Hosts then load nothing from it. */
export function dropPublisher(repository: Repository, publisher: string): void {
	if (!repository.delegations.includes(publisher) || publisher === revocationsRole)
		throw registryErrors.make('publisher_unknown', { publisher })
	repository.changeTargets('targets', draft => {
		const { keys, roles } = draft.delegations ?? { keys: {}, roles: [] }
		setDelegations(
			draft,
			keys,
			roles.filter(({ name }) => name !== publisher),
		)
	})
}

/** Removes keys that no role uses. */
function setDelegations(
	draft: TargetsDraft,
	keys: Record<string, KeyDocument>,
	roles: NonNullable<TargetsDraft['delegations']>['roles'],
): void {
	draft.delegations = { keys: usedOf(keys, roles), roles }
}

export function usedOf(keys: Record<string, KeyDocument>, roles: readonly RoleDraft[]): Record<string, KeyDocument> {
	const used = new Set(roles.flatMap(({ keyids }) => keyids))
	return Object.fromEntries(Object.entries(keys).filter(([id]) => used.has(id)))
}
