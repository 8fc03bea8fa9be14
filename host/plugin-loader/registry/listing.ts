import {
	publisherName,
	type ReleaseSummary,
	releaseSummarySchema,
	releaseTargets,
	revocationsRole,
} from '@roundhouse/registry/format'
import type { Metadata, TargetFile, Targets } from '@tufjs/models'
import { valid } from 'semver'
import { messageOf } from '../../base/errors.ts'
import type { Generation } from './metadata-cache.ts'
import { vouchedRole, vouchedSnapshot, vouchedTargets } from './vouched.ts'

/** Which release is meant: the registry is known. */
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

/** What a registry has. */
export interface Listing {
	readonly releases: readonly ListedRelease[]
	/** What this host does not understand: read one by one, so that a release of tomorrow hides none of the others. */
	readonly tooNew: readonly ReleaseName[]
	/** Publishers whose list is missing or out of date, and why: what is known of it is shown, none of it installed. */
	readonly faults: ReadonlyMap<string, string>
}

/** The roles that sign releases: those whose name is a publisher's, and whose delegation covers what lies under it. */
export function publishersIn({ signed }: Metadata<Targets>): string[] {
	return Object.values(signed.delegations?.roles ?? {})
		.filter(role => publisherName.safeParse(role.name).success && role.isDelegatedPath(anyPathOf(role.name)))
		.map(({ name }) => name)
}

/** A path that a publisher's role answers for, whatever it lists. */
export const anyPathOf = (publisher: string) => `${publisher}/-/-`

export const hasRevocations = ({ signed }: Metadata<Targets>) =>
	signed.delegations?.roles?.[revocationsRole] !== undefined

/** @throws Error where the registry's own list is not signed as the root says; one publisher's costs its own drivers */
export async function readListing(generation: Generation, now: Date): Promise<Listing> {
	const targets = await vouchedTargets(generation)
	const { meta } = (await vouchedSnapshot(generation)).signed
	const listing = { releases: [] as ListedRelease[], tooNew: [] as ReleaseName[], faults: new Map<string, string>() }
	for (const publisher of publishersIn(targets)) {
		try {
			const { signed } = await vouchedRole(generation, targets, publisher)
			for (const path of Object.keys(signed.targets)) {
				const name = nameOf(path, publisher)
				if (!name) continue
				const release = releaseIn(signed, name)
				if (release) listing.releases.push(release)
				else listing.tooNew.push(name)
			}
			if (signed.version !== meta[`${publisher}.json`]?.version) throw new Error('its newest list did not arrive')
			if (signed.isExpired(now)) throw new Error(`its list expired on ${signed.expires}`)
		} catch (error) {
			// A publisher may be named before it signs for the first time.
			if (meta[`${publisher}.json`]) listing.faults.set(publisher, messageOf(error))
		}
	}
	return listing
}

/** One release as its publisher's newest list has it. @throws Error where that list is not signed as it must be */
export async function readRelease(generation: Generation, name: ReleaseName): Promise<ListedRelease | undefined> {
	const targets = await vouchedTargets(generation)
	if (!publishersIn(targets).includes(name.publisher)) return undefined
	return releaseIn((await vouchedRole(generation, targets, name.publisher)).signed, name)
}

function nameOf(path: string, publisher: string): ReleaseName | undefined {
	const [owner, id, file, ...rest] = path.split('/')
	const version = file?.endsWith('.tgz') ? valid(file.slice(0, -'.tgz'.length)) : null
	return owner === publisher && id && version && rest.length === 0 ? { publisher, id, version } : undefined
}

function releaseIn({ targets }: Targets, name: ReleaseName): ListedRelease | undefined {
	const paths = releaseTargets(name.publisher, name.id, name.version)
	const [pack, document] = [targets[paths.package], targets[paths.document]]
	const { data: summary } = releaseSummarySchema.safeParse(pack?.custom)
	if (!pack?.hashes.sha512 || !summary || document?.hashes.sha512 !== summary.document) return undefined
	return { ...name, summary, package: pack, document }
}
