import { manifestSchema, permissionsSchema } from '@roundhouse/kit/manifest'
import { oneLine, shownLine } from '@roundhouse/kit/shown-text'
import { valid, validRange } from 'semver'
import { z } from 'zod'

/**
 * The format of a registry: The Update Framework's metadata and targets, with consistent snapshots. Their `custom` data
 * describes releases of drivers.
 *
 * - `metadata/`: `1.root.json`, `2.root.json`, …; `timestamp.json`; `<version>.<role>.json` of `snapshot`, `targets`
 * and
 * each delegated role.
 * - `targets/`: each target under its path, its file name prefixed with its SHA-512 and a dot.
 *
 * `targets` lists `registry.json`. It delegates `revocations.json` to the role `revocations`, and everything under
 * `<publisher>/` to the role of that name, as a terminating delegation. Source:
 * theupdateframework.github.io/specification
 */

export const metadataFolder = 'metadata'
export const targetsFolder = 'targets'

/** The folder of every entry in a package, as in npm. */
export const packagePrefix = 'package/'

/** Bounds of a package. A host checks them before it downloads, and while it unpacks. */
export const packageLimits = {
	packageBytes: 256 * 1024 * 1024,
	unpackedBytes: 1024 * 1024 * 1024,
	files: 10_000,
	/** Largest ratio of the unpacked to the packed size. */
	ratio: 200,
	documentBytes: 8 * 1024 * 1024,
} as const

export const sha512 = z.string().regex(/^[0-9a-f]{128}$/)

/** A path of plain names only. It means the same on every system and cannot leave its folder. */
export const plainPath = z
	.string()
	.max(200)
	.regex(/^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9_@.-]+(\/[A-Za-z0-9_@.-]+)*$/)

export const semverVersion = z
	.string()
	.max(64)
	.refine(text => valid(text) === text, { message: 'is no semver version' })
	.meta({ description: 'semver version' })
const semverRange = z
	.string()
	.max(200)
	.refine(text => validRange(text) !== null, { message: 'is no semver range' })
	.meta({ description: 'semver range' })
const dateTime = z.iso.datetime().max(40)

/** The id of a driver, which is the second part of the paths of its releases. */
export const driverId = manifestSchema.shape.id

/** Returns a record with an upper limit of members. */
export function boundedRecord<Key extends z.ZodType<string>, Value extends z.ZodType>(
	[key, value]: readonly [Key, Value],
	maxProperties: number,
) {
	return z
		.record(key, value)
		.refine(record => Object.keys(record).length <= maxProperties, {
			message: `has more than ${maxProperties} members`,
		})
		.meta({ maxProperties })
}

/** The role that signs `revocations.json`. A separate role can sign at once, and can sign nothing else. */
export const revocationsRole = 'revocations'

/**
 * A path is signed by the role that `targets` names. A publisher delegates to no other role: each may have a thousand
 * signatures, which a host would verify.
 */
export const maxDelegations = 1
const reservedRoles = ['root', 'targets', 'snapshot', 'timestamp', revocationsRole]

/** A publisher's name. It is also the name of its role and the first part of its targets' paths. */
export const publisherName = z
	.string()
	.regex(/^[a-z][a-z0-9-]{0,39}$/)
	.refine(name => !reservedRoles.includes(name), { message: 'is the name of a role that every registry has' })

/** `registry.json`: the name of the registry. */
export const registryTarget = 'registry.json'
export const registrySchema = z.object({ name: shownLine.min(1).max(100) })

/** `roundhouse.json`: the newest release of Roundhouse itself, by channel. Hosts tell their users, and install nothing. */
export const hostReleasesTarget = 'roundhouse.json'
export const hostReleasesSchema = z.object({
	channels: boundedRecord(
		[z.string().regex(/^[a-z]{1,20}$/), z.object({ version: semverVersion, releasedAt: dateTime })],
		20,
	),
})
export type HostReleases = z.infer<typeof hostReleasesSchema>

/** Returns the paths of a release's two targets: the package, and the document that describes it. */
export function releaseTargets(publisher: string, id: string, version: string) {
	const path = `${publisher}/${id}/${version}`
	return { package: `${path}.tgz`, document: `${path}.json` }
}

/** `custom` of a package's target: the data that is needed to choose a release before its document is fetched. */
export const releaseSummarySchema = z.object({
	/** SHA-512 of the release's document. */
	document: sha512,
	/** Range of the driver API that the release was written for. */
	api: semverRange,
	/** Oldest host version that can run it. */
	minHostVersion: semverVersion,
	permissions: permissionsSchema,
	license: shownLine,
	publishedAt: dateTime,
	/** Whether the release is withdrawn. It keeps working where it is installed, but cannot be installed. */
	isYanked: z.boolean().default(false),
})
export type ReleaseSummary = z.infer<typeof releaseSummarySchema>

/** A release's document. Everything except running the driver works with it, before the package is downloaded. */
export const releaseDocumentSchema = z.object({
	manifest: manifestSchema,
	/** Every file of the unpacked package. Checked again at each load. */
	files: boundedRecord(
		[plainPath, z.object({ sizeBytes: z.int().min(0).max(packageLimits.unpackedBytes), sha512 })],
		packageLimits.files,
	).refine(
		files => Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= packageLimits.unpackedBytes,
		{ message: `are larger than ${packageLimits.unpackedBytes} bytes together` },
	),
})
export type ReleaseDocument = z.infer<typeof releaseDocumentSchema>

/** `revocations.json`: releases that must no longer be trusted, also if they are installed. */
export const revocationsTarget = 'revocations.json'
export const revocationsSchema = z.object({
	revocations: z
		.array(
			z.object({
				/** SHA-512 of the package. */
				sha512,
				/** The release, for messages to the user. */
				release: shownLine,
				reason: z.string().min(1).max(1000).transform(oneLine),
				/** `warn`: the driver runs, and the user is warned. `stop`: the driver does not run. */
				action: z.enum(['warn', 'stop']),
				revokedAt: dateTime,
			}),
		)
		.max(10_000),
})
export type Revocation = z.infer<typeof revocationsSchema>['revocations'][number]
