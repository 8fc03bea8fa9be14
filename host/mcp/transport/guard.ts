import type { IncomingMessage } from 'node:http'
import { endpointPath } from '../wire/handshake-file.ts'
import { isRepeated } from './request-headers.ts'

/** An answer without JSON-RPC, for a request that is rejected before the protocol. */
export interface PlainAnswer {
	readonly status: number
	readonly headers?: Readonly<Record<string, string>>
	readonly body?: { readonly error: string; readonly message: string }
}

export interface GuardRules {
	readonly port: () => number
	readonly allowedOrigins: () => readonly string[]
}

const allow = 'POST, OPTIONS'
const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\]|::1)$/i

/**
 * Checks the headers of every request before its body is read, in this order: Host, Origin, path, method (contract,
 * "Transport"). Returns the answer if the request is rejected.
 *
 * The checks of Host and Origin protect against web pages that call the loopback address, also under their own domain
 * (DNS rebinding).
 */
export function guard(request: IncomingMessage, rules: GuardRules): PlainAnswer | undefined {
	if (!isLoopbackHost(request, rules.port())) {
		return refuse(403, 'forbidden_host', 'The Host header does not name this loopback address.')
	}
	const { origin } = request.headers
	if (origin !== undefined && (isRepeated(request, 'origin') || !rules.allowedOrigins().includes(origin))) {
		return refuse(403, 'forbidden_origin', 'This web origin may not call Roundhouse.')
	}
	const isEndpoint = request.url === endpointPath || request.url?.startsWith(`${endpointPath}?`)
	if (!isEndpoint) return refuse(404, 'not_found', `The endpoint is POST ${endpointPath}.`)
	if (request.method === 'OPTIONS') return { status: 204, headers: preflight(request) }
	if (request.method !== 'POST') {
		return { ...refuse(405, 'method_not_allowed', `The endpoint is POST ${endpointPath}.`), headers: { Allow: allow } }
	}
	return undefined
}

/** Returns the CORS headers; `undefined` for clients that are not browsers. */
export function corsHeaders(request: IncomingMessage): Readonly<Record<string, string>> | undefined {
	const { origin } = request.headers
	if (origin === undefined) return undefined
	return {
		'Access-Control-Allow-Origin': origin,
		'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate, Retry-After',
		Vary: 'Origin',
	}
}

/** Allows the requested headers to an allowed origin, because the names of `Mcp-Param-*` are open-ended. */
function preflight(request: IncomingMessage): Readonly<Record<string, string>> {
	const asked = request.headers['access-control-request-headers']
	return {
		Allow: allow,
		'Access-Control-Allow-Methods': allow,
		'Access-Control-Allow-Headers': asked ?? 'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
		'Access-Control-Max-Age': '86400',
	}
}

function isLoopbackHost(request: IncomingMessage, port: number): boolean {
	const { host } = request.headers
	if (host === undefined || isRepeated(request, 'host')) return false
	if (loopbackHost.test(host)) return true
	const suffix = `:${port}`
	return host.endsWith(suffix) && loopbackHost.test(host.slice(0, -suffix.length))
}

function refuse(status: number, error: string, message: string): PlainAnswer {
	return { status, body: { error, message } }
}
