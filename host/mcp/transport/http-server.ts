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
	/** Throws if no requests are served now. */
	readonly requireServing: () => void
	/** @throws ProtocolError */
	readonly identify: (credentials: Credentials) => Caller
	/** Throws if this caller exceeds its rate. @throws ProtocolError */
	readonly requireRate: (caller: Caller) => void
	readonly receive: (inbound: Inbound, reply: Reply) => void
	/** Returns headers for the answer to OPTIONS, with which the bridge verifies this host (host/mcp/bridge). */
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

	/** Listens on the port, or on one that the kernel picks if it is in use. */
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

	/** Stops listening and waits for pending answers, but not for idle clients. */
	async close(): Promise<void> {
		const closed = this.#server[Symbol.asyncDispose]()
		this.#server.closeIdleConnections()
		const forceClose = setTimeout(() => this.#server.closeAllConnections(), 500)
		await closed
		clearTimeout(forceClose)
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
		// A connection with a token is free after its answer, even if the client still sends.
		response.on('close', () => (isKnown || request.complete ? ended() : request.once('end', ended)))
		const answer = guard(request, { port: () => this.#port, allowedOrigins: this.#options.allowedOrigins })
		if (answer) return this.#answerPlainly(request, response, answer)
		const reply = new HttpReply(response, { cors: corsHeaders(request), clock, keepAliveMs: limits.keepAliveMs })
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

	/**
	 * Checks the rate before a long body is read. A short body is read first, so that the error contains the request's
	 * id.
	 */
	#requireRoom(request: IncomingMessage, caller: Caller): void {
		if (!this.#connections.claim(request.socket, caller.tokenId ?? caller.key)) {
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

/** How long the rest of an ignored body is still received, so that the client can read the answer. */
const lingerMs = 1000
/** The same for authenticated clients: ten megabytes take longer on a busy machine. */
const restOfBodyMs = 5000

/** Ordinary requests are shorter. */
const shortBodyBytes = 64 * 1024

/** Closes the connection if the client has not sent its complete request within {@link lingerMs} after the answer. */
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
