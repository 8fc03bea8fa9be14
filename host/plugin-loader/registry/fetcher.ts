import type { Fetcher } from 'tuf-js'
import { DownloadHTTPError } from 'tuf-js/dist/error.js'
import { messageOf } from '../../base/errors.ts'
import { type ReadOptions, read } from './request.ts'
import { refuseSwollen } from './swollen.ts'

/** What a refresh knows of the timestamp it has, so that one that did not change is not sent again. */
export interface KnownTimestamp {
	readonly etag?: string | undefined
	readonly bytes: Buffer
}

const rootFile = /\/(\d+)\.root\.json$/
const timestampFile = /\/timestamp\.json$/

/** A file of the registry did not arrive; what arrived is for the client of The Update Framework to judge. */
export class FetchError extends Error {}

/** Fetches the metadata of one refresh, and remembers of it what its caller keeps. */
export class MetadataFetcher implements Fetcher {
	/** Every root that was read, by version: believed by nobody yet. */
	readonly roots = new Map<number, Buffer>()
	/** The tag of the timestamp, as long as that is the one that was read. */
	timestamp: KnownTimestamp | undefined
	/** Whatever kept a file from arriving. The client wraps it in words of its own. */
	fault: FetchError | undefined
	/** Whether anything arrived at all. */
	hasRead = false
	readonly #way: Pick<ReadOptions, 'limits' | 'agent'>
	readonly #signal: AbortSignal

	constructor(way: Pick<ReadOptions, 'limits' | 'agent'>, signal: AbortSignal, timestamp?: KnownTimestamp) {
		this.#way = way
		this.#signal = signal
		this.timestamp = timestamp
	}

	async downloadBytes(address: string, maxBytes: number): Promise<Buffer> {
		const url = new URL(address)
		const known = timestampFile.test(url.pathname) ? this.timestamp : undefined
		let status: number
		let bytes: Buffer
		let etag: string | undefined
		try {
			const answer = await read(url, { ...this.#way, maxBytes, signal: this.#signal, etag: known?.etag })
			status = answer.status
			etag = answer.etag
			const chunks: Buffer[] = []
			for await (const chunk of answer.body) chunks.push(chunk)
			bytes = Buffer.concat(chunks)
			refuseSwollen(bytes)
		} catch (error) {
			this.fault = new FetchError(messageOf(error), { cause: error })
			throw this.fault
		}
		if (status === 304 && known) return known.bytes
		if (status !== 200) {
			const version = rootFile.exec(url.pathname)?.[1]
			// Where there is no next root, the one before is the newest.
			if (!version || (status !== 404 && status !== 403)) this.fault = new FetchError(`it answered ${status}`)
			throw new DownloadHTTPError(`it answered ${status}`, status)
		}
		this.hasRead = true
		const version = rootFile.exec(url.pathname)?.[1]
		if (version) this.roots.set(Number(version), bytes)
		if (timestampFile.test(url.pathname)) this.timestamp = { etag, bytes }
		return bytes
	}

	/** Targets are read by `download.ts`, which tells how far it is. */
	downloadFile(): Promise<never> {
		throw new Error('Only metadata is fetched here.')
	}
}
