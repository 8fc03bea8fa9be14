import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { packagePrefix } from '@roundhouse/registry/format/format'
import { extract, list, type ReadEntry } from 'tar'
import { messageOf } from '../../base/errors.ts'
import { pluginErrors } from './errors.ts'
import type { Release } from './release.ts'

/**
 * Unpacks only plain files that the signed document lists, with their signed sizes. A package with links, devices,
 * absolute paths, `..` or any other entry is refused before anything is written.
 */

/** Upper limit of the compression ratio. The signed list of files already refuses a bomb; this is defence in depth. */
const ratioLimit = 200

/** The parts of a release that say what its package may contain. */
export interface Unpacking extends Pick<Release, 'manifest' | 'files'> {
	readonly package: Pick<Release['package'], 'sizeBytes'>
}

/** @throws HostError `plugin/package_unsafe` */
export async function unpack(tarball: string, release: Unpacking, folder: string): Promise<void> {
	const refuse = (reason: string) =>
		pluginErrors.make('package_unsafe', { driver: release.manifest.displayName, reason })
	const unpackedBytes = Object.values(release.files).reduce((sum, file) => sum + file.sizeBytes, 0)
	if (unpackedBytes > release.package.sizeBytes * ratioLimit) throw refuse('it unpacks to far more than its size')

	const seen = new Set<string>()
	let fault: string | undefined
	const check = (entry: ReadEntry) => {
		fault ??= faultOf(entry, release, seen)
		entry.resume()
	}
	await list({ file: tarball, strict: true, onReadEntry: check }).catch(error => {
		throw refuse(messageOf(error))
	})
	for (const file of Object.keys(release.files)) if (!seen.has(file)) fault ??= `${file} is missing`
	if (fault) throw refuse(fault)

	await extract({
		file: tarball,
		cwd: folder,
		strip: 1,
		strict: true,
		preserveOwner: false,
		noMtime: true,
		umask: 0o077,
	})
	const problem = await faultOfTree(folder, release.files)
	if (problem) throw refuse(problem)
}

function faultOf(entry: ReadEntry, release: Unpacking, seen: Set<string>): string | undefined {
	const { path } = entry
	if (entry.type !== 'File' && entry.type !== 'OldFile') return `${path} is a ${entry.type}`
	if (!path.startsWith(packagePrefix)) return `${path} is outside of ${packagePrefix}`
	const name = path.slice(packagePrefix.length)
	const expected = Object.hasOwn(release.files, name) ? release.files[name] : undefined
	if (!expected) return `${name} is not in the signed list`
	if (seen.has(name)) return `${name} occurs twice`
	if (entry.size !== expected.sizeBytes) return `${name} has another size`
	seen.add(name)
	return undefined
}

/**
 * Checks that an unpacked package has exactly the files of the signed list, with the same contents.
 * Returns the fault, or `undefined`.
 */
export async function faultOfTree(folder: string, files: Release['files']): Promise<string | undefined> {
	const left = new Set(Object.keys(files))
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name)
		const name = relative(folder, path).split(sep).join('/')
		if (entry.isDirectory()) continue
		const expected = Object.hasOwn(files, name) ? files[name] : undefined
		if (!expected) return `${name} is not part of the package`
		if (!(await lstat(path)).isFile()) return `${name} is not a plain file`
		const digest = createHash('sha512')
			.update(await readFile(path))
			.digest('hex')
		if (digest !== expected.sha512) return `${name} differs`
		left.delete(name)
	}
	const [missing] = left
	return missing && `${missing} is missing`
}
