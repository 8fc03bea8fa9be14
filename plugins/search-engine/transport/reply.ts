import type { IncomingHttpHeaders } from 'node:http'
import { DriverError, type Json, parseJson } from '@roundhouse/kit'
import type { Incoming } from './exchange.ts'

/** The engine's answer to one request. */
export class Reply {
	readonly status: number
	readonly statusText: string
	readonly headers: IncomingHttpHeaders
	readonly bytes: Buffer
	/** How often the request was repeated because its connection dropped. */
	readonly repeats: number
	#text: string | undefined

	constructor({ status, statusText, headers, bytes }: Incoming, repeats = 0) {
		this.status = status
		this.statusText = statusText
		this.headers = headers
		this.bytes = bytes
		this.repeats = repeats
	}

	get text(): string {
		this.#text ??= this.bytes.toString('utf8')
		return this.#text
	}

	/** @throws DriverError if the body is not JSON */
	json(): Json {
		try {
			return parseJson(this.text)
		} catch (error) {
			throw new DriverError('query_failed', `Invalid response: ${this.status} with a body that is not JSON.`, {
				cause: error,
			})
		}
	}
}
