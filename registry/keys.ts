import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK_OKP_Private } from 'jose'
import type { PublicKey } from './documents.ts'

/** A signing key as it lies on the publisher's machine. */
export interface SigningKey {
	readonly id: string
	readonly privateJwk: JWK_OKP_Private
	readonly publicJwk: PublicKey
}

export interface SigningKeys {
	readonly root: SigningKey
	readonly index: SigningKey
}

export async function makeKey(): Promise<SigningKey> {
	const { privateKey } = await generateKeyPair('Ed25519', { extractable: true })
	// generateKeyPair('Ed25519') makes an OKP key.
	return fromJwk((await exportJWK(privateKey)) as JWK_OKP_Private)
}

async function fromJwk(privateJwk: JWK_OKP_Private): Promise<SigningKey> {
	const publicJwk: PublicKey = { kty: 'OKP', crv: 'Ed25519', x: privateJwk.x }
	return { id: await calculateJwkThumbprint(publicJwk, 'sha256'), privateJwk, publicJwk }
}

/** The keys of this machine's registry, made at the first call; 0600 in a 0700 folder, and never committed. */
export async function openKeys(folder: string): Promise<SigningKeys> {
	await mkdir(folder, { recursive: true, mode: 0o700 })
	const open = async (name: string): Promise<SigningKey> => {
		const path = join(folder, `${name}.json`)
		const text = await readFile(path, 'utf8').catch(() => undefined)
		if (text) return fromJwk(JSON.parse(text) as JWK_OKP_Private)
		const key = await makeKey()
		await writeFile(path, JSON.stringify(key.privateJwk), { mode: 0o600, flag: 'wx' })
		return key
	}
	return { root: await open('root'), index: await open('index') }
}
