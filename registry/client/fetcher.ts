import type { Fetcher } from 'tuf-js'
import { DownloadHTTPError } from 'tuf-js/dist/error.js'
import { messageOf } from '../../base/errors.ts'
import { maxMetadataBytes, parseMetadata } from '../format/metadata-schema.ts'
import type { ReadingBudget } from '../format/reading-budget.ts'
import { type ReadOptions, read } from './request.ts'

/** The timestamp that a refresh already has, for a conditional request. */
export interface KnownTimestamp {
	readonly etag?: string | undefined
	readonly bytes: Buffer
}

const rootFile = /\/(\d+)\.root\.json$/
const timestampFile = /\/timestamp\.json$/

/** A file of the registry did not arrive. The client of The Update Framework decides what that means. */
export class FetchError extends Error {}

/** A file of the registry arrived, and is not the document that it should be. */
export class MalformedError extends Error {}

type Way = Pick<ReadOptions, 'limits' | 'agent' | 'signal'>

/** Fetches the metadata of one refresh, and records what the caller stores. */
export class MetadataFetcher implements Fetcher {
	/** Every root that was read, by version. None is verified yet. */
	readonly roots = new Map<number, Buffer>()
	/** The ETag and bytes of the timestamp that was read. */
	timestamp: KnownTimestamp | undefined
	/** The last error that kept a file from being read. The library wraps it in another message. */
	fault: FetchError | MalformedError | undefined
	/** Whether any file arrived. */
	hasRead = false
	readonly #way: Way
	readonly #budget: ReadingBudget

	constructor(way: Way, budget: ReadingBudget, timestamp?: KnownTimestamp) {
		this.#way = way
		this.#budget = budget
		this.timestamp = timestamp
	}

	async downloadBytes(address: string, maxBytes: number): Promise<Buffer> {
		const url = new URL(address)
		const known = timestampFile.test(url.pathname) ? this.timestamp : undefined
		let status: number
		let bytes: Buffer
		let etag: string | undefined
		try {
			this.#take(1, 0)
			// Client workflow 5.3.3, 5.4.1, 5.5.1, 5.6.1: at most so many bytes
			const answer = await read(url, {
				...this.#way,
				maxBytes: Math.min(maxBytes, maxMetadataBytes),
				etag: known?.etag,
			})
			status = answer.status
			etag = answer.etag
			const chunks: Buffer[] = []
			for await (const chunk of answer.body) {
				this.#take(0, chunk.length)
				chunks.push(chunk)
			}
			bytes = Buffer.concat(chunks)
		} catch (error) {
			this.fault = new FetchError(messageOf(error), { cause: error })
			throw this.fault
		}
		// Client workflow 5.4.1: the newest timestamp, also if the server says that it has not changed
		if (status === 304 && known) return known.bytes
		if (status !== 200) {
			const version = rootFile.exec(url.pathname)?.[1]
			// Client workflow 5.3.3: a missing next root means that the previous one is the newest.
			if (!version || (status !== 404 && status !== 403)) this.fault = new FetchError(`it answered ${status}`)
			throw new DownloadHTTPError(`it answered ${status}`, status)
		}
		this.hasRead = true
		try {
			parseMetadata(bytes)
		} catch (error) {
			this.fault = new MalformedError(`${url.pathname.split('/').at(-1)}: ${messageOf(error)}`, { cause: error })
			throw this.fault
		}
		const version = rootFile.exec(url.pathname)?.[1]
		if (version) this.roots.set(Number(version), bytes)
		if (timestampFile.test(url.pathname)) this.timestamp = { etag, bytes }
		return bytes
	}

	#take(files: number, bytes: number): void {
		if (!this.#budget.take(files, bytes))
			throw new Error(`one refresh of the registry would read too many ${files > 0 ? 'files' : 'bytes'}`)
	}

	/** Targets are downloaded by `target.ts`, which reports progress. */
	downloadFile(): Promise<never> {
		throw new Error('MetadataFetcher fetches metadata only.')
	}
}
