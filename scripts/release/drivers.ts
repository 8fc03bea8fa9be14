import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packDriver } from '@roundhouse/registry/publisher/pack'
import type { ReleaseFacts } from '../../base/release.ts'
import { sha512Of } from '../../registry/format/digests.ts'
import { releaseTargets } from '../../registry/format/format.ts'
import { driverFolders } from '../build-parts.ts'
import type { ReleaseConfig } from './config.ts'

/**
 * Packs every driver of the checkout into `folder`, for first installations without a network. Their digests go into
 * the release's facts, so the package that carries them carries their trust.
 * @returns the targets, as a registry would list them
 */
export async function packDrivers(
	{ version: minHostVersion, date: publishedAt, publisher }: ReleaseConfig,
	folder: string,
): Promise<ReleaseFacts['drivers']> {
	const targets: ReleaseFacts['drivers'] = {}
	for (const driver of await driverFolders()) {
		const { id, version, tarball, document, summary } = await packDriver(driver, { minHostVersion, publishedAt })
		const paths = releaseTargets(publisher, id, version)
		for (const [path, bytes] of [
			[paths.package, tarball],
			[paths.document, document],
		] as const) {
			await mkdir(join(folder, dirname(path)), { recursive: true })
			await writeFile(join(folder, path), bytes)
			targets[path] = {
				length: bytes.length,
				hashes: { sha512: sha512Of(bytes) },
				...(path === paths.package && { custom: { ...summary, permissions: { ...summary.permissions } } }),
			}
		}
	}
	return targets
}
