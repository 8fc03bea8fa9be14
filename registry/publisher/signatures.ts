import { type Metadata, MetadataKind, type Root, type Targets } from '@tufjs/models'
import { registryErrors } from '../format/errors.ts'
import type { KeyRing } from './key-folder.ts'
import type { SignedMetadata } from './signing-key.ts'

/** Root or targets: the metadata that says which keys sign for a role. */
export type Delegator = Metadata<Root> | Metadata<Targets>

/** A role's delegator as published, and as it will be. Usually both are the same. */
export interface Delegators {
	readonly before: Delegator
	readonly now: Delegator
}

/** Returns whether a threshold of the role's keys has signed. */
export function isSigned(delegator: Delegator, role: string, metadata: SignedMetadata): boolean {
	try {
		delegator.verifyDelegate(role, metadata)
		return true
	} catch {
		return false
	}
}

/** Returns the ids and the threshold of a role's keys, or `undefined` if the role is not delegated. */
export function signersOf({ signed }: Delegator, role: string) {
	return signed.type === MetadataKind.Root ? signed.roles[role] : signed.delegations?.roles?.[role]
}

export function canSign(delegator: Delegator, role: string, keys: KeyRing): boolean {
	const signers = signersOf(delegator, role)
	return signers !== undefined && signers.keyIDs.filter(id => keys.has(id)).length >= signers.threshold
}

/** @throws HostError `registry/keys_missing` */
export function requireKeys(role: string, { before, now }: Delegators, keys: KeyRing): void {
	// Readers accept a new root only if the previous root's keys have also signed it.
	for (const delegator of role === 'root' ? [before, now] : [now]) {
		if (canSign(delegator, role, keys)) continue
		const { keyIDs = [], threshold = 1 } = signersOf(delegator, role) ?? {}
		const found = keyIDs.filter(id => keys.has(id)).length
		throw registryErrors.make('keys_missing', { role, needed: threshold, found })
	}
}

/**
 * Signs with every available key that the role has or had, so that readers accept it before and after a change of keys.
 * @throws HostError `registry/keys_missing`
 */
export function sign(
	role: string,
	metadata: SignedMetadata,
	{ keys, delegators }: { readonly keys: KeyRing; readonly delegators: Delegators },
): void {
	requireKeys(role, delegators, keys)
	for (const delegator of [delegators.before, delegators.now])
		for (const id of signersOf(delegator, role)?.keyIDs ?? []) keys.get(id)?.sign(metadata)
}
