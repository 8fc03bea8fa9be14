import type { RoleDraft, TargetsDraft } from './drafts.ts'
import { registryErrors } from './errors.ts'
import { publisherName, revocationsRole, revocationsTarget } from './format.ts'
import type { Repository } from './repository.ts'
import type { KeyDocument } from './signing-key.ts'
import { keyDocument, keyId } from './signing-key.ts'

/** Whose keys sign for a role, and how many of them must. */
export interface Signers {
	/** Ed25519 public keys in hexadecimal digits. */
	readonly publicKeys: readonly string[]
	readonly threshold: number
}

/** A role's keys, entered among `keys`. */
export function signersIn(keys: Record<string, KeyDocument>, { publicKeys, threshold }: Signers): RoleDraft {
	const documents = publicKeys.map(keyDocument)
	for (const document of documents) keys[keyId(document)] = document
	return { keyids: documents.map(keyId), threshold }
}

/** Says in `targets` who signs for `role`; a role that is there gets these keys instead of its own. */
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

/** Lets a publisher sign for all under its name. @throws HostError `registry/name_invalid` */
export function delegatePublisher(repository: Repository, publisher: string, signers: Signers): void {
	const { error } = publisherName.safeParse(publisher)
	if (error) {
		const reason = error.issues[0]?.message ?? ''
		throw registryErrors.make('name_invalid', { name: publisher, reason })
	}
	delegateRole(repository, publisher, signers)
}

/** Takes a publisher out: hosts load nothing of it any more. */
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

/** Keys of no role are left out. */
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
