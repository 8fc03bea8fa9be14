import { manifestSchema, permissionsSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'

/**
 * What a registry publishes: The Update Framework's metadata and targets, with consistent snapshots, and in them what
 * Roundhouse says of a driver's release.
 *
 * - `metadata/`: `1.root.json`, `2.root.json`, …; `timestamp.json`; `<version>.<role>.json` of `snapshot`, `targets` and
 *   each delegated role.
 * - `targets/`: each target under its path, its name preceded by its SHA-512 and a dot.
 *
 * `targets` vouches for `registry.json` and delegates `revocations.json` to the role `revocations`, and everything under
 * `<publisher>/` to the role of that name, which ends the search. Source: theupdateframework.github.io/specification
 */

export const metadataFolder = 'metadata'
export const targetsFolder = 'targets'

/** The folder that every entry of a package lies in, as npm has it. */
export const packagePrefix = 'package/'

export const sha512 = z.string().regex(/^[0-9a-f]{128}$/)

/** A path of plain names only, so that it means the same on every system and leads nowhere else. */
export const plainPath = z.string().regex(/^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9_@.-]+(\/[A-Za-z0-9_@.-]+)*$/)

/** The role that signs `revocations.json`: apart, so that it can sign at once, and nothing else. */
export const revocationsRole = 'revocations'

const reservedRoles = ['root', 'targets', 'snapshot', 'timestamp', revocationsRole]

/** A publisher's name is the name of its role and the first part of its targets' paths. */
export const publisherName = z
	.string()
	.regex(/^[a-z][a-z0-9-]{0,39}$/)
	.refine(name => !reservedRoles.includes(name), { message: 'is the name of a role of every registry' })

/** `registry.json`: how the registry calls itself. */
export const registryTarget = 'registry.json'
export const registrySchema = z.object({ name: z.string().min(1).max(100) })

/** The paths of a release's two targets: the package, and the document that says what is in it. */
export function releaseTargets(publisher: string, id: string, version: string) {
	const path = `${publisher}/${id}/${version}`
	return { package: `${path}.tgz`, document: `${path}.json` }
}

/** `custom` of a package's target: what is needed to choose a release before its document is fetched. */
export const releaseSummarySchema = z.object({
	/** SHA-512 of the release's document. */
	document: sha512,
	/** Range of the driver API it was written for. */
	api: z.string(),
	/** The oldest host that can run it. */
	minHostVersion: z.string(),
	permissions: permissionsSchema,
	license: z.string(),
	publishedAt: z.iso.datetime(),
	/** Withdrawn: stays installed where it is, is not installed anew. */
	isYanked: z.boolean().default(false),
})
export type ReleaseSummary = z.infer<typeof releaseSummarySchema>

/** A release's document: everything but running the driver works before its package is downloaded. */
export const releaseDocumentSchema = z.object({
	manifest: manifestSchema,
	/** Every file of the unpacked package; checked again at each load. */
	files: z.record(plainPath, z.object({ sizeBytes: z.int().nonnegative(), sha512 })),
})
export type ReleaseDocument = z.infer<typeof releaseDocumentSchema>

/** `revocations.json`: releases that must not be trusted any more, also where they are installed. */
export const revocationsTarget = 'revocations.json'
export const revocationsSchema = z.object({
	revocations: z.array(
		z.object({
			/** SHA-512 of the package. */
			sha512,
			/** For the person: which release that is. */
			release: z.string(),
			reason: z.string().min(1).max(1000),
			/** `warn`: the driver runs, and the person is told. `stop`: it does not run. */
			action: z.enum(['warn', 'stop']),
			revokedAt: z.iso.datetime(),
		}),
	),
})
export type Revocation = z.infer<typeof revocationsSchema>['revocations'][number]
