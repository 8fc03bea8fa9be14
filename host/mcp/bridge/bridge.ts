import type { Readable, Writable } from 'node:stream'
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from '@roundhouse/kit/json'
import { logLevelRule, logLevels } from '../wire/log-levels.ts'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { modernVersion } from '../wire/versions.ts'
import { errorAnswer, errorOf, notification, resultAnswer } from './answer.ts'
import { ClientQuestions } from './client-questions.ts'
import { HostLink, type HostLinkOptions } from './host-link.ts'
import { HostRequests } from './host-requests.ts'
import {
	initializeResult,
	type LegacyClient,
	modernMethods,
	questionsIn,
	readLegacyClient,
	toLegacy,
	toModern,
} from './legacy-era.ts'
import { asOneLine, linesOf } from './lines.ts'
import { idKey, isRequestId, type Message, messageOf, readMessage } from './message.ts'

/** Contract, "Versioning" 5. */
const requiredVersion = modernVersion
/** Upper limit of open streams. The other places are for short requests. */
const maxStreams = 4
/** Number of restarts of a call whose question belongs to a stopped host, or was open for too long. */
const maxRestarts = 3

export interface BridgeOptions extends HostLinkOptions {
	/** Keeps running without a host: answers each request with the reason, and connects to a host that starts later. */
	readonly staysWithoutHost?: boolean
	/** The version that the bridge reports to the host. */
	readonly version: string
	readonly input?: Readable
	readonly output?: Writable
	/** Aborts when the client is gone and its answers are not read any more. */
	readonly clientGone?: AbortSignal
	/** Receives messages that are not part of the protocol. Default: stderr. */
	readonly log?: (message: string) => void
}

/**
 * Serves an MCP client on stdio by the running host (contract, "What the service does", 3). The bridge speaks the modern
 * revision to the host. It forwards the lines of a modern client unchanged in both directions, and translates those of
 * a legacy client. Resolves when the client has closed its input and every answer is written.
 * @throws Error if the host cannot be reached, or is too old
 */
export async function runBridge(options: BridgeOptions): Promise<void> {
	const bridge = new Bridge(options)
	try {
		await bridge.start()
	} catch (error) {
		if (options.clientGone?.aborted) return
		if (options.staysWithoutHost) return bridge.serve()
		bridge.refuse(error)
		throw error
	}
	await bridge.serve()
}

class Bridge {
	readonly #options: BridgeOptions
	readonly #output: Writable
	readonly #log: (message: string) => void
	readonly #requests: HostRequests
	readonly #questions: ClientQuestions
	/** Running requests, by the key of their id. */
	readonly #running = new Map<string, AbortController>()
	readonly #streams = new Set<AbortController>()
	/** Aborts when the client is gone. */
	readonly #gone = new AbortController()
	/** Aborts when the client has closed its input. */
	readonly #inputEnded = new AbortController()
	#discovered: JsonObject | undefined
	#legacyClient: LegacyClient | undefined

	constructor(options: BridgeOptions) {
		this.#options = options
		this.#output = options.output ?? process.stdout
		this.#log = options.log ?? (message => void process.stderr.write(`${message}\n`))
		this.#requests = new HostRequests(new HostLink(options))
		this.#questions = new ClientQuestions(line => this.#write(line), this.#inputEnded.signal)
		this.#output.on('error', () => this.#gone.abort())
		options.clientGone?.addEventListener('abort', () => this.#gone.abort(), { once: true })
	}

	/**
	 * Connects to the host and checks that it supports the modern revision. Refusals are logged; each request gets its own
	 * error.
	 */
	async start(): Promise<void> {
		const refusal = errorOf(await this.#discover(this.#gone.signal))
		if (refusal) this.#log(refusal.message)
		const running = versionIn(this.#discovered)
		const { version } = this.#options
		if (running !== undefined && running !== version)
			this.#log(`The running Roundhouse is ${running}, and this is ${version}. To replace it: roundhouse stop`)
	}

	async serve(): Promise<void> {
		const running = new Set<Promise<void>>()
		for await (const line of linesOf(this.#options.input ?? process.stdin, this.#gone.signal)) {
			if (line.trim() === '') continue
			const handled = this.#handle(line)
			running.add(handled)
			void handled.finally(() => running.delete(handled))
		}
		for (const stream of this.#streams) stream.abort()
		this.#inputEnded.abort()
		await Promise.all(running)
	}

	/** Writes the reason why the bridge cannot start. */
	refuse(error: unknown): void {
		this.#write(errorAnswer(null, 'unavailable', error instanceof Error ? error.message : String(error)))
	}

	/** @returns the host's answer to `server/discover` @throws Error if it does not support the modern revision */
	async #discover(signal: AbortSignal): Promise<string> {
		const request = toModern(
			{ jsonrpc: '2.0', id: 'bridge', method: 'server/discover' },
			readLegacyClient({ clientInfo: { name: 'roundhouse-bridge', version: this.#options.version } }),
		)
		const answer = await this.#send(request, signal)
		const error = errorOf(answer)
		if (error && error.code !== protocolErrors.unsupported_version.code) return answer
		const { result = {} } = JSON.parse(answer) as { readonly result?: JsonObject }
		const { supportedVersions } = result
		if (!Array.isArray(supportedVersions) || !supportedVersions.includes(requiredVersion))
			throw new Error(`The running Roundhouse does not speak ${requiredVersion}. Update it, then start it again.`)
		this.#discovered = result
		return answer
	}

	async #handle(line: string): Promise<void> {
		const message = readMessage(line)
		const { id, method, json } = message
		if (json && method === undefined && (json.result !== undefined || json.error !== undefined))
			return this.#questions.settle(message)
		if (method !== undefined && id === undefined) return this.#notify(message)
		const abort = new AbortController()
		const key = idKey(id ?? null)
		if (id !== undefined) this.#running.set(key, abort)
		const signal = AbortSignal.any([abort.signal, this.#gone.signal])
		try {
			if (method === 'subscriptions/listen' && message.isModern) this.#keepStream(abort)
			this.#write(await this.#answer(line, message, signal))
		} catch (error) {
			if (!signal.aborted) this.#fail(message, error)
		} finally {
			this.#streams.delete(abort)
			if (this.#running.get(key) === abort) this.#running.delete(key)
		}
	}

	/** Ends a cancelled request, and with it the host's work. The host ignores other notifications. */
	#notify({ method, params: { requestId } }: Message): void {
		if (method === 'notifications/cancelled' && requestId !== undefined) this.#running.get(idKey(requestId))?.abort()
	}

	#keepStream(stream: AbortController): void {
		if (this.#streams.size >= maxStreams) throw new Error(`a client can have at most ${maxStreams} open streams`)
		this.#streams.add(stream)
	}

	async #answer(line: string, message: Message, signal: AbortSignal): Promise<string> {
		const { json, id, method } = message
		const isRequest = json !== undefined && isRequestId(id) && method !== undefined
		if (isRequest && !message.isModern) return this.#answerLegacy({ json, id, method, params: message.params }, signal)
		return this.#requests.send({ message, body: line, signal, onNotification: sent => this.#write(sent) })
	}

	/** Answers what only the legacy revisions have, and translates everything else. */
	async #answerLegacy(request: LegacyRequest, signal: AbortSignal): Promise<string> {
		const { id, method, params } = request
		if (method === 'initialize') return this.#initialize(id, params, signal)
		if (method === 'ping') return resultAnswer(id, {})
		if (modernMethods.has(method))
			return errorAnswer(id, 'method_not_found', `There is no method "${method}" in this revision.`)
		const client = this.#legacyClient
		if (!client) return errorAnswer(id, 'session_not_found')
		if (method !== 'logging/setLevel') return this.#translate(request, client, signal)
		return logLevels.includes(params.level) ? resultAnswer(id, {}) : errorAnswer(id, 'invalid_params', logLevelRule)
	}

	async #initialize(id: Json, params: JsonObject, signal: AbortSignal): Promise<string> {
		if (typeof params.protocolVersion !== 'string')
			return errorAnswer(id, 'invalid_params', '`protocolVersion` must be a string.')
		// Set before any wait, because a client may send its next requests without waiting for the answer.
		const client = readLegacyClient(params)
		this.#legacyClient = client
		if (!this.#discovered) {
			const answer = await this.#discover(signal)
			if (errorOf(answer)) return stringifyJson({ ...(parseJson(answer) as JsonObject), id })
		}
		return resultAnswer(id, initializeResult(this.#discovered ?? {}, client))
	}

	/** Sends a legacy request as a modern one, asks the client what the host asks, and translates the result. */
	async #translate({ json, id }: LegacyRequest, client: LegacyClient, signal: AbortSignal): Promise<string> {
		let round: JsonObject = {}
		for (let restarts = 0; ; ) {
			const answer = await this.#send(toModern(json, client, round), signal)
			const isRepeated = round.inputResponses !== undefined
			if (isRepeated && restarts < maxRestarts && errorOf(answer)?.code === protocolErrors.invalid_params.code) {
				// The host knows the state of the question no more, so nothing ran. The user decides again.
				restarts++
				round = {}
				continue
			}
			const { result } = parseJson(answer) as JsonObject
			if (!isJsonObject(result)) return answer
			const questions = questionsIn(result, client)
			if (!questions) return resultAnswer(id, toLegacy(result))
			const asked = Object.entries(questions).map(
				async ([key, { method, params }]) => [key, await this.#questions.ask(method, params, signal)] as const,
			)
			const { requestState } = result
			round = {
				inputResponses: Object.fromEntries(await Promise.all(asked)),
				...(requestState !== undefined && { requestState }),
			}
		}
	}

	#send(request: JsonObject, signal: AbortSignal): Promise<string> {
		const onNotification = (line: string) => this.#write(line)
		return this.#requests.send({ message: messageOf(request), body: stringifyJson(request), signal, onNotification })
	}

	#fail({ id = null, method }: Message, error: unknown): void {
		const reason = error instanceof Error ? error.message : String(error)
		if (method !== 'subscriptions/listen') return this.#write(errorAnswer(id, 'unavailable', reason))
		this.#write(notification('notifications/cancelled', { requestId: id, reason }))
	}

	#write(line: string): void {
		this.#output.write(`${asOneLine(line)}\n`)
	}
}

/** A request of a client without a revision in its `_meta`. */
interface LegacyRequest extends Pick<Message, 'params'> {
	readonly json: JsonObject
	readonly id: Json
	readonly method: string
}

/** Returns the version of the host, as `server/discover` tells it. */
function versionIn(discovered: JsonObject | undefined): string | undefined {
	const meta = discovered?._meta
	const info = isJsonObject(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined
	return isJsonObject(info) && typeof info.version === 'string' ? info.version : undefined
}
