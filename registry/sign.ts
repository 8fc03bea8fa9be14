import { CompactSign, GeneralSign, importJWK } from 'jose'
import { documentTypes, type Index, type Root } from './documents.ts'
import type { SigningKey } from './keys.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const header = (type: string, key: SigningKey) => ({ alg: 'Ed25519', kid: key.id, typ: type })

/** `root.jws`: a general JWS, so that the old and the new root key can both sign a rotation. */
export async function signRoot(root: Root, keys: readonly SigningKey[]): Promise<string> {
	const jws = new GeneralSign(bytes(root))
	for (const key of keys) {
		jws.addSignature(await importJWK(key.privateJwk, 'Ed25519')).setProtectedHeader(header(documentTypes.root, key))
	}
	return JSON.stringify(await jws.sign())
}

/** `index.jws`: a compact JWS. */
export async function signIndex(index: Index, key: SigningKey): Promise<string> {
	return new CompactSign(bytes(index))
		.setProtectedHeader(header(documentTypes.index, key))
		.sign(await importJWK(key.privateJwk, 'Ed25519'))
}
