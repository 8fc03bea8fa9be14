import { kitVersion } from '@roundhouse/kit/version'
import type { ReadIndex, Release } from '@roundhouse/registry/documents'
import { compare, gte, satisfies } from 'semver'
import { hostVersion } from '../base/version.ts'
import { pluginErrors } from './errors.ts'

/** Why a release cannot be installed by this host, or `undefined`. */
export function incompatibilityOf(release: Release): string | undefined {
	if (release.isYanked) return `${release.version} was withdrawn`
	const kit = release.manifest.engines.roundhouse
	if (!satisfies(kitVersion, kit)) return `${release.version} needs driver API ${kit}, this is ${kitVersion}`
	if (!gte(hostVersion, release.minHostVersion))
		return `${release.version} needs Roundhouse ${release.minHostVersion} or newer`
	return undefined
}

/** Releases of one driver, newest first. */
export function releasesOf(index: ReadIndex, id: string): readonly Release[] {
	return index.releases.filter(release => release.id === id).sort((a, b) => compare(b.version, a.version))
}

/** Whether a registry has a driver, also where only a newer host understands it. */
export function hasDriver({ releases, tooNew }: ReadIndex, id: string): boolean {
	return [...releases, ...tooNew].some(release => release.id === id)
}

/** The newest release that fits. @throws HostError `plugin/not_found`, `plugin/no_fitting_release` */
export function chooseRelease(index: ReadIndex, id: string, range = '*'): Release {
	if (!hasDriver(index, id)) throw pluginErrors.make('not_found', { driver: id })
	const all = releasesOf(index, id)
	const inRange = all.filter(release => satisfies(release.version, range, { includePrerelease: range !== '*' }))
	const fitting = inRange.find(release => !incompatibilityOf(release))
	if (fitting) return fitting
	const newest = inRange[0]
	const tooNew = index.tooNew.find(release => release.id === id)
	const reason =
		(newest && incompatibilityOf(newest)) ??
		(tooNew && `${tooNew.version} needs a newer Roundhouse`) ??
		`none is in the range ${range}`
	throw pluginErrors.make('no_fitting_release', { driver: id, reason })
}
