import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { type VitalLimits, Watch, type WatchReport } from './watch.ts'
import { inputsFor, type RawRequest, type WindowInput } from './window-inputs.ts'
import type { WindowUnderFuzz } from './window-under-fuzz.ts'

/**
 * Sends invalid input to the window's port: raw HTTP, upgrades with false frames, calls of the host API, aborted
 * exports. Looks for forbidden outcomes: a 500, no answer, an answer that reveals internals, a message that blocks the
 * host, or a host that ended.
 */

const patienceMs = 20_000
/** Text that no answer may contain: a stack, or the message of an unexpected error. */
const inside =
	/node:internal|\.ts:\d+|\n\s+at |Cannot read propert|is not a function|is not iterable|Maximum call stack/

export interface FuzzReport extends WatchReport {
	/** Number of answers for each kind of input. */
	readonly answers: ReadonlyMap<string, number>
}

/** @throws Error with the seed and the shrunk input after a forbidden outcome */
export async function fuzzWindow(inputCount: number, seed: number, limits?: VitalLimits): Promise<FuzzReport> {
	const program = join(import.meta.dirname, 'window-under-fuzz.ts')
	await using watch = await Watch.start<WindowUnderFuzz>(program, limits)
	const answers = new Map<string, number>()
	using fuzzer = await Fuzzer.enter(watch.ready)
	await fc.assert(
		fc.asyncProperty(inputsFor(watch.ready.connection), async input => {
			const answer = `${input.kind} ${await watch.feed(() => fuzzer.send(input))}`
			answers.set(answer, (answers.get(answer) ?? 0) + 1)
		}),
		{ numRuns: inputCount, seed, endOnFailure: false },
	)
	await fuzzer.expectGoodAnswers()
	return { ...(await watch.report()), answers }
}

class Fuzzer implements Disposable {
	readonly #port: number
	/** The path of the window, from slash to slash. */
	readonly #home: string
	readonly #cookie: string
	readonly #origin: string
	readonly #connection: string
	#line: Line | undefined

	private constructor(entry: URL, cookie: string, connection: string) {
		this.#connection = connection
		this.#port = Number(entry.port)
		this.#home = entry.pathname.replace('enter', '')
		this.#origin = entry.origin
		this.#cookie = cookie
	}

	static async enter({ entryUrl, connection }: WindowUnderFuzz): Promise<Fuzzer> {
		const cookie = (await fetch(entryUrl)).headers.get('set-cookie')?.split(';')[0]
		if (cookie === undefined) throw new Error('the window admits no browser')
		return new Fuzzer(new URL(entryUrl), cookie, connection)
	}

	/** @returns the kind of answer, in one word */
	send(input: WindowInput): Promise<string> {
		switch (input.kind) {
			case 'message':
				return this.#call(input.text)
			case 'request':
				return this.#request(input.request)
			case 'upgrade':
				return this.#upgrade(input.upgrade)
			case 'export':
				return this.#export(input.download)
		}
	}

	/** A valid request is still answered. */
	async expectGoodAnswers(): Promise<void> {
		const page = await this.#fetch(this.#home)
		if (page?.statusCode !== 200) throw new Error(`The window is answered with ${page?.statusCode}.`)
		page.resume()
		const answer = await this.#call('{"id":0,"method":"app.info","params":{}}')
		if (answer !== 'result') throw new Error(`A good call is answered with: ${answer}`)
	}

	async #call(text: string): Promise<string> {
		this.#line ??= await Line.open(`ws://127.0.0.1:${this.#port}${this.#home}api`, this.#origin, this.#cookie)
		const answer = await this.#line.send(text)
		if (answer === 'closed') this.#line = undefined
		return answer
	}

	async #request(request: RawRequest): Promise<string> {
		const socket = connect(this.#port, '127.0.0.1')
		const answer = readAll(socket)
		socket.write(this.#encode(request, 'Connection: close\r\n'))
		// The rest of a truncated message is never sent, so the host waits for it for a while.
		socket.end()
		return statusOf(await answer)
	}

	async #upgrade({
		request,
		isRight,
		frames,
		isReset,
	}: Extract<WindowInput, { kind: 'upgrade' }>['upgrade']): Promise<string> {
		const socket = connect(this.#port, '127.0.0.1')
		const answer = readAll(socket)
		const right = { ...request, verb: 'GET', path: 'HOMEapi', host: 'HOST', cookie: 'COOKIE', others: {}, damage: null }
		const upgrading = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\nOrigin: ${this.#origin}\r\n`
		socket.write(Buffer.concat([this.#encode(isRight ? right : request, upgrading), ...frames]))
		if (isReset) socket.resetAndDestroy()
		else socket.end()
		return isReset ? 'reset' : statusOf(await answer)
	}

	async #export({
		query,
		format,
		goesAfter,
		fetches,
		isCancelled,
	}: Extract<WindowInput, { kind: 'export' }>['download']): Promise<string> {
		const begun = { connection: this.#connection, query, options: { format } }
		this.#line ??= await Line.open(`ws://127.0.0.1:${this.#port}${this.#home}api`, this.#origin, this.#cookie)
		const id = await this.#line.begin(begun)
		if (id === undefined) return 'refused'
		const downloads = Array.from({ length: fetches }, () => this.#fetch(`${this.#home}export/${id}`))
		if (isCancelled || fetches === 0)
			await this.#call(JSON.stringify({ id: 0, method: 'exports.cancel', params: { id } }))
		const statuses = await Promise.all(downloads.map(async download => readUntil(await download, goesAfter)))
		return statuses.join(' and ') || 'cancelled'
	}

	/**
	 * `undefined` if the host closes the connection without an answer, as it does with an export whose first part fails.
	 */
	async #fetch(path: string): Promise<IncomingMessage | undefined> {
		const outgoing = get({ host: '127.0.0.1', port: this.#port, path, agent: false, headers: { cookie: this.#cookie } })
		const { promise, resolve } = Promise.withResolvers<undefined>()
		outgoing.on('error', () => resolve(undefined))
		const answered = once(outgoing, 'response', { signal: AbortSignal.timeout(patienceMs) })
		const [response] = (await Promise.race([answered, promise])) ?? []
		return response
	}

	#encode({ verb, path, host, cookie, others, damage }: RawRequest, more: string): Buffer {
		const right = (text: string) =>
			text.replace('HOME', this.#home).replace('HOST', `127.0.0.1:${this.#port}`).replace('COOKIE', this.#cookie)
		const headers = Object.entries({ Host: host, Cookie: cookie }).concat(Object.entries(others))
		const lines = headers.map(([name, value]) => `${name}: ${right(String(value))}\r\n`).join('')
		const bytes = Buffer.from(`${verb} ${right(path)} HTTP/1.1\r\n${lines}${more}\r\n`)
		if (damage && damage.at < bytes.length) bytes[damage.at] = damage.byte
		return bytes
	}

	[Symbol.dispose](): void {
		this.#line?.[Symbol.dispose]()
	}
}

/** One open line to the host API. */
class Line implements Disposable {
	readonly #socket: WebSocket
	readonly #answers = new Map<number, (answer: unknown) => void>()
	readonly #closed: Promise<'closed'>
	#last = 0
	#fault: string | undefined

	private constructor(socket: WebSocket) {
		this.#socket = socket
		this.#closed = once(socket, 'close').then(() => 'closed')
		socket.on('error', () => {})
		socket.on('message', (data: Buffer, isBinary) => {
			const text = data.toString('utf8', isBinary ? 4 : 0)
			const message = isBinary ? { id: data.readUInt32LE(0), result: 'bytes' } : JSON.parse(text)
			if ('progress' in message || 'event' in message) return
			if ('error' in message && inside.test(text)) this.#fault = text
			this.#answers.get(message.id)?.(message)
			this.#answers.delete(message.id)
		})
	}

	static async open(url: string, origin: string, cookie: string): Promise<Line> {
		const socket = new WebSocket(url, { headers: { cookie, origin } })
		await once(socket, 'open', { signal: AbortSignal.timeout(patienceMs) })
		return new Line(socket)
	}

	/** Sends a text unchanged, except that `"id":0` gets a unique id; waits for all answers to it. */
	async send(text: string): Promise<string> {
		const id = ++this.#last
		const own = text.replace(/^\{"id":0,/, `{"id":${id},`)
		const waits = own === text ? undefined : this.#answerTo(id)
		const after = ++this.#last
		const isOver = this.#answerTo(after)
		this.#socket.send(own)
		this.#socket.send(`{"id":${after},"method":"consent.pending","params":{}}`)
		const answer = await Promise.race([this.#closed, Promise.all([waits, isOver]), silence(own)])
		if (this.#fault !== undefined) throw new Error(`An answer tells of the inside: ${this.#fault.slice(0, 2000)}`)
		if (typeof answer === 'string') return answer
		const [said] = answer
		if (typeof said !== 'object' || said === null) return 'no call'
		return 'result' in said ? 'result' : 'error'
	}

	/** @returns the id of the export, if it was started */
	async begin(params: object): Promise<string | undefined> {
		const id = ++this.#last
		const answer = this.#answerTo(id)
		this.#socket.send(JSON.stringify({ id, method: 'exports.begin', params }))
		const said = await Promise.race([answer, this.#closed, silence('exports.begin')])
		const result = typeof said === 'object' && said !== null && 'result' in said ? said.result : undefined
		return typeof result === 'object' && result !== null && 'id' in result ? String(result.id) : undefined
	}

	#answerTo(id: number): Promise<unknown> {
		return new Promise(resolve => this.#answers.set(id, resolve))
	}

	[Symbol.dispose](): void {
		this.#socket.terminate()
	}
}

function silence(text: string): Promise<never> {
	return new Promise((_, reject) => {
		const fail = () => reject(new Error(`No answer to ${text.slice(0, 500)}`))
		setTimeout(fail, patienceMs).unref()
	})
}

/**
 * Returns all data of a socket until it is closed.
 * @throws Error if it stays open without data
 */
function readAll(socket: Socket): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>()
	let text = ''
	const timer = setTimeout(() => {
		socket.destroy()
		if (text === '') reject(new Error('No answer, and no end.'))
		else resolve(text)
	}, patienceMs)
	socket.on('data', chunk => {
		text += chunk.toString('latin1')
	})
	socket.on('error', () => {})
	socket.on('close', () => {
		clearTimeout(timer)
		resolve(text)
	})
	return promise
}

function statusOf(text: string): string {
	const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'closed'
	if (status.startsWith('5') || inside.test(text.slice(0, 2000))) throw new Error(`An answer: ${text.slice(0, 2000)}`)
	return status
}

/**
 * Reads a download, or a part of it.
 * @returns its status
 */
async function readUntil(response: IncomingMessage | undefined, mostBytes: number | null): Promise<string> {
	if (!response) return 'broken off'
	let bytes = 0
	response.on('error', () => {})
	response.on('data', (chunk: Buffer) => {
		bytes += chunk.length
		if (mostBytes !== null && bytes > mostBytes) response.destroy()
	})
	await once(response, 'close', { signal: AbortSignal.timeout(patienceMs) })
	return String(response.statusCode)
}

/** No input of any page or program may block the host for longer, or make it use more memory. */
const limits: VitalLimits = { delayMs: 50, residentMb: 1024 }

if (import.meta.main) {
	const inputCount = Number(process.argv[2] ?? 200_000)
	const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
	console.log(`seed ${seed}`)
	const { answers, ...report } = await fuzzWindow(inputCount, seed, limits)
	console.log({ ...report, answers: Object.fromEntries([...answers].sort()) })
}
