import type { TargetFile } from '@tufjs/models'
import { type Zippable, zipSync } from 'fflate'
import { compare } from 'semver'
import { registryErrors } from './errors.ts'
import { metadataFolder } from './format.ts'
import { fetchWhole, readWhole } from './mirror.ts'
import type { Published } from './published.ts'
import { type Release, releasesAmong } from './releases.ts'
import type { Source } from './source.ts'
import { targetFile } from './target-files.ts'

/** One file with a registry's metadata and some of its drivers, for machines without a network. */
export interface Bundle {
	readonly zip: Uint8Array
	/** `<publisher>/<id>/<version>` of each release in it. */
	readonly releases: readonly string[]
	readonly published: Published
}

/**
 * Bundles the newest release that is not withdrawn of each driver, or the one that is named.
 * @param drivers `<id>`, `<publisher>/<id>`, either with `@<version>`
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
	// Packages are compressed already. The time is none, so that the same registry gives the same bundle.
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
