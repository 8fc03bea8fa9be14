import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@roundhouse/kit/manifest'
import type { ReleaseDocument } from '@roundhouse/registry/format/format'
import type { PackedDriver } from '@roundhouse/registry/publisher/pack'
import type { DriverProgram } from '../driver-runtime/driver-process.ts'
import { unpack } from '../plugin-loader/unpack.ts'

/** The driver under check: its package, unpacked into a temporary folder as an installation would. */
export interface Subject extends AsyncDisposable {
	/** The author's folder. */
	readonly source: string
	readonly version: string
	readonly manifest: Manifest
	/** Files of the package. */
	readonly files: ReleaseDocument['files']
	readonly tarball: Buffer
	/** Packed a second time. */
	readonly again: Buffer
	readonly license: string
	/** Files that were not packed, because they may be secrets. */
	readonly leftOut: readonly string[]
	/** The unpacked package. */
	readonly folder: string
	readonly program: DriverProgram
}

/** Packs the driver twice and unpacks it. @throws HostError `registry/…`, `plugin/package_unsafe` */
export async function prepareSubject(source: string, pack: () => Promise<PackedDriver>): Promise<Subject> {
	const packed = await pack()
	const { tarball: again } = await pack()
	const { manifest, files }: Pick<ReleaseDocument, 'manifest' | 'files'> = JSON.parse(packed.document.toString('utf8'))
	const place = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-check-')))
	const remove = () => rm(place, { recursive: true, force: true })
	const folder = join(place, 'package')
	try {
		const path = join(place, 'package.tgz')
		await mkdir(folder)
		await writeFile(path, packed.tarball)
		await unpack(path, { manifest, files, package: { sizeBytes: packed.tarball.length } }, folder)
	} catch (error) {
		await remove()
		throw error
	}
	const { id: driverId, displayName, entry, permissions } = manifest
	return {
		source,
		version: packed.version,
		manifest,
		files,
		tarball: packed.tarball,
		again,
		license: packed.summary.license,
		leftOut: packed.leftOut,
		folder,
		program: { driverId, displayName, folder, entry: join(folder, entry), permissions },
		[Symbol.asyncDispose]: remove,
	}
}
