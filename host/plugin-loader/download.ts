import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Release } from '@roundhouse/registry/documents'
import { messageOf } from '../base/errors.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { pluginErrors } from './errors.ts'
import { openPackage } from './fetch-file.ts'

/**
 * Downloads a release's package to `path`, telling the progress in bytes. Reads no further than the signed size, and
 * checks the digest before anyone looks inside.
 * @throws HostError `plugin/download_failed`, `size_mismatch`, `digest_mismatch`, `cancelled`
 */
export async function downloadPackage(url: URL, release: Release, path: string, options: CallOptions): Promise<void> {
	const { id, package: expected } = release
	const driver = release.manifest.displayName
	const hash = createHash('sha512')
	const file = await open(path, 'wx', 0o600)
	let done = 0
	try {
		for await (const chunk of await openPackage(url, options.signal)) {
			options.signal?.throwIfAborted()
			done += chunk.length
			if (done > expected.sizeBytes) throw pluginErrors.make('size_mismatch', { driver })
			hash.update(chunk)
			await file.write(chunk)
			options.onProgress?.({ done, total: expected.sizeBytes, message: `Downloading ${driver}` })
		}
		options.signal?.throwIfAborted()
	} catch (error) {
		if (pluginErrors.is(error, 'size_mismatch')) throw error
		if (options.signal?.aborted) throw pluginErrors.make('cancelled', { driver: id })
		throw pluginErrors.make('download_failed', { driver, reason: messageOf(error) }, { cause: error })
	} finally {
		await file.close()
	}
	if (done !== expected.sizeBytes) throw pluginErrors.make('size_mismatch', { driver })
	if (hash.digest('hex') !== expected.sha512) throw pluginErrors.make('digest_mismatch', { driver })
}
