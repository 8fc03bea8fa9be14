import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Metadata, type Root, Signature, type Snapshot, type Targets, type Timestamp } from '@tufjs/models'
import { registryErrors } from './errors.ts'

/** A public key as metadata names it. */
export type KeyDocument = { keytype: 'ed25519'; scheme: 'ed25519'; keyval: { public: string } }

/** What any role signs. */
export type SignedMetadata = Metadata<Root> | Metadata<Targets> | Metadata<Snapshot> | Metadata<Timestamp>

const publicKeyPattern = /^[0-9a-f]{64}$/

/** @param publicKey the 32 bytes of an Ed25519 public key in hexadecimal digits */
export function keyDocument(publicKey: string): KeyDocument {
	if (!publicKeyPattern.test(publicKey)) throw registryErrors.make('public_key_malformed', { key: publicKey })
	return { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: publicKey } }
}

/** SHA-256 of the key in canonical JSON, which for these members is their alphabetical order and no spaces. */
export function keyId({ keytype, keyval, scheme }: KeyDocument): string {
	return createHash('sha256').update(JSON.stringify({ keytype, keyval, scheme })).digest('hex')
}

/** A private key in the hands of whoever signs. */
export class SigningKey {
	readonly id: string
	readonly document: KeyDocument
	readonly #privateKey: KeyObject

	/** @param privateKey an Ed25519 key */
	constructor(privateKey: KeyObject) {
		this.#privateKey = privateKey
		// The last 32 bytes of an Ed25519 key in DER are the key itself (RFC 8410).
		const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
		this.document = keyDocument(der.subarray(-32).toString('hex'))
		this.id = keyId(this.document)
	}

	get publicKey(): string {
		return this.document.keyval.public
	}

	/** Adds this key's signature to those that are there. */
	sign(metadata: SignedMetadata): void {
		metadata.sign(bytes => new Signature({ keyID: this.id, sig: sign(null, bytes, this.#privateKey).toString('hex') }))
	}
}
