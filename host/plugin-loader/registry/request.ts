import { createReadStream } from 'node:fs'
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http'
import { type Agent as HttpsAgent, get as httpsGet } from 'node:https'
import { ProxiedAgent } from '../../network/proxied-agent.ts'
import { mayRedirect } from './address.ts'

/** One file of a registry, read under limits of length and time, whatever the other side does. */

export interface ReadLimits {
	/** How long the other side may send nothing at all. */
	readonly stallMs: number
	/** How long the whole may take, however steadily it trickles. */
	readonly totalMs: number
}

export interface ReadOptions {
	readonly maxBytes: number
	readonly limits: ReadLimits
	readonly signal?: AbortSignal | undefined
	/** Asks for nothing where the file is still the one of this tag. */
	readonly etag?: string | undefined
	/** How the network is reached; without one, as the machine's environment says. */
	readonly agent?: HttpsAgent | undefined
	/** For what a digest decides about; everything else is where it says it is. */
	readonly followsRedirects?: boolean
}

export interface Answer {
	/** As in HTTP: 200, 304, or what is wrong. */
	readonly status: number
	readonly etag?: string | undefined
	/** Throws where it is cut short, too long or too slow. */
	readonly body: AsyncIterable<Buffer>
}

/** More came than may come. */
export class TooLongError extends Error {}

/** Plain HTTP is this machine's alone, and no proxy's. */
const local = new HttpAgent()
const byMachine = new ProxiedAgent(() => ({ mode: 'machine' }))
const maxRedirects = 5
const nothing: AsyncIterable<Buffer> = (async function* () {})()

/** @throws Error where nothing answers */
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

async function ask(url: URL, options: ReadOptions, signal: AbortSignal, redirects = 0): Promise<Answer> {
	const response = await answerOf(url, options, signal)
	const { statusCode: status = 0, headers } = response
	const { etag } = headers
	if (status === 200) return { status, etag, body: response }
	response.destroy()
	if (!headers.location || status === 304) return { status, etag, body: nothing }
	const next = new URL(headers.location, url)
	if (!options.followsRedirects) throw new Error('it leads elsewhere, and only packages may')
	if (redirects === maxRedirects) throw new Error('it leads elsewhere, again and again')
	if (!mayRedirect(url, next)) throw new Error(`it leads to ${next.protocol}//${next.host}, which is not allowed`)
	return ask(next, options, signal, redirects + 1)
}

function answerOf(
	url: URL,
	{ limits, etag, agent = byMachine }: ReadOptions,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const headers = { 'user-agent': 'Roundhouse', ...(etag && { 'if-none-match': etag }) }
		const shared = { headers, signal, timeout: limits.stallMs }
		const request =
			url.protocol === 'https:' ? httpsGet(url, { ...shared, agent }) : httpGet(url, { ...shared, agent: local })
		let response: IncomingMessage | undefined
		request.once('timeout', () => {
			const stalled = new Error(`it sent nothing for ${limits.stallMs / 1000} s`)
			// Who reads the answer is told by the answer.
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
