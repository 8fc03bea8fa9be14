import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { plainPath, sha512, targetsFolder } from './format.ts'
import type { Repository } from './repository.ts'

const sha512Of = (data: Uint8Array) => createHash('sha512').update(data).digest('hex')

/** A target as a role lists it, as far as that says where its file lies. */
interface Listed {
	readonly path: string
	readonly hashes: Readonly<Record<string, string>>
}

/**
 * Where a target's file lies in a registry: its digest stands before its name, so that it never changes under a reader.
 * @throws ZodError where the path, which may be a stranger's, does not stay in that folder
 */
export function targetFile({ path, hashes }: Listed): string {
	plainPath.parse(path)
	sha512.parse(hashes.sha512)
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
