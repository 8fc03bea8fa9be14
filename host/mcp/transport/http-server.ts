import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Caller, Credentials } from '../protocol/caller.ts'
import type { Clock } from '../protocol/clock.ts'
import type { Inbound } from '../protocol/dispatcher.ts'
import { ProtocolError, retryAfter } from '../protocol/errors.ts'
import type { Reply } from '../protocol/reply.ts'
import { errorResponse } from '../protocol/result-encoding.ts'
import { readBody } from './body.ts'
import { Connections } from './connections.ts'
import { corsHeaders, guard, type PlainAnswer } from './guard.ts'
import { HttpReply } from './http-reply.ts'
import type { TransportLimits } from './limits.ts'
import { checkContentType, credentialsOf } from './request-headers.ts'

export interface HttpServerOptions {
	readonly limits: TransportLimits
	readonly clock: Clock
	readonly allowedOrigins: () => readonly string[]
	/** Throws where no request is served at the moment. */
	readonly requireServing: () => void
	/** @throws ProtocolError */
	readonly identify: (credentials: Credentials) => Caller
	/** Throws where this caller is over its rate. @throws ProtocolError */
	readonly requireRate: (caller: Caller) => void
	readonly receive: (inbound: Inbound, reply: Reply) => void
	/** Headers of the answer to OPTIONS by which the bridge knows this host (host/mcp/bridge). */
	readonly proof: (challenge: string) => Readonly<Record<string, string>>
	readonly onFault: (error: unknown) => void
}

/** The listening socket: loopback only, with the contract's limits (contract, "Transport" and "Limits"). */
export class HttpServer {
	readonly #options: HttpServerOptions
	readonly #server: Server
	readonly #connections: Connections
	#port = 0

	private constructor(options: HttpServerOptions) {
		const { limits } = options
		this.#options = options
		this.#connections = new Connections(limits.connections, options.clock)
		this.#server = createServer(
			{
				maxHeaderSize: limits.headerBytes,
				keepAliveTimeout: limits.idleMs,
				headersTimeout: limits.idleMs,
				requestTimeout: limits.requestMs,
				connectionsCheckingInterval: Math.min(1000, limits.idleMs),
			},
			(request, response) => this.#onRequest(request, response),
		)
		this.#server.on('connection', socket => this.#connections.add(socket))
	}

	/** Listens on the port, or on one of the kernel's choice where it is taken. */
	static async listen(port: number, options: HttpServerOptions): Promise<HttpServer> {
		const server = new HttpServer(options)
		await server.#listen(port).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
			return server.#listen(0)
		})
		return server
	}

	get port(): number {
		return this.#port
	}

	/** Stops listening and waits for the answers that are on their way, but not for idle clients. */
	async close(): Promise<void> {
		const closed = this.#server[Symbol.asyncDispose]()
		this.#server.closeIdleConnections()
		const giveUp = setTimeout(() => this.#server.closeAllConnections(), 500)
		await closed
		clearTimeout(giveUp)
	}

	async #listen(port: number): Promise<void> {
		await once(this.#server.listen(port, '127.0.0.1'), 'listening')
		// A TCP server's address is always an AddressInfo.
		this.#port = (this.#server.address() as AddressInfo).port
	}

	#onRequest(request: IncomingMessage, response: ServerResponse): void {
		const { limits, clock } = this.#options
		const ended = this.#connections.begin(request.socket)
		let isKnown = false
		// Who has shown a token and has its answer makes room, whatever it still sends.
		response.once('close', () => (isKnown || request.complete ? ended() : request.once('end', ended)))
		const answer = guard(request, { port: () => this.#port, allowedOrigins: this.#options.allowedOrigins })
		if (answer) return this.#answerPlainly(request, response, answer)
		const reply = new HttpReply(response, corsHeaders(request), clock, limits.keepAliveMs)
		try {
			this.#options.requireServing()
			const caller = this.#options.identify(credentialsOf(request))
			isKnown = true
			this.#requireRoom(request, caller)
			readBody(request, limits.bodyBytes, {
				tooLarge: () => refuseBody(request, response),
				done: (body, fault) => this.#receive(request, { headers: request.headers, body, fault, caller }, reply),
			})
		} catch (error) {
			this.#refuse(error, reply)
			dropUnlessComplete(request)
		}
	}

	/** What can be told from the headers is told before a long body is read; a short one is, for its id. */
	#requireRoom(request: IncomingMessage, caller: Caller): void {
		if (!this.#connections.hold(request.socket, caller.tokenId ?? caller.key)) {
			throw new ProtocolError('rate_limited', 'This token keeps too many connections busy.', retryAfter(1))
		}
		if (!(Number(request.headers['content-length']) <= shortBodyBytes)) this.#options.requireRate(caller)
	}

	#receive(request: IncomingMessage, inbound: Inbound, reply: Reply): void {
		try {
			checkContentType(request.headers['content-type'])
			this.#options.receive(inbound, reply)
		} catch (error) {
			this.#refuse(error, reply)
		}
	}

	#refuse(error: unknown, reply: Reply): void {
		if (!(error instanceof ProtocolError)) this.#options.onFault(error)
		const known = error instanceof ProtocolError ? error : new ProtocolError('internal_error')
		reply.json(known.status, errorResponse(null, known), known.headers)
	}

	#answerPlainly(request: IncomingMessage, response: ServerResponse, { status, headers, body }: PlainAnswer): void {
		const challenge = status === 204 ? request.headers['roundhouse-challenge'] : undefined
		const text = body ? JSON.stringify(body) : ''
		response.writeHead(status, {
			...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
			'Cache-Control': 'no-store',
			...(status !== 403 && corsHeaders(request)),
			...headers,
			...(typeof challenge === 'string' && this.#options.proof(challenge)),
		})
		response.end(text)
		dropUnlessComplete(request)
	}
}

/** How long the rest of a body that nobody reads is still taken, so that its sender gets to read the answer. */
const lingerMs = 1000
/** The same for who has shown a token: ten megabytes take a busy machine longer. */
const restOfBodyMs = 5000

/** Bodies of ordinary requests are shorter. */
const shortBodyBytes = 64 * 1024

/** Closes the connection of a sender that has its answer and has not sent its whole request. */
function dropUnlessComplete(request: IncomingMessage): void {
	const timer = setTimeout(() => request.complete || request.socket.destroy(), lingerMs)
	request.once('close', () => clearTimeout(timer))
}

function refuseBody(request: IncomingMessage, response: ServerResponse): void {
	const error = new ProtocolError('payload_too_large')
	const text = errorResponse(null, error)
	response.writeHead(error.status, {
		'Content-Type': 'application/json',
		'Content-Length': Buffer.byteLength(text),
		'Cache-Control': 'no-store',
		Connection: 'close',
	})
	response.write(text)
	const finish = () => response.end()
	const timer = setTimeout(finish, restOfBodyMs)
	request.once('end', finish)
	response.once('close', () => clearTimeout(timer))
}
