import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { registryErrors } from '@roundhouse/registry/errors'
import type { Publication } from '@roundhouse/registry/generation'
import { openKeys } from '@roundhouse/registry/key-folder'
import { Repository } from '@roundhouse/registry/repository'
import { tryFileLock } from '../../base/file-lock.ts'

/** Which registry, and where the keys are. */
export interface Keeping {
	readonly registry: string
	readonly keys?: readonly string[]
}

/** Beside the registry and never in it: everything in it is published. */
export const keyFoldersOf = ({ registry, keys }: Keeping): readonly [string, ...string[]] => {
	const [first = `${resolve(registry)}.keys`, ...others] = keys ?? []
	return [first, ...others]
}

/** Runs `work` as the only one who writes to a registry. @throws HostError `registry/busy` */
export async function alone<T>(registry: string, work: () => Promise<T>): Promise<T> {
	await mkdir(registry, { recursive: true })
	using lock = tryFileLock(join(registry, '.lock'))
	if (!lock) throw registryErrors.make('busy', { folder: registry })
	return await work()
}

/** Changes a registry and publishes that. @throws HostError `registry/*` */
export async function change<T>(
	keeping: Keeping,
	work: (repository: Repository) => T | Promise<T>,
): Promise<{ readonly result: T; readonly publication: Publication }> {
	return alone(keeping.registry, async () => {
		const repository = await Repository.open(keeping.registry, { keys: await openKeys(...keyFoldersOf(keeping)) })
		const result = await work(repository)
		return { result, publication: await repository.publish() }
	})
}

/** What was signed, and who must sign yet, for people. */
export function describePublication({ signed, takenIn, waitsFor }: Publication): string {
	const named = (roles: Publication['signed']) => roles.map(({ role, version }) => `${role} ${version}`).join(', ')
	const lines = [signed.length ? `Signed: ${named(signed)}.` : 'Nothing had to be signed.']
	if (takenIn.length > 0) lines.push(`Taken in: ${named(takenIn)}.`)
	if (waitsFor.length > 0)
		lines.push(`It waits for ${waitsFor.join(', ')}: whoever holds their keys runs \`roundhouse registry sign\`.`)
	return lines.join('\n')
}
