import { type IncomingMessage, request as send } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import {
	type Access,
	type DriverContext,
	DriverError,
	type DriverErrorCode,
	refuseAbove,
	type Settings,
} from '@roundhouse/kit'

/** One request of the API, over a socket that the host opens. */

const timeoutMs = 10_000

export interface Request {
	readonly method: string
	/** With its query. */
	readonly path: string
	/** JSON text. */
	readonly body?: string | undefined
	/** The request is refused if the row has another version. */
	readonly version?: string | undefined
}

export interface Reply {
	readonly status: number
	readonly body: Buffer
	readonly tookMs: number
}

/** What a request does, by its method. */
export function accessOf(method: string): Access {
	if (method === 'GET' || method === 'HEAD') return 'read'
	return method === 'POST' || method === 'PATCH' ? 'write' : 'destructive'
}

export class Client {
	readonly #url: URL
	readonly #port: number
	readonly #token: string
	readonly #context: Pick<DriverContext, 'connect' | 'permitted'>

	constructor({ address = '', token = '' }: Settings, context: Pick<DriverContext, 'connect' | 'permitted'>) {
		const hasScheme = /^https?:\/\//.test(String(address))
		const url = URL.parse(hasScheme ? String(address) : `http://${address}`)
		if (!url) throw new DriverError('invalid_argument', `Address: ${address} is not an address.`)
		this.#url = url
		const standard = url.protocol === 'https:' ? 443 : 80
		this.#port = Number(url.port) || (hasScheme ? standard : 8080)
		this.#token = String(token)
		this.#context = context
	}

	/** Sends a request that the current call permits. @throws DriverError */
	async send(request: Request, signal: AbortSignal): Promise<Reply> {
		// Before the first byte is sent, so that a wrong verdict does not become a wrong write.
		refuseAbove(accessOf(request.method), this.#context.permitted(), `${request.method} ${request.path}`)
		const startedAt = performance.now()
		// Its errors say what the host refused, or why the server cannot be reached.
		const plain = await this.#context.connect({ host: this.#url.hostname, port: this.#port }, { signal, timeoutMs })
		const socket = this.#url.protocol === 'https:' ? this.#secured(plain) : plain
		try {
			const answer = await this.#exchange(request, socket, signal)
			const chunks: Buffer[] = await answer.toArray()
			const tookMs = Math.round(performance.now() - startedAt)
			return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks), tookMs }
		} catch (error) {
			if (signal.aborted) throw new DriverError('user_cancelled', 'The request was cancelled.')
			throw new DriverError(
				'not_connected',
				`The connection was lost: ${error instanceof Error ? error.message : error}`,
			)
		} finally {
			socket.destroy()
		}
	}

	/** Sends a request that must succeed. @throws DriverError */
	async read(request: Request, signal: AbortSignal): Promise<Reply> {
		const reply = await this.send(request, signal)
		if (reply.status < 400) return reply
		throw new DriverError(codeOf(reply.status), messageIn(reply))
	}

	/** The certificate must be for the host of the address. TLS has no server name for an IP address. */
	#secured(socket: Socket): Socket {
		const { hostname: host } = this.#url
		return secure({ socket, host, ...(isIP(host) === 0 && { servername: host }) })
	}

	#exchange({ method, path, body, version }: Request, socket: Socket, signal: AbortSignal) {
		return new Promise<IncomingMessage>((resolve, reject) => {
			const headers = {
				host: this.#url.host,
				connection: 'close',
				...(this.#token && { authorization: `Bearer ${this.#token}` }),
				...(version !== undefined && { 'if-match': version }),
				...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
			}
			const sending = send({ method, path, headers, signal, createConnection: () => socket }, resolve)
			sending.setTimeout(timeoutMs, () => sending.destroy(new Error('The server did not answer in time.')))
			sending.on('error', reject)
			sending.end(body)
		})
	}
}

export function codeOf(status: number): DriverErrorCode {
	if (status === 401 || status === 403) return 'denied'
	return status === 404 ? 'not_found' : 'query_failed'
}

/** Returns the server's words for an error. */
export function messageIn({ status, body }: Reply): string {
	return `The server answered ${status}: ${body.toString('utf8').slice(0, 1_000)}`
}
