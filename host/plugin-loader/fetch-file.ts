import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Reading from a registry: `https:` anywhere, `http:` on loopback alone, `file:` for a local folder. */

export interface Fetched {
	readonly text: string
	readonly etag: string | undefined
}

const documentTimeoutMs = 15_000
/** Far above any real index; a registry that sends more is broken or hostile. */
const documentLimitBytes = 8 * 1024 * 1024

/** A document, or `undefined` when it is still the one with this `etag`. */
export async function fetchDocument(url: URL, etag?: string): Promise<Fetched | undefined> {
	if (url.protocol === 'file:') return { text: await readFile(url, 'utf8'), etag: undefined }
	const response = await fetch(url, {
		redirect: 'error',
		headers: etag ? { 'if-none-match': etag } : {},
		signal: AbortSignal.timeout(documentTimeoutMs),
	})
	if (response.status === 304) return undefined
	if (!response.ok || !response.body) throw new Error(`it answered ${response.status}`)
	const chunks: Uint8Array[] = []
	let size = 0
	for await (const chunk of response.body) {
		size += chunk.length
		if (size > documentLimitBytes) throw new Error('its answer is too large')
		chunks.push(chunk)
	}
	return { text: Buffer.concat(chunks).toString('utf8'), etag: response.headers.get('etag') ?? undefined }
}

/** The bytes of a package as they arrive. */
export async function openPackage(url: URL, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
	if (url.protocol === 'file:') return createReadStream(url)
	const response = await fetch(url, { redirect: 'error', signal: signal ?? null })
	if (!response.ok || !response.body) throw new Error(`the registry answered ${response.status}`)
	// The DOM's and Node's ReadableStream are one class with two declarations.
	return Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
}
