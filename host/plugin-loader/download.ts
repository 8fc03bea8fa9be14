import { registryClientErrors } from '@roundhouse/registry/client/errors'
import { messageOf } from '../../base/errors.ts'
import type { RegistryClient } from '../../registry/client/registry-client.ts'
import { TargetError } from '../../registry/client/target.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { pluginErrors } from './errors.ts'
import type { Release } from './release.ts'

interface Download {
	readonly registry: RegistryClient
	readonly release: Release
	readonly path: string
}

/**
 * Downloads a release's package to `path` and reports the progress in bytes. Reads no more than the signed size, and
 * verifies the digest before the package is opened.
 * @throws HostError `plugin/download_failed`, `size_mismatch`, `digest_mismatch`, `cancelled`
 */
export async function downloadPackage(
	{ registry, release, path }: Download,
	{ signal, onProgress }: CallOptions,
): Promise<void> {
	const { id, manifest, listed } = release
	const driver = manifest.displayName
	try {
		await registry.download(listed, {
			path,
			signal,
			onBytes: done => onProgress?.({ done, total: release.package.sizeBytes, message: `Downloading ${driver}` }),
		})
	} catch (error) {
		if (signal?.aborted) throw pluginErrors.make('cancelled', { driver: id })
		if (error instanceof TargetError) throw mismatch(error, driver)
		throw registryClientErrors.make('download_failed', { driver, reason: messageOf(error) }, { cause: error })
	}
}

function mismatch(error: TargetError, driver: string) {
	const cause = { cause: error }
	if (error.fault === 'size') return pluginErrors.make('size_mismatch', { driver }, cause)
	return pluginErrors.make('digest_mismatch', { driver }, cause)
}
