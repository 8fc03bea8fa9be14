import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DownloadHTTPError } from 'tuf-js/dist/error.js'
import { isLoopbackHost } from '../../base/loopback.ts'
import { readRegularFile } from '../../base/regular-file.ts'
import { registryErrors } from '../format/errors.ts'

/** The files of a registry, in a folder or at an address. */
export class Source {
	/** Ends with a slash. */
	readonly url: URL

	/** @param place a folder, or a `file:`, `https:` or loopback `http:` address. @throws HostError `registry/address` */
	constructor(place: string) {
		const url = /^[a-z]{2,}:/.test(place) ? URL.parse(place) : pathToFileURL(resolve(place))
		const isAllowed =
			url && (url.protocol === 'http:' ? isLoopbackHost(url.hostname) : /^(https|file):$/.test(url.protocol))
		if (!isAllowed || url.username || url.password) throw registryErrors.make('address', { place })
		this.url = new URL(url.href.endsWith('/') ? url : `${url.href}/`)
	}

	/** @throws DownloadHTTPError 404 if the file does not exist; Error if it cannot be read or is too large */
	async read(url: string | URL, maxBytes: number): Promise<Buffer> {
		const address = new URL(url, this.url)
		return address.protocol === 'file:' ? readFolder(address, maxBytes) : readAddress(address, maxBytes)
	}
}

async function readFolder(url: URL, maxBytes: number): Promise<Buffer> {
	try {
		return await readRegularFile(url, maxBytes)
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT')
			throw new DownloadHTTPError(`${nameOf(url)} is missing`, 404)
		throw error
	}
}

/** Longest time for one request. */
const timeoutMs = 60_000

async function readAddress(url: URL, maxBytes: number): Promise<Buffer> {
	const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
	if (!response.ok || !response.body)
		throw new DownloadHTTPError(`${nameOf(url)}: it answered ${response.status}`, response.status)
	const chunks: Uint8Array[] = []
	let size = 0
	for await (const chunk of response.body) {
		size += chunk.length
		if (size > maxBytes) throw tooLarge(url)
		chunks.push(chunk)
	}
	return Buffer.concat(chunks)
}

const nameOf = (url: URL) => decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1))
const tooLarge = (url: URL) => new Error(`${nameOf(url)} is larger than allowed`)
