import { type Metadata, MetadataKind, type Root, type Targets } from '@tufjs/models'
import { registryErrors } from './errors.ts'
import type { KeyRing } from './key-folder.ts'
import type { SignedMetadata } from './signing-key.ts'

/** Root or targets: who says whose keys sign for a role. */
export type Delegator = Metadata<Root> | Metadata<Targets>

/** A role's delegator as it is published, and as it will be. Mostly they are one. */
export interface Delegators {
	readonly before: Delegator
	readonly now: Delegator
}

/** Whether enough of the role's keys have signed. */
export function vouches(delegator: Delegator, role: string, metadata: SignedMetadata): boolean {
	try {
		delegator.verifyDelegate(role, metadata)
		return true
	} catch {
		return false
	}
}

/** Whose signatures a role needs, by the id of their keys; `undefined` where it is not delegated. */
export function signersOf({ signed }: Delegator, role: string) {
	return signed.type === MetadataKind.Root ? signed.roles[role] : signed.delegations?.roles?.[role]
}

export function canSign(delegator: Delegator, role: string, keys: KeyRing): boolean {
	const signers = signersOf(delegator, role)
	return signers !== undefined && signers.keyIDs.filter(id => keys.has(id)).length >= signers.threshold
}

/** @throws HostError `registry/keys_missing` */
export function requireKeys(role: string, { before, now }: Delegators, keys: KeyRing): void {
	// A root is taken only where the root before it agrees.
	for (const delegator of role === 'root' ? [before, now] : [now]) {
		if (canSign(delegator, role, keys)) continue
		const { keyIDs = [], threshold = 1 } = signersOf(delegator, role) ?? {}
		const found = keyIDs.filter(id => keys.has(id)).length
		throw registryErrors.make('keys_missing', { role, needed: threshold, found })
	}
}

/**
 * Signs with every key at hand that the role has or had: while keys change hands, readers on both sides take it.
 * @throws HostError `registry/keys_missing`
 */
export function sign(role: string, metadata: SignedMetadata, keys: KeyRing, delegators: Delegators): void {
	requireKeys(role, delegators, keys)
	for (const delegator of [delegators.before, delegators.now])
		for (const id of signersOf(delegator, role)?.keyIDs ?? []) keys.get(id)?.sign(metadata)
}
