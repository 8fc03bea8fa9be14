import { type Revocation, revocationsRole, revocationsSchema, revocationsTarget } from '../format/format.ts'
import { findRelease } from './releases.ts'
import type { Repository } from './repository.ts'
import { readTarget, writeJsonTarget } from './target-files.ts'

/** Returns what the registry has revoked. */
export async function revocationsOf(repository: Repository): Promise<readonly Revocation[]> {
	const target = repository.role(revocationsRole)?.targets[revocationsTarget]
	if (!target) return []
	const bytes = await readTarget(repository.folder, target)
	return revocationsSchema.parse(JSON.parse(bytes.toString('utf8'))).revocations
}

/**
 * Revokes a release. A release that is already revoked gets the new reason and action.
 * @param release `<publisher>/<id>/<version>`
 * @throws HostError `registry/release_unknown`
 */
export async function revokeRelease(
	repository: Repository,
	release: string,
	{ reason, action, at }: { readonly reason: string; readonly action: Revocation['action']; readonly at: Date },
): Promise<Revocation> {
	const { sha512 } = findRelease(repository, release)
	const revocation = { sha512, release, reason, action, revokedAt: at.toISOString() }
	const others = (await revocationsOf(repository)).filter(one => one.sha512 !== sha512)
	await writeRevocations(repository, [...others, revocation])
	return revocation
}

export async function writeRevocations(repository: Repository, revocations: readonly Revocation[]): Promise<void> {
	const document = revocationsSchema.parse({ revocations })
	await writeJsonTarget(repository, { role: revocationsRole, path: revocationsTarget, value: document })
}
