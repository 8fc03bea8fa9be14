import type { Metadata, TargetFile, Targets } from '@tufjs/models'
import { valid } from 'semver'
import { messageOf } from '../../base/errors.ts'
import {
	driverId,
	packageLimits,
	publisherName,
	type ReleaseSummary,
	releaseSummarySchema,
	releaseTargets,
	revocationsRole,
	sha512,
} from '../format/format.ts'
import { validityFault } from '../format/validity.ts'
import type { Generation } from './metadata-cache.ts'
import { verifiedRole, verifiedSnapshot, verifiedTargets } from './verified-roles.ts'

/** Names a release within a registry. */
export interface ReleaseName {
	readonly publisher: string
	readonly id: string
	readonly version: string
}

/** A release as its publisher's role lists it. */
export interface ListedRelease extends ReleaseName {
	readonly summary: ReleaseSummary
	readonly package: TargetFile
	readonly document: TargetFile
}

/** The content of a registry. */
export interface Listing {
	readonly releases: readonly ListedRelease[]
	/**
	 * Releases that this host does not understand. Entries are parsed one by one, so that a release in a newer format
	 * hides no other.
	 */
	readonly tooNew: readonly ReleaseName[]
	/**
	 * Publishers whose list is missing or out of date, each with the reason. Their known releases are shown, but cannot
	 * be installed.
	 */
	readonly faults: ReadonlyMap<string, string>
}

/**
 * Returns the roles that sign releases: those named after a publisher, whose delegation covers the paths below that
 * name.
 */
export function publishersIn({ signed }: Metadata<Targets>): string[] {
	return Object.values(signed.delegations?.roles ?? {})
		.filter(role => publisherName.safeParse(role.name).success && role.isDelegatedPath(anyPathOf(role.name)))
		.map(({ name }) => name)
}

/** Returns a path that the role of a publisher is delegated, whatever it lists. */
export const anyPathOf = (publisher: string) => `${publisher}/-/-`

export const hasRevocations = ({ signed }: Metadata<Targets>) =>
	signed.delegations?.roles?.[revocationsRole] !== undefined

/**
 * Reads the list of a registry. An invalid list of one publisher excludes only that publisher's drivers.
 * @throws Error if the registry's list is not signed as the root requires
 */
export async function readListing(generation: Generation, now: Date): Promise<Listing> {
	// Client workflow 5.7.1: the metadata that was verified, from the root down
	const targets = await verifiedTargets(generation)
	const { meta } = (await verifiedSnapshot(generation)).signed
	const listing = { releases: [] as ListedRelease[], tooNew: [] as ReleaseName[], faults: new Map<string, string>() }
	for (const publisher of publishersIn(targets)) {
		try {
			const { signed } = await verifiedRole(generation, targets, publisher)
			const names = Object.keys(signed.targets).flatMap(path => nameOf(path, publisher) ?? [])
			for (const name of names) {
				const release = releaseAmong(signed.targets, name)
				if (release) listing.releases.push(release)
				else listing.tooNew.push(name)
			}
			// Client workflow 5.6.4: the version that the snapshot names
			if (signed.version !== meta[`${publisher}.json`]?.version) throw new Error('its newest list is missing')
			// Client workflow 5.6.5: not expired
			if (signed.isExpired(now)) throw new Error(`its list expired on ${signed.expires}`)
			const fault = validityFault(signed.expires, now)
			if (fault !== undefined) throw new Error(`its list ${fault}`)
		} catch (error) {
			// A publisher may be delegated before it signs for the first time.
			if (meta[`${publisher}.json`]) listing.faults.set(publisher, messageOf(error))
		}
	}
	return listing
}

/** Reads one release from its publisher's newest list. @throws Error if that list is not signed as required */
export async function readRelease(generation: Generation, name: ReleaseName): Promise<ListedRelease | undefined> {
	const targets = await verifiedTargets(generation)
	if (!publishersIn(targets).includes(name.publisher)) return undefined
	return releaseAmong((await verifiedRole(generation, targets, name.publisher)).signed.targets, name)
}

/**
 * Returns the release whose package has this path, or `undefined` for another file.
 * @throws Error if a package has a name that no driver can have. Text of a publisher would then reach the user.
 */
function nameOf(path: string, publisher: string): ReleaseName | undefined {
	if (!path.endsWith('.tgz')) return undefined
	const [owner, id, file = '', ...rest] = path.slice(0, -'.tgz'.length).split('/')
	const version = valid(file)
	const isRelease = owner === publisher && version === file && rest.length === 0
	if (!isRelease || !id || !driverId.safeParse(id).success) throw new Error('its list has a package that is no release')
	return { publisher, id, version }
}

/** Returns the release of a name among targets by their paths, if both of its targets are listed and fit. */
export function releaseAmong(targets: Targets['targets'], name: ReleaseName): ListedRelease | undefined {
	const paths = releaseTargets(name.publisher, name.id, name.version)
	const [pack, document] = [paths.package, paths.document].map(path =>
		Object.hasOwn(targets, path) ? targets[path] : undefined,
	)
	const { data: summary } = releaseSummarySchema.safeParse(pack?.custom)
	if (!pack || !sha512.safeParse(pack.hashes.sha512).success || pack.length > packageLimits.packageBytes)
		return undefined
	if (!summary || document?.hashes.sha512 !== summary.document) return undefined
	return { ...name, summary, package: pack, document }
}
