import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { packageSchema } from '@roundhouse/kit/manifest'
import { makePrivateFolder } from '../../base/atomic-file.ts'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { DriverProcess, type DriverProgram } from '../driver-runtime/driver-process.ts'
import type { Development } from '../driver-runtime/spawn-driver.ts'
import { downloadPackage } from './download.ts'
import { pluginErrors } from './errors.ts'
import type { Installation, InstalledDriver, InstalledDrivers } from './installed.ts'
import type { Release } from './release.ts'
import type { Offer } from './release-catalog.ts'
import { unpack } from './unpack.ts'

interface InstallationOptions extends CallOptions {
	readonly log: Log
	readonly development?: Development | undefined
}

/**
 * Installs one release: download, digest, unpacking into staging, manifest, a first start, and then the atomic switch.
 * Each installation has a separate folder, so that nothing changes before the switch, and a failure leaves nothing
 * behind. The previous version stays on disk.
 * @returns the driver, and the process of the first start, which the caller must stop
 * @throws HostError `plugin/…`
 */
export async function installRelease(
	installed: InstalledDrivers,
	{ registry, release }: Offer,
	{ log, development, ...options }: InstallationOptions,
): Promise<{ readonly driver: InstalledDriver; readonly started: DriverProcess }> {
	const { id, manifest } = release
	const mark = randomBytes(4).toString('hex')
	const staging = join(installed.staging, `${id}-${mark}`)
	const installation: Installation = {
		release: { publisher: release.publisher, id, version: release.version, manifest, package: release.package },
		document: release.document,
		folder: `${release.version}-${release.package.sha512.slice(0, 12)}-${mark}`,
		registry: registry.source.fingerprint,
		...(registry.isSeeded(release.listed) && { isSeeded: true }),
		installedAt: new Date().toISOString(),
	}
	const folder = installed.folderOf(id, installation)
	const before = installed.get(id)
	let started: DriverProcess | undefined
	try {
		const tarball = join(staging, 'package.tgz')
		const unpacked = join(staging, 'package')
		await makePrivateFolder(unpacked)
		await downloadPackage({ registry, release, path: tarball }, options)
		await unpack(tarball, release, unpacked)
		await checkManifest(unpacked, release)
		await makePrivateFolder(join(folder, '..'))
		await rename(unpacked, folder)
		const program = { ...programOf(folder, release), development }
		started = await firstStart({ program, release, log, before, signal: options.signal })
		if (options.signal?.aborted) throw pluginErrors.make('cancelled', { driver: id })
		const driver: InstalledDriver = {
			version: 2,
			current: installation,
			...previousOf(before, release),
			isEnabled: before?.isEnabled ?? true,
		}
		await installed.write(id, driver)
		return { driver, started }
	} catch (error) {
		await started?.stop()
		await rm(folder, { recursive: true, force: true })
		// Removes the driver's folder if no version is installed. It fails if the folder is not empty.
		await rmdir(join(folder, '..')).catch(() => {})
		throw error
	} finally {
		await rm(staging, { recursive: true, force: true })
	}
}

/** Returns the release for a rollback. A reinstallation of the same release keeps the earlier one. */
function previousOf(before: InstalledDriver | undefined, release: Release): Pick<InstalledDriver, 'previous'> {
	const isSame = before?.current.release.package.sha512 === release.package.sha512
	const previous = isSame ? before.previous : before?.current
	return previous ? { previous } : {}
}

/** Checks that the package has the manifest of the registry, because the user agreed to that one. */
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

interface FirstStart {
	readonly program: DriverProgram
	readonly release: Release
	readonly log: Log
	readonly before: InstalledDriver | undefined
	readonly signal: AbortSignal | undefined
}

async function firstStart({ program, release, log, before, signal }: FirstStart): Promise<DriverProcess> {
	try {
		return await DriverProcess.start(program, log, { signal })
	} catch (error) {
		if (signal?.aborted) throw pluginErrors.make('cancelled', { driver: release.id })
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

export function programOf(folder: string, { manifest }: Pick<Release, 'manifest'>) {
	const { id, displayName, entry, permissions } = manifest
	return { driverId: id, displayName, folder, entry: join(folder, entry), permissions }
}
