import {
	documentTypes,
	indexSchema,
	type PublicKey,
	type ReadIndex,
	type Root,
	rootSchema,
} from '@roundhouse/registry/documents'
import {
	calculateJwkThumbprint,
	compactVerify,
	type GeneralJWS,
	generalVerify,
	importJWK,
	type JWSHeaderParameters,
} from 'jose'
import { messageOf } from '../base/errors.ts'
import { pluginErrors } from './errors.ts'

/**
 * The checks of the registry's documents, each a function of text, keys and time. They verify the signature before
 * they look at the content, and refuse rather than guess.
 */

const algorithms = ['Ed25519', 'EdDSA']

/** What the host believes before it reads a root: the pinned fingerprint, or the root it verified last. */
export interface RootTrust {
	readonly registry: string
	readonly fingerprint: string
	readonly known?: Root | undefined
}

/**
 * Verifies a root: signed by a key of the root known before (or by the pinned one, the first time) and by one of its
 * own keys, not expired, not older.
 * @throws HostError `plugin/root_untrusted`, `root_expired`, `root_older`
 */
export async function verifyRoot(jws: string, trust: RootTrust, now: Date): Promise<Root> {
	const { registry, known } = trust
	const untrusted = (cause: unknown) => pluginErrors.make('root_untrusted', { registry }, { cause })
	let root: Root
	try {
		const parsed: GeneralJWS = JSON.parse(jws)
		// Which keys it was signed with is known only after its own keys are read; nothing is believed until they verify.
		const claimed = rootSchema.parse(JSON.parse(Buffer.from(parsed.payload, 'base64url').toString('utf8')))
		const elders = known?.rootKeys ?? (await pinned(claimed.rootKeys, trust.fingerprint))
		await verifyBy(parsed, elders)
		await verifyBy(parsed, claimed.rootKeys)
		root = claimed
	} catch (error) {
		throw untrusted(error)
	}
	if (known && root.version < known.version) {
		throw pluginErrors.make('root_older', { registry, version: root.version, seen: known.version })
	}
	if (Date.parse(root.expires) <= now.getTime())
		throw pluginErrors.make('root_expired', { registry, expires: root.expires })
	return root
}

async function pinned(keys: readonly PublicKey[], fingerprint: string): Promise<readonly PublicKey[]> {
	const matching = []
	for (const key of keys) if ((await calculateJwkThumbprint(key, 'sha256')) === fingerprint) matching.push(key)
	return matching
}

async function verifyBy(jws: GeneralJWS, keys: readonly PublicKey[]): Promise<void> {
	await generalVerify(jws, header => keyFor(header, keys, documentTypes.root), { algorithms })
}

async function keyFor(header: JWSHeaderParameters | undefined, keys: readonly PublicKey[], type: string) {
	if (header?.typ !== type) throw new Error(`it is not a ${type}`)
	for (const key of keys)
		if ((await calculateJwkThumbprint(key, 'sha256')) === header.kid) return importJWK(key, 'Ed25519')
	throw new Error('it is signed by a key that nobody vouches for')
}

/** Verifies who signed an index and reads it, whatever its age. @throws HostError `plugin/signature_invalid`, `index_malformed` */
export async function readIndex(jws: string, root: Root, registry: string): Promise<ReadIndex> {
	const payload = await compactVerify(jws, header => keyFor(header, root.indexKeys, documentTypes.index), {
		algorithms,
	}).catch(cause => {
		throw pluginErrors.make('signature_invalid', { registry }, { cause })
	})
	try {
		return indexSchema.parse(JSON.parse(Buffer.from(payload.payload).toString('utf8')))
	} catch (error) {
		throw pluginErrors.make('index_malformed', { registry, reason: messageOf(error) }, { cause: error })
	}
}

/** {@link readIndex}, and neither expired nor older than the one seen before. @throws HostError `plugin/index_expired`, `index_older` */
export async function verifyIndex(
	jws: string,
	root: Root,
	registry: string,
	seen: number,
	now: Date,
): Promise<ReadIndex> {
	const index = await readIndex(jws, root, registry)
	if (Date.parse(index.expires) <= now.getTime())
		throw pluginErrors.make('index_expired', { registry, expires: index.expires })
	if (index.version < seen) throw pluginErrors.make('index_older', { registry, version: index.version, seen })
	return index
}
