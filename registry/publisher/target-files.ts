import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readRegularFile } from '../../base/regular-file.ts'
import { sha512Of } from '../format/digests.ts'
import { packageLimits, plainPath, sha512, targetsFolder } from '../format/format.ts'
import { replaceFile } from './replace-file.ts'
import type { Repository } from './repository.ts'

/** The fields of a listed target that determine the place of its file. */
interface Listed {
	readonly path: string
	readonly hashes: Readonly<Record<string, string>>
}

/** Returns whether a target, which may come from another publisher, names a file in a registry's folder. */
export function hasFile({ path, hashes }: Listed): boolean {
	return plainPath.safeParse(path).success && sha512.safeParse(hashes.sha512).success
}

/**
 * Returns the path of a target's file in a registry. The name begins with the digest, so that a file never changes
 * while it is read.
 * @throws Error if the path would leave the registry
 */
export function targetFile(target: Listed): string {
	if (!hasFile(target)) throw new Error(`"${target.path}" is not a path of plain names with a SHA-512`)
	const { path, hashes } = target
	const slash = path.lastIndexOf('/') + 1
	return join(targetsFolder, path.slice(0, slash), `${hashes.sha512}.${path.slice(slash)}`)
}

export function readTarget(registry: string, target: Listed): Promise<Buffer> {
	return readRegularFile(join(registry, targetFile(target)), packageLimits.documentBytes)
}

/** A file of a role. `custom` is signed with its digest. */
interface TargetFile {
	readonly role: string
	readonly path: string
	readonly data: Buffer
	readonly custom?: Record<string, unknown> | undefined
}

/** Writes a target's file and lists it in a role. Readers see it once the role is published. */
export async function writeTarget(repository: Repository, { role, path, data, custom }: TargetFile): Promise<void> {
	const hashes = { sha512: sha512Of(data) }
	const file = join(repository.folder, targetFile({ path, hashes }))
	await mkdir(dirname(file), { recursive: true })
	await replaceFile(file, data)
	repository.changeTargets(role, ({ targets }) => {
		targets[path] = { length: data.length, hashes, ...(custom && { custom }) }
	})
}

export function writeJsonTarget(
	repository: Repository,
	{ role, path, value }: { readonly role: string; readonly path: string; readonly value: object },
): Promise<void> {
	return writeTarget(repository, { role, path, data: Buffer.from(`${JSON.stringify(value, null, '\t')}\n`) })
}
