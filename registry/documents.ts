import { manifestSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'

/**
 * The registry's two documents, after what The Update Framework teaches.
 *
 * `root.jws` names the keys and is signed by the root key, whose fingerprint the host pins; `index.jws` lists the
 * releases and is signed by an index key that the root names. Both carry a `version` that may only grow (no rollback)
 * and an `expires` (no freeze). One digest names exactly one package (no mix-and-match).
 */

/** An Ed25519 public key (RFC 8037). Its id is its RFC 7638 thumbprint. */
const publicKeySchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
export type PublicKey = z.infer<typeof publicKeySchema>

const sha512 = z.string().regex(/^[0-9a-f]{128}$/)

/** A path inside a package: plain names only, so that it means the same on every system. */
const packagePath = z.string().regex(/^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9_@.-]+(\/[A-Za-z0-9_@.-]+)*$/)

export const rootSchema = z.object({
	type: z.literal('root'),
	version: z.int().positive(),
	expires: z.iso.datetime(),
	/** Keys that may sign the next root. */
	rootKeys: z.array(publicKeySchema).min(1),
	/** Keys that may sign the index. */
	indexKeys: z.array(publicKeySchema).min(1),
})
export type Root = z.infer<typeof rootSchema>

const anyReleaseSchema = z.object({
	id: z.string(),
	version: z.string(),
	/** The package's own manifest, so that everything but running the driver works before the download. */
	manifest: manifestSchema,
	license: z.string(),
	publishedAt: z.iso.datetime(),
	/** The oldest host that can run it. */
	minHostVersion: z.string(),
	/** Withdrawn: stays installed where it is, is not installed anew. */
	isYanked: z.boolean().default(false),
	package: z.object({
		/** Relative to the index. */
		path: packagePath,
		sizeBytes: z.int().positive(),
		sha512,
	}),
	/** Every file of the unpacked package; checked again at each load. */
	files: z.record(packagePath, z.object({ sizeBytes: z.int().nonnegative(), sha512 })),
})
/** A release is what its manifest says: under another name it would get that one's connections, tools and consents. */
const isItself = ({ id, manifest }: { readonly id: string; readonly manifest: { readonly id: string } }) =>
	id === manifest.id
const borrowedName = 'a release wears the name of another driver'
export const releaseSchema = anyReleaseSchema.refine(isItself, { message: borrowedName })
export type Release = z.infer<typeof releaseSchema>

/** What every release says, also one that only a newer host understands. */
const anyNewReleaseSchema = z
	.looseObject({ id: z.string(), version: z.string(), manifest: z.looseObject({ id: z.string() }) })
	.refine(isItself, { message: borrowedName })

/** An index as it is published. */
export interface Index {
	readonly type: 'index'
	readonly version: number
	readonly expires: string
	readonly name: string
	readonly releases: readonly Release[]
}

/** An index as a host reads it: one by one, so that one release from tomorrow does not hide all the others. */
export interface ReadIndex extends Index {
	/** What this host does not understand. */
	readonly tooNew: readonly { readonly id: string; readonly version: string }[]
}

export const indexSchema = z
	.object({
		type: z.literal('index'),
		version: z.int().positive(),
		expires: z.iso.datetime(),
		name: z.string(),
		releases: z.array(anyNewReleaseSchema),
	})
	.transform(({ releases: all, ...index }): ReadIndex => {
		const [releases, tooNew]: [Release[], ReadIndex['tooNew'][number][]] = [[], []]
		for (const one of all) {
			const { data } = releaseSchema.safeParse(one)
			if (data) releases.push(data)
			else tooNew.push({ id: one.id, version: one.version })
		}
		return { ...index, releases, tooNew }
	})

/** `typ` of the protected header, so that a signature over one document can never pass for the other. */
export const documentTypes = { root: 'roundhouse-root+jws', index: 'roundhouse-index+jws' } as const

/** The folder that every entry of a package lies in, as npm has it. */
export const packagePrefix = 'package/'
