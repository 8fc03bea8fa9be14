import { kitVersion } from '@roundhouse/kit/version'
import type { Revocation } from '@roundhouse/registry/format/format'
import { compare, gte, satisfies } from 'semver'
import { hostVersion } from '../../base/version.ts'
import type { ListedRelease, Listing } from '../../registry/client/listing.ts'
import { pluginErrors } from './errors.ts'

/** Names a driver within a registry. */
export interface DriverName {
	readonly publisher: string
	readonly id: string
}

export type Revocations = ReadonlyMap<string, Revocation>

/** Returns why a release cannot be installed, or `undefined` if it can. */
export type RejectionOf = (release: ListedRelease) => string | undefined

/**
 * Returns why the driver API of this host does not match a range, as a phrase without a subject. Returns `undefined` if
 * it matches.
 */
export function apiFaultOf(range: string): string | undefined {
	return satisfies(kitVersion, range) ? undefined : `needs driver API ${range}, this is ${kitVersion}`
}

/** Returns why this host cannot install a release, or `undefined`. */
export function incompatibilityOf(release: ListedRelease, revocations: Revocations): string | undefined {
	const { version, summary } = release
	const revocation = revocations.get(release.package.hashes.sha512 ?? '')
	if (revocation?.action === 'stop') return `${version} was revoked: ${revocation.reason.replace(/\.$/, '')}`
	if (summary.isYanked) return `${version} was withdrawn`
	const apiFault = apiFaultOf(summary.api)
	if (apiFault !== undefined) return `${version} ${apiFault}`
	if (!gte(hostVersion, summary.minHostVersion)) return `${version} needs Roundhouse ${summary.minHostVersion} or newer`
	return undefined
}

const belongsTo =
	({ publisher, id }: DriverName) =>
	(release: DriverName) =>
		release.publisher === publisher && release.id === id

/** Returns the releases of all drivers, newest first, in one pass: a list may have tens of thousands. */
export function releasesByDriver({ releases }: Listing): (driver: DriverName) => readonly ListedRelease[] {
	const groups = Map.groupBy(releases, keyOf)
	return driver => (groups.get(keyOf(driver)) ?? []).toSorted((a, b) => compare(b.version, a.version))
}

const keyOf = ({ publisher, id }: DriverName) => `${publisher}/${id}`

/** Returns the drivers of a registry in its order, including those that need a newer host. */
export function driversOf({ releases, tooNew }: Listing): readonly DriverName[] {
	const names = [...releases, ...tooNew].map(({ publisher, id }) => ({ publisher, id }))
	return [...new Map(names.map(name => [keyOf(name), name])).values()]
}

/**
 * Returns the compatible releases in the range, newest first.
 * @throws HostError `plugin/no_fitting_release` if no release fits
 */
export function chooseReleases(
	listing: Listing,
	driver: DriverName,
	{ range = '*', faultOf }: { readonly range?: string | undefined; readonly faultOf: RejectionOf },
): readonly ListedRelease[] {
	const noCompatibleRelease = (reason: string) => pluginErrors.make('no_fitting_release', { driver: driver.id, reason })
	const inRange = releasesByDriver(listing)(driver).filter(release =>
		satisfies(release.version, range, { includePrerelease: range !== '*' }),
	)
	const fitting = inRange.filter(release => !faultOf(release))
	if (fitting.length > 0) return fitting
	const [newest] = inRange
	const tooNew = listing.tooNew.find(belongsTo(driver))
	throw noCompatibleRelease(
		(newest && faultOf(newest)) ??
			(tooNew && `${tooNew.version} needs a newer Roundhouse`) ??
			`none is in the range ${range}`,
	)
}
