import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Metadata, type Root, Signature, type Snapshot, type Targets, type Timestamp } from '@tufjs/models'
import { registryErrors } from '../format/errors.ts'

/** A public key as metadata represents it. */
export type KeyDocument = { keytype: 'ed25519'; scheme: 'ed25519'; keyval: { public: string } }

/** Metadata of any role. */
export type SignedMetadata = Metadata<Root> | Metadata<Targets> | Metadata<Snapshot> | Metadata<Timestamp>

const publicKeyPattern = /^[0-9a-f]{64}$/

/** @param publicKey the 32 bytes of an Ed25519 public key in hexadecimal digits */
export function keyDocument(publicKey: string): KeyDocument {
	if (!publicKeyPattern.test(publicKey)) throw registryErrors.make('public_key_malformed', { key: publicKey })
	return { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: publicKey } }
}

/** Returns the SHA-256 of the key in canonical JSON. For these members that means alphabetical order and no spaces. */
export function keyId({ keytype, keyval, scheme }: KeyDocument): string {
	return createHash('sha256').update(JSON.stringify({ keytype, keyval, scheme })).digest('hex')
}

/** A private key for signing. */
export class SigningKey {
	readonly id: string
	readonly document: KeyDocument
	readonly #privateKey: KeyObject

	/** @param privateKey an Ed25519 key */
	constructor(privateKey: KeyObject) {
		this.#privateKey = privateKey
		// The last 32 bytes of an Ed25519 key in DER are the public key (RFC 8410).
		const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
		this.document = keyDocument(der.subarray(-32).toString('hex'))
		this.id = keyId(this.document)
	}

	get publicKey(): string {
		return this.document.keyval.public
	}

	/** Adds this key's signature to the existing ones. */
	sign(metadata: SignedMetadata): void {
		metadata.sign(bytes => new Signature({ keyID: this.id, sig: sign(null, bytes, this.#privateKey).toString('hex') }))
	}
}
