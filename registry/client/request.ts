import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http'
import { type Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { DepthGuard } from '../../base/depth-guard.ts'
import { depthOf } from '../../base/forbidden-addresses.ts'
import { isLoopbackHost } from '../../base/loopback.ts'
import { openRegularFile } from '../../base/regular-file.ts'
import { mayRedirect } from './address.ts'

/** Reads one file of a registry. Enforces a size limit and a time limit. */

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
	/** ETag for a conditional request. If the ETag matches, the response has status 304 and no body. */
	readonly etag?: string | undefined
	/**
	 * Agent for `https:`, for example through a proxy. Without it, connections are direct. Node's `https` is used instead of
	 * undici, so that the host has one set of limits and redirect rules for registries.
	 */
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
const emptyBody: AsyncIterable<Buffer> = (async function* () {})()

/** @throws Error if the server does not answer */
export async function read(url: URL, options: ReadOptions): Promise<Answer> {
	const { totalMs } = options.limits
	const timeoutSignal = AbortSignal.timeout(totalMs)
	const signal = AbortSignal.any([timeoutSignal, ...(options.signal ? [options.signal] : [])])
	const toTimeoutError = (error: unknown) =>
		timeoutSignal.aborted ? new Error(`the download took longer than ${totalMs / 1000} s`, { cause: error }) : error
	try {
		const { body, ...answer } = await (url.protocol === 'file:'
			? openFile(url, signal)
			: fetchWithRedirects(url, options, { signal }))
		return { ...answer, body: withSizeLimit(body, options.maxBytes, toTimeoutError) }
	} catch (error) {
		throw toTimeoutError(error)
	}
}

async function openFile(url: URL, signal: AbortSignal): Promise<Answer> {
	try {
		// The stream closes the file when it ends.
		return { status: 200, body: (await openRegularFile(url)).createReadStream({ signal }) }
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { status: 404, body: emptyBody }
		throw error
	}
}

/**
 * State of a redirect chain: the number of redirects so far, and the least depth of its servers in the network
 * (`depthOf`).
 */
interface Hops {
	readonly count: number
	readonly depth: number
}

interface Sending {
	readonly signal: AbortSignal
	/** Not set for the first request. */
	readonly hops?: Hops | undefined
}

async function fetchWithRedirects(url: URL, options: ReadOptions, { signal, hops }: Sending): Promise<Answer> {
	const response = await sendRequest(url, options, { signal, hops })
	// Read the address first, because `destroy()` clears it. If a proxy is used, this is the address of the proxy.
	const { remoteAddress } = response.socket
	const { statusCode: status = 0, headers } = response
	const { etag } = headers
	if (status === 200) return { status, etag, body: response }
	response.destroy()
	if (!headers.location || status === 304) return { status, etag, body: emptyBody }
	const next = new URL(headers.location, url)
	if (!options.followsRedirects) throw new Error('the server redirects this file, but only packages may be redirected')
	if (hops?.count === maxRedirects) throw new Error(`the server redirects more than ${maxRedirects} times`)
	if (!mayRedirect(url, next))
		throw new Error(`the server redirects to ${next.protocol}//${next.host}, which is not allowed`)
	// If the host name is not local but the address is loopback, the address belongs to a proxy. It does not show where
	// the server is.
	const depth = isLoopbackHost(url.hostname) ? 2 : remoteAddress !== undefined && depthOf(remoteAddress) === 1 ? 1 : 0
	return fetchWithRedirects(next, options, {
		signal,
		hops: { count: (hops?.count ?? 0) + 1, depth: Math.min(depth, hops?.depth ?? depth) },
	})
}

async function sendRequest(
	url: URL,
	{ limits, etag, agent }: ReadOptions,
	{ signal, hops }: Sending,
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
			const stalled = new Error(`the server sent no data for ${limits.stallMs / 1000} s`)
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

async function* withSizeLimit(
	body: AsyncIterable<Buffer>,
	maxBytes: number,
	toTimeoutError: (error: unknown) => unknown,
) {
	let size = 0
	try {
		for await (const chunk of body) {
			size += chunk.length
			if (size > maxBytes) throw new TooLongError(`the file is longer than ${maxBytes} bytes`)
			yield chunk
		}
	} catch (error) {
		throw toTimeoutError(error)
	}
}
