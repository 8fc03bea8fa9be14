import type { TargetFile } from '@tufjs/models'
import { type Zippable, zipSync } from 'fflate'
import { compare } from 'semver'
import { registryErrors } from '../format/errors.ts'
import { metadataFolder } from '../format/format.ts'
import { fetchWhole, readWhole } from './mirror.ts'
import type { Published } from './published.ts'
import { type Release, releasesAmong } from './releases.ts'
import type { Source } from './source.ts'
import { targetFile } from './target-files.ts'

/** A file with a registry's metadata and some of its drivers, for machines without a network. */
export interface Bundle {
	readonly zip: Uint8Array
	/** Names of the contained releases: `<publisher>/<id>/<version>`. */
	readonly releases: readonly string[]
	readonly published: Published
}

/**
 * Bundles the newest release of each driver that is not withdrawn, or the named release.
 * @param drivers `<id>` or `<publisher>/<id>`, each optionally with `@<version>`
 * @throws HostError `registry/not_whole`, `registry/release_unknown`
 */
export async function bundleDrivers(source: Source, drivers: readonly string[], fingerprint?: string): Promise<Bundle> {
	const published = await readWhole(source, fingerprint)
	const chosen = drivers.flatMap(driver => chooseReleases(published.targets, driver))
	const isCommon = ({ path }: TargetFile) => !path.includes('/')
	const wanted = published.targets.filter(
		target =>
			isCommon(target) || chosen.some(({ name }) => target.path === `${name}.tgz` || target.path === `${name}.json`),
	)
	const files: Zippable = {}
	for (const [name, bytes] of published.metadata) files[`${metadataFolder}/${name}`] = bytes
	for (const target of wanted) files[targetFile(target).replaceAll('\\', '/')] = await fetchWhole(source, target)
	// Packages are already compressed. The fixed time makes bundles of the same registry identical.
	const zip = zipSync(files, { level: 0, mtime: new Date(1980, 0, 1) })
	return { zip, releases: chosen.map(({ name }) => name), published }
}

function chooseReleases(targets: readonly TargetFile[], driver: string): Release[] {
	const [, publisher, id, version] = /^(?:([^/@]+)\/)?([^/@]+)(?:@(.+))?$/.exec(driver) ?? []
	const fitting = releasesAmong(targets)
		.filter(release => release.id === id && (!publisher || release.publisher === publisher))
		.filter(release => (version ? release.version === version : !release.summary.isYanked))
	if (fitting.length === 0) throw registryErrors.make('release_unknown', { release: driver })
	const newest = new Map<string, Release>()
	for (const release of fitting.sort((a, b) => compare(a.version, b.version))) newest.set(release.publisher, release)
	return [...newest.values()]
}
