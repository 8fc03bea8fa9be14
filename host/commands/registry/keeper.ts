import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { registryErrors } from '@roundhouse/registry/format/errors'
import type { Publication } from '@roundhouse/registry/publisher/generation'
import { openKeys } from '@roundhouse/registry/publisher/key-folder'
import { Repository } from '@roundhouse/registry/publisher/repository'
import { tryFileLock } from '../../../base/file-lock.ts'

/** The registry and the folders of keys. */
export interface Keeping {
	readonly registry: string
	readonly keys?: readonly string[]
}

/** Beside the registry and never in it: its whole content is published. */
export const keyFoldersOf = ({ registry, keys }: Keeping): readonly [string, ...string[]] => {
	const [first = `${resolve(registry)}.keys`, ...others] = keys ?? []
	return [first, ...others]
}

/** Runs `work` as the only writer of a registry. @throws HostError `registry/busy` */
export async function alone<T>(registry: string, work: () => Promise<T>): Promise<T> {
	await mkdir(registry, { recursive: true })
	using lock = tryFileLock(join(registry, '.lock'))
	if (!lock) throw registryErrors.make('busy', { folder: registry })
	return await work()
}

/** Changes a registry and publishes it. @throws HostError `registry/*` */
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

/** Describes what was signed and which signatures are missing. */
export function describePublication({ signed, takenIn, waitsFor }: Publication): string {
	const named = (roles: Publication['signed']) => roles.map(({ role, version }) => `${role} ${version}`).join(', ')
	const lines = [signed.length ? `Signed: ${named(signed)}.` : 'Nothing had to be signed.']
	if (takenIn.length > 0) lines.push(`Taken in: ${named(takenIn)}.`)
	if (waitsFor.length > 0)
		lines.push(`It waits for ${waitsFor.join(', ')}. Each holder of their keys must run \`roundhouse registry sign\`.`)
	return lines.join('\n')
}
