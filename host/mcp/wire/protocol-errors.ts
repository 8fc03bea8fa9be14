/**
 * All protocol errors, with code and HTTP status (contract, "Protocol errors"). Failures of the database are not
 * included: they are sent within a result (contract, "Tool error result").
 */
export const protocolErrors = {
	parse_error: { code: -32700, status: 400, message: 'The body is not JSON.' },
	invalid_request: { code: -32600, status: 400, message: 'The body is not a JSON-RPC 2.0 request.' },
	method_not_found: { code: -32601, status: 404, message: 'Method not found.' },
	invalid_params: { code: -32602, status: 400, message: 'Invalid params.' },
	internal_error: { code: -32603, status: 500, message: 'Internal error. The log of Roundhouse has the details.' },
	header_mismatch: { code: -32020, status: 400, message: 'A header is missing, malformed or disagrees with the body.' },
	missing_capability: { code: -32021, status: 400, message: 'The client lacks a capability that this call needs.' },
	unsupported_version: { code: -32022, status: 400, message: 'This protocol version is not supported.' },
	unavailable: { code: -33000, status: 503, message: 'Roundhouse is shutting down.' },
	session_not_found: { code: -33001, status: 404, message: 'There is no such session. Send `initialize` first.' },
	request_cancelled: { code: -33002, status: 200, message: 'The request was cancelled.' },
	request_timeout: { code: -33003, status: 200, message: 'The request took longer than 330 seconds.' },
	payload_too_large: { code: -33005, status: 413, message: 'The body is larger than 10 MB.' },
	server_disabled: {
		code: -33006,
		status: 503,
		message: 'AI access is switched off. Switch it on in Settings > AI access.',
	},
	forbidden: { code: -33007, status: 403, message: 'Forbidden.' },
	token_expired: {
		code: -33008,
		status: 401,
		message: 'The access token has expired. Create another with `roundhouse token create`.',
	},
	unauthenticated: {
		code: -33009,
		status: 401,
		message: 'This endpoint needs an access token: `Authorization: Bearer <token>`.',
	},
	rate_limited: { code: -33010, status: 429, message: 'Too many requests.' },
} as const satisfies Record<string, { code: number; status: number; message: string }>
