import { createHash } from 'node:crypto'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { packagePrefix } from '@roundhouse/registry/format'
import { extract, list, type ReadEntry } from 'tar'
import { messageOf } from '../base/errors.ts'
import { pluginErrors } from './errors.ts'
import type { Release } from './release.ts'

/**
 * Unpacking under hard rules: plain files alone, each one that the signed document lists, with its signed size. Links,
 * devices, absolute and `..` paths, and whatever else a tar may hold, refuse the package before anything is written.
 */

/** The most a package may grow when it is unpacked; a bomb is refused by the list of files alone, this is a second lock. */
const ratioLimit = 200

/** @throws HostError `plugin/package_unsafe` */
export async function unpack(tarball: string, release: Release, folder: string): Promise<void> {
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

function faultOf(entry: ReadEntry, release: Release, seen: Set<string>): string | undefined {
	const { path } = entry
	if (entry.type !== 'File' && entry.type !== 'OldFile') return `${path} is a ${entry.type}`
	if (!path.startsWith(packagePrefix)) return `${path} lies outside of ${packagePrefix}`
	const name = path.slice(packagePrefix.length)
	const expected = Object.hasOwn(release.files, name) ? release.files[name] : undefined
	if (!expected) return `${name} is not in the signed list`
	if (seen.has(name)) return `${name} is there twice`
	if (entry.size !== expected.sizeBytes) return `${name} has another size`
	seen.add(name)
	return undefined
}

/**
 * Compares an unpacked package with the signed list: the same files, byte for byte, and nothing else.
 * Returns what is wrong, or `undefined`.
 */
export async function faultOfTree(folder: string, files: Release['files']): Promise<string | undefined> {
	const left = new Set(Object.keys(files))
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name)
		const name = relative(folder, path).split(sep).join('/')
		if (entry.isDirectory()) continue
		const expected = Object.hasOwn(files, name) ? files[name] : undefined
		if (!expected) return `${name} is not part of it`
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
