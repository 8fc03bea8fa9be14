import { delegateRole, type Signers, signersIn, usedOf } from './delegations.ts'
import { registryErrors } from './errors.ts'
import type { Repository } from './repository.ts'

/**
 * Gives a role other keys. A role of the root, the root included, needs the root's keys to sign that; any other the keys
 * of `targets`. What the role says is signed anew by the new keys in the same `publish`, so they must be at hand.
 */
export function rotateKeys(repository: Repository, role: string, signers: Signers): void {
	if (!(role in repository.root.roles)) {
		if (!repository.delegations.includes(role)) throw registryErrors.make('role_unknown', { role })
		return delegateRole(repository, role, signers)
	}
	repository.changeRoot(draft => {
		draft.roles[role] = signersIn(draft.keys, signers)
		draft.keys = usedOf(draft.keys, Object.values(draft.roles))
	})
}
