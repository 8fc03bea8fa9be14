import { createReadStream } from 'node:fs'
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http'
import { type Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { DepthGuard } from '../../base/depth-guard.ts'
import { depthOf } from '../../base/forbidden-addresses.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { mayRedirect } from './address.ts'

/** Reads one file of a registry within limits of length and time, whatever the server does. */

export interface ReadLimits {
	/** Longest time without any data from the server, in milliseconds. */
	readonly stallMs: number
	/** Longest time for the whole file, also if the data arrives slowly but steadily. */
	readonly totalMs: number
}

export interface ReadOptions {
	readonly maxBytes: number
	readonly limits: ReadLimits
	readonly signal?: AbortSignal | undefined
	/** ETag for a conditional request. The answer has no body while it matches. */
	readonly etag?: string | undefined
	/** Agent for `https:`, for example through a proxy. Without it, connections are direct. */
	readonly agent?: HttpsAgent | undefined
	/** Whether to follow redirects. Only for files that a digest verifies. */
	readonly followsRedirects?: boolean
}

export interface Answer {
	/** HTTP status: 200, 304, or an error. */
	readonly status: number
	readonly etag?: string | undefined
	/** Throws if it is truncated, too long or too slow. */
	readonly body: AsyncIterable<Buffer>
}

/** The body is longer than allowed. */
export class TooLongError extends Error {}

/** Plain HTTP is for this machine only, and never goes through a proxy. */
const local = new HttpAgent()
const maxRedirects = 5
const nothing: AsyncIterable<Buffer> = (async function* () {})()

/** @throws Error if the server does not answer */
export async function read(url: URL, options: ReadOptions): Promise<Answer> {
	const { totalMs } = options.limits
	const late = AbortSignal.timeout(totalMs)
	const signal = AbortSignal.any([late, ...(options.signal ? [options.signal] : [])])
	const inWords = (error: unknown) =>
		late.aborted ? new Error(`it took longer than ${totalMs / 1000} s`, { cause: error }) : error
	try {
		const { body, ...answer } = await (url.protocol === 'file:' ? readFolder(url, signal) : ask(url, options, signal))
		return { ...answer, body: measured(body, options.maxBytes, inWords) }
	} catch (error) {
		throw inWords(error)
	}
}

async function readFolder(url: URL, signal: AbortSignal): Promise<Answer> {
	const file = createReadStream(url, { signal })
	try {
		await new Promise((resolve, reject) => file.once('open', resolve).once('error', reject))
		return { status: 200, body: file }
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { status: 404, body: nothing }
		throw error
	}
}

/** The origin of a redirect: number of hops so far, and depth in the network (`depthOf`). */
interface Hops {
	readonly count: number
	readonly depth: number
}

async function ask(url: URL, options: ReadOptions, signal: AbortSignal, hops?: Hops): Promise<Answer> {
	const response = await answerOf(url, options, { signal, hops })
	// Read before the response is destroyed, which clears it. Behind a proxy this is the proxy's address.
	const { remoteAddress } = response.socket
	const { statusCode: status = 0, headers } = response
	const { etag } = headers
	if (status === 200) return { status, etag, body: response }
	response.destroy()
	if (!headers.location || status === 304) return { status, etag, body: nothing }
	const next = new URL(headers.location, url)
	if (!options.followsRedirects) throw new Error('it redirects, and only packages may')
	if (hops?.count === maxRedirects) throw new Error('it redirects too often')
	if (!mayRedirect(url, next)) throw new Error(`it redirects to ${next.protocol}//${next.host}, which is not allowed`)
	// A loopback address under another host name is a proxy's, and says nothing about the server.
	const depth = isLoopbackHost(url.hostname) ? 2 : remoteAddress !== undefined && depthOf(remoteAddress) === 1 ? 1 : 0
	return ask(next, options, signal, { count: (hops?.count ?? 0) + 1, depth: Math.min(depth, hops?.depth ?? depth) })
}

async function answerOf(
	url: URL,
	{ limits, etag, agent }: ReadOptions,
	{ signal, hops }: { readonly signal: AbortSignal; readonly hops: Hops | undefined },
): Promise<IncomingMessage> {
	const guard = hops && new DepthGuard(hops.depth)
	guard?.check(url)
	return new Promise((resolve, reject) => {
		const headers = { 'user-agent': 'Roundhouse', ...(etag && { 'if-none-match': etag }) }
		const shared = { headers, signal, timeout: limits.stallMs, ...(guard && { lookup: guard.lookup }) }
		const request =
			url.protocol === 'https:' ? httpsGet(url, { ...shared, agent }) : httpGet(url, { ...shared, agent: local })
		let response: IncomingMessage | undefined
		request.once('timeout', () => {
			const stalled = new Error(`it sent nothing for ${limits.stallMs / 1000} s`)
			// Destroy the response if there is one, so that its reader gets the error.
			;(response ?? request).destroy(stalled)
		})
		request.once('response', answer => {
			response = answer
			resolve(answer)
		})
		request.once('error', reject)
	})
}

async function* measured(body: AsyncIterable<Buffer>, maxBytes: number, inWords: (error: unknown) => unknown) {
	let size = 0
	try {
		for await (const chunk of body) {
			size += chunk.length
			if (size > maxBytes) throw new TooLongError(`it is longer than ${maxBytes} bytes`)
			yield chunk
		}
	} catch (error) {
		throw inWords(error)
	}
}
