import { kitVersion } from '@roundhouse/kit/version'
import type { Revocation } from '@roundhouse/registry/format'
import { compare, gte, satisfies } from 'semver'
import { hostVersion } from '../base/version.ts'
import { pluginErrors } from './errors.ts'
import type { ListedRelease, Listing } from './registry/listing.ts'

/** A driver as one publisher of a registry has it. */
export interface DriverName {
	readonly publisher: string
	readonly id: string
}

export type Revocations = ReadonlyMap<string, Revocation>

/** Why a release cannot be installed, or `undefined`. */
export type FaultOf = (release: ListedRelease) => string | undefined

/** Why a release cannot be installed by this host, or `undefined`. */
export function incompatibilityOf(release: ListedRelease, revocations: Revocations): string | undefined {
	const { version, summary } = release
	const revocation = revocations.get(release.package.hashes.sha512 ?? '')
	if (revocation?.action === 'stop') return `${version} was revoked: ${revocation.reason.replace(/\.$/, '')}`
	if (summary.isYanked) return `${version} was withdrawn`
	if (!satisfies(kitVersion, summary.api)) return `${version} needs driver API ${summary.api}, this is ${kitVersion}`
	if (!gte(hostVersion, summary.minHostVersion)) return `${version} needs Roundhouse ${summary.minHostVersion} or newer`
	return undefined
}

const isOf =
	({ publisher, id }: DriverName) =>
	(release: DriverName) =>
		release.publisher === publisher && release.id === id

/** Releases of one driver, newest first. */
export function releasesOf({ releases }: Listing, driver: DriverName): readonly ListedRelease[] {
	return releases.filter(isOf(driver)).sort((a, b) => compare(b.version, a.version))
}

/** The drivers that a registry has, in its own order; also those that only a newer host understands. */
export function driversOf({ releases, tooNew }: Listing): readonly DriverName[] {
	const names = [...releases, ...tooNew].map(({ publisher, id }) => ({ publisher, id }))
	return [...new Map(names.map(name => [`${name.publisher}/${name.id}`, name])).values()]
}

/**
 * The releases to install from, the best first: the newest that fit.
 * @throws HostError `plugin/no_fitting_release` where there is none
 */
export function chooseReleases(
	listing: Listing,
	driver: DriverName,
	{ range = '*', faultOf }: { readonly range?: string | undefined; readonly faultOf: FaultOf },
): readonly ListedRelease[] {
	const none = (reason: string) => pluginErrors.make('no_fitting_release', { driver: driver.id, reason })
	const inRange = releasesOf(listing, driver).filter(release =>
		satisfies(release.version, range, { includePrerelease: range !== '*' }),
	)
	const fitting = inRange.filter(release => !faultOf(release))
	if (fitting.length > 0) return fitting
	const [newest] = inRange
	const tooNew = listing.tooNew.find(isOf(driver))
	throw none(
		(newest && faultOf(newest)) ??
			(tooNew && `${tooNew.version} needs a newer Roundhouse`) ??
			`none is in the range ${range}`,
	)
}
