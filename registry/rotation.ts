import { delegateRole, type Signers, signersIn, usedOf } from './delegations.ts'
import { registryErrors } from './errors.ts'
import type { Repository } from './repository.ts'

/**
 * Gives a role other keys. A role of the root, the root included, needs the root's keys to sign that; any other the keys
 * of `targets`. What the role says is signed anew by the new keys in the same `publish`, so they must be at hand.
 */
export function rotateKeys(repository: Repository, role: string, signers: Signers): void {
	signersOfRole(repository, role)
	if (delegatorOf(repository, role) === 'targets') return delegateRole(repository, role, signers)
	repository.changeRoot(draft => {
		draft.roles[role] = signersIn(draft.keys, signers)
		draft.keys = usedOf(draft.keys, Object.values(draft.roles))
	})
}

/** Whose signatures a role needs now. @throws HostError `registry/role_unknown` */
export function signersOfRole(repository: Repository, name: string) {
	const signers = repository.root.roles[name] ?? repository.role('targets')?.delegations?.roles?.[name]
	if (!signers) throw registryErrors.make('role_unknown', { role: name })
	return signers
}

/** Whose keys it takes to give a role other keys. */
export const delegatorOf = ({ root }: Repository, role: string): 'root' | 'targets' =>
	role in root.roles ? 'root' : 'targets'
