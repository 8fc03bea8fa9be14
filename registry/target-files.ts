import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { sha512Of } from './digests.ts'
import { plainPath, sha512, targetsFolder } from './format.ts'
import type { Repository } from './repository.ts'

/** A target as a role lists it, as far as that says where its file lies. */
interface Listed {
	readonly path: string
	readonly hashes: Readonly<Record<string, string>>
}

/** Whether a target, which may be a stranger's, names a file in a registry's folder. */
export function hasFile({ path, hashes }: Listed): boolean {
	return plainPath.safeParse(path).success && sha512.safeParse(hashes.sha512).success
}

/**
 * Where a target's file lies in a registry: its digest stands before its name, so that it never changes under a reader.
 * @throws Error where it leads out of there
 */
export function targetFile(target: Listed): string {
	if (!hasFile(target)) throw new Error(`"${target.path}" is no path of plain names with a SHA-512`)
	const { path, hashes } = target
	const slash = path.lastIndexOf('/') + 1
	return join(targetsFolder, path.slice(0, slash), `${hashes.sha512}.${path.slice(slash)}`)
}

export function readTarget(registry: string, target: Listed): Promise<Buffer> {
	return readFile(join(registry, targetFile(target)))
}

/** Writes a target's file and lists it in a role. No reader finds it before the role is published. */
export async function writeTarget(
	repository: Repository,
	role: string,
	path: string,
	data: Buffer,
	custom?: Record<string, unknown>,
): Promise<void> {
	const hashes = { sha512: sha512Of(data) }
	const file = join(repository.folder, targetFile({ path, hashes }))
	await mkdir(dirname(file), { recursive: true })
	await writeFileAtomic(file, data)
	repository.changeTargets(role, ({ targets }) => {
		targets[path] = { length: data.length, hashes, ...(custom && { custom }) }
	})
}

export function writeJsonTarget(repository: Repository, role: string, path: string, value: object): Promise<void> {
	return writeTarget(repository, role, path, Buffer.from(`${JSON.stringify(value, null, '\t')}\n`))
}
