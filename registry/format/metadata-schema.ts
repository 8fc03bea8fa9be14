import './linear-models.ts'
import { Metadata, MetadataKind } from '@tufjs/models'
import { z } from 'zod'
import { boundedRecord } from './format.ts'
import { parseSigned } from './signed-json.ts'

/**
 * The outline of every signed document, as specification 1.0 of The Update Framework has it (section 4). It is checked
 * before a signature is, because the library that verifies signatures believes its input: it takes time quadratic in
 * the number of keys and roles, and returns digests as they are. Unknown members are allowed, because they are signed
 * too.
 */

/** Largest document, in bytes. */
export const maxMetadataBytes = 16 * 1024 * 1024
/** No registry needs this many keys or roles. */
const maxNames = 1000
/** More than fits into a document. */
const maxFiles = 50_000

const name = z.string().min(1).max(100)
const count = z.int().min(1).max(maxNames)
const version = z.int().min(0)
const keyId = z.string().min(1).max(128)
/** The digest becomes a part of an address. */
const hashes = boundedRecord(
	[z.string().regex(/^sha(?:224|256|384|512)$/), z.string().regex(/^(?:[0-9a-f]{8}){7,16}$/)],
	4,
)

/** Section 4.2: what each document has. */
const signed = {
	_type: name,
	spec_version: z.string().regex(/^\d{1,3}(?:\.\d{1,3}){1,2}$/),
	version,
	expires: z.iso.datetime().max(40),
}

const keys = boundedRecord(
	[keyId, z.looseObject({ keytype: name, scheme: name, keyval: z.looseObject({ public: z.string().max(8192) }) })],
	maxNames,
)
const role = { keyids: z.array(keyId).max(maxNames), threshold: count }
const metaFile = z.looseObject({
	version,
	length: z.int().min(1).max(maxMetadataBytes).optional(),
	hashes: hashes.optional(),
})
const meta = boundedRecord([z.string().min(1).max(200), metaFile], maxFiles)
const path = z.string().min(1).max(1000)
const patterns = z.array(path).max(maxNames).optional()

/** Sections 4.3 to 4.6, by type. */
export const signedSchemas = {
	root: z.looseObject({
		...signed,
		consistent_snapshot: z.boolean().optional(),
		keys,
		roles: boundedRecord([name, z.looseObject(role)], maxNames),
	}),
	timestamp: z.looseObject({ ...signed, meta }),
	snapshot: z.looseObject({ ...signed, meta }),
	targets: z.looseObject({
		...signed,
		targets: boundedRecord(
			[path, z.looseObject({ length: z.int().min(0), hashes, custom: z.looseObject({}).optional() })],
			maxFiles,
		),
		delegations: z
			.looseObject({
				keys,
				roles: z
					.array(
						z.looseObject({
							...role,
							name,
							terminating: z.boolean(),
							paths: patterns,
							path_hash_prefixes: patterns,
						}),
					)
					.max(maxNames)
					.optional(),
				succinct_roles: z.looseObject({ ...role, bit_length: z.int().min(1).max(32), name_prefix: name }).optional(),
			})
			.optional(),
	}),
} as const

/** Section 4.2: the envelope of each document. */
export const signaturesSchema = z
	.array(z.looseObject({ keyid: keyId, sig: z.string().regex(/^[0-9a-f]{0,8192}$/) }))
	.max(maxNames)

const envelope = z
	.looseObject({
		signatures: signaturesSchema,
		signed: z.looseObject({ _type: z.enum(['root', 'timestamp', 'snapshot', 'targets']) }),
	})
	.superRefine(({ signed }, context) => {
		const [issue] = signedSchemas[signed._type].safeParse(signed).error?.issues ?? []
		if (issue) context.addIssue({ code: 'custom', message: issue.message, path: ['signed', ...issue.path] })
	})

type Json = Parameters<typeof Metadata.fromJSON>[1]

/** Checks the outline of a signed document. @throws Error if it does not have the shape of its type */
export function parseMetadata(bytes: Uint8Array): Json {
	if (bytes.length > maxMetadataBytes) throw new Error(`it is larger than ${maxMetadataBytes} bytes`)
	// A parsed JSON text whose outline is an object.
	return parseSigned(bytes, envelope).json as Json
}

/** Readers of parsed documents, by role. The role of a publisher has the type `targets`. */
export const models = {
	root: (json: Json) => Metadata.fromJSON(MetadataKind.Root, json),
	targets: (json: Json) => Metadata.fromJSON(MetadataKind.Targets, json),
	snapshot: (json: Json) => Metadata.fromJSON(MetadataKind.Snapshot, json),
	timestamp: (json: Json) => Metadata.fromJSON(MetadataKind.Timestamp, json),
}

/** Parsers of documents, by role. @throws Error */
export const parse = {
	root: (bytes: Uint8Array) => models.root(parseMetadata(bytes)),
	targets: (bytes: Uint8Array) => models.targets(parseMetadata(bytes)),
	snapshot: (bytes: Uint8Array) => models.snapshot(parseMetadata(bytes)),
	timestamp: (bytes: Uint8Array) => models.timestamp(parseMetadata(bytes)),
}
