import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { packageSchema } from '@roundhouse/kit/manifest'
import type { Release } from '@roundhouse/registry/documents'
import { makePrivateFolder } from '../base/atomic-file.ts'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { downloadPackage } from './download.ts'
import type { CallOptions } from './driver-calls.ts'
import { DriverProcess } from './driver-process.ts'
import { pluginErrors } from './errors.ts'
import type { Installation, InstalledDriver, InstalledDrivers } from './installed.ts'
import type { RegistryClient, VerifiedIndex } from './registry-client.ts'
import { unpack } from './unpack.ts'

/**
 * Installs one release: download, digest, unpack into staging, manifest, a first start, and then the atomic switch.
 * Until the switch nothing changes for anyone, and whatever fails leaves nothing behind. The version before stays on
 * disk.
 * @throws HostError `plugin/…`
 */
export async function installRelease(
	installed: InstalledDrivers,
	registry: RegistryClient,
	verified: VerifiedIndex,
	release: Release,
	log: Log,
	options: CallOptions,
): Promise<InstalledDriver> {
	const { id } = release
	const staging = join(installed.staging, `${id}-${release.package.sha512.slice(0, 16)}-${process.pid}`)
	await rm(staging, { recursive: true, force: true })
	await makePrivateFolder(staging)
	const installation: Installation = {
		release,
		folder: `${release.version}-${release.package.sha512.slice(0, 12)}`,
		registry: registry.source.fingerprint,
		rootJws: verified.rootJws,
		indexJws: verified.indexJws,
		installedAt: new Date().toISOString(),
	}
	const folder = installed.folderOf(id, installation)
	const before = installed.get(id)
	try {
		const tarball = join(staging, 'package.tgz')
		const unpacked = join(staging, 'package')
		await downloadPackage(registry.resolve(release.package.path), release, tarball, options)
		await mkdir(unpacked, { mode: 0o700 })
		await unpack(tarball, release, unpacked)
		await checkManifest(unpacked, release)
		await rm(folder, { recursive: true, force: true })
		await makePrivateFolder(join(folder, '..'))
		await rename(unpacked, folder)
		try {
			await tryStart(folder, release, log, before)
			if (options.signal?.aborted) throw pluginErrors.make('cancelled', { driver: id })
		} catch (error) {
			await removeVersion(folder, before === undefined)
			throw error
		}
		const driver: InstalledDriver = {
			version: 1,
			current: installation,
			...(before && before.current.folder !== installation.folder && { previous: before.current }),
			isEnabled: before?.isEnabled ?? true,
		}
		await installed.write(id, driver)
		return driver
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

/** The registry's copy of the manifest is what the person agreed to. */
async function checkManifest(folder: string, release: Release): Promise<void> {
	const mismatch = (cause?: unknown) =>
		pluginErrors.make('manifest_mismatch', { driver: release.manifest.displayName }, { cause })
	try {
		const found = packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
		if (found.version !== release.version || !isDeepStrictEqual(found.roundhouse, release.manifest)) throw mismatch()
	} catch (error) {
		throw error instanceof Error && pluginErrors.is(error, 'manifest_mismatch') ? error : mismatch(error)
	}
}

async function tryStart(
	folder: string,
	release: Release,
	log: Log,
	before: InstalledDriver | undefined,
): Promise<void> {
	try {
		const process = await DriverProcess.start(programOf(folder, release), log)
		await process.stop()
	} catch (error) {
		throw pluginErrors.make(
			'start_failed',
			{
				driver: release.manifest.displayName,
				version: release.version,
				reason: messageOf(error),
				kept: before ? `${before.current.release.version} stays in use.` : 'Nothing was installed.',
			},
			{ cause: error },
		)
	}
}

async function removeVersion(folder: string, isOnlyOne: boolean): Promise<void> {
	await rm(isOnlyOne ? join(folder, '..') : folder, { recursive: true, force: true })
}

export function programOf(folder: string, release: Release) {
	const { id, entry, permissions } = release.manifest
	return { driverId: id, folder, entry: join(folder, entry), permissions }
}
