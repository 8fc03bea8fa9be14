import { registryErrors } from '../format/errors.ts'
import { delegateRole, type Signers, signersIn, usedOf } from './delegations.ts'
import type { Repository } from './repository.ts'

/**
 * Replaces the keys of a role. For a role of the root, including the root, the root's keys must sign that; for other
 * roles, the keys of `targets`. The new keys sign the role's content again in the same `publish`, so they must be
 * available.
 */
export function rotateKeys(repository: Repository, role: string, signers: Signers): void {
	signersOfRole(repository, role)
	if (delegatorOf(repository, role) === 'targets') return delegateRole(repository, role, signers)
	repository.changeRoot(draft => {
		draft.roles[role] = signersIn(draft.keys, signers)
		draft.keys = usedOf(draft.keys, Object.values(draft.roles))
	})
}

/** Returns the keys whose signatures a role needs now. @throws HostError `registry/role_unknown` */
export function signersOfRole(repository: Repository, name: string) {
	const signers = repository.root.roles[name] ?? repository.role('targets')?.delegations?.roles?.[name]
	if (!signers) throw registryErrors.make('role_unknown', { role: name })
	return signers
}

/** Returns the role whose keys must sign a change of a role's keys. */
export const delegatorOf = ({ root }: Repository, role: string): 'root' | 'targets' =>
	role in root.roles ? 'root' : 'targets'
