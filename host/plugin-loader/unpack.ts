import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { packageLimits } from '@roundhouse/registry/format/format'
import { archiveLimit, type EntryReader, readEntries } from '@roundhouse/registry/format/package-entries'
import { makePrivateFolder } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import { pluginErrors } from './errors.ts'
import type { Release } from './release.ts'

/**
 * Unpacks only plain files that the signed document lists, with their signed sizes and digests. Stops at the first
 * other entry: a link, a device, an absolute path, `..`, or a file that is not listed.
 */

/** Time limit. A package within `packageLimits` takes seconds. */
const unpackMs = 120_000

/** The parts of a release that say what its package may contain. */
export interface Unpacking extends Pick<Release, 'manifest' | 'files'> {
	readonly package: Pick<Release['package'], 'sizeBytes'>
}

/** @param folder an empty folder, which the caller removes if this fails. @throws HostError `plugin/package_unsafe` */
export async function unpack(tarball: string, release: Unpacking, folder: string): Promise<void> {
	const { manifest, files } = release
	let current: FileHandle | undefined
	const fileOf = (name: string, { sha512 }: Release['files'][string]): EntryReader => {
		const hash = createHash('sha512')
		const path = join(folder, name)
		const opened = async () => {
			await makePrivateFolder(dirname(path))
			// A name that differs by case only is another file in the list, and may be the same file on the disk.
			return await open(path, 'wx', 0o600)
		}
		return {
			async write(chunk) {
				current ??= await opened()
				hash.update(chunk)
				await current.appendFile(chunk)
			},
			async end() {
				current ??= await opened()
				await current.close()
				current = undefined
				if (hash.digest('hex') !== sha512) throw new Error(`${name} differs`)
			},
		}
	}
	try {
		const sizes = Object.values(files).map(file => file.sizeBytes)
		const maxBytes = archiveLimit(sizes)
		if (maxBytes > archiveLimit([release.package.sizeBytes * packageLimits.ratio]))
			throw new Error('it unpacks to far more than its size')
		const left = new Set(Object.keys(files))
		await readEntries(createReadStream(tarball), {
			maxBytes,
			signal: AbortSignal.timeout(unpackMs),
			onFile: (name, sizeBytes) => {
				const expected = Object.hasOwn(files, name) ? files[name] : undefined
				if (!expected) throw new Error(`${name} is not in the signed list`)
				if (sizeBytes !== expected.sizeBytes) throw new Error(`${name} has another size`)
				left.delete(name)
				return fileOf(name, expected)
			},
		})
		const [missing] = left
		if (missing !== undefined) throw new Error(`${missing} is missing`)
	} catch (error) {
		const reason = messageOf(error)
		throw pluginErrors.make('package_unsafe', { driver: manifest.displayName, reason }, { cause: error })
	} finally {
		await current?.close()
	}
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
		const stat = await lstat(path)
		if (!stat.isFile()) return `${name} is not a plain file`
		const hash = createHash('sha512')
		if (stat.size === expected.sizeBytes) await pipeline(createReadStream(path), hash)
		if (stat.size !== expected.sizeBytes || hash.digest('hex') !== expected.sha512) return `${name} differs`
		left.delete(name)
	}
	const [missing] = left
	return missing && `${missing} is missing`
}
