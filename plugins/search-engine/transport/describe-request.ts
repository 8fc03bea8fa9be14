import { stringifyJson } from '@roundhouse/kit'
import type { EngineRequest } from './engine-request.ts'

/** Formats a request for display, in console syntax. */
export function describeRequest(request: EngineRequest): string {
	const line = `${request.method} ${request.path}${request.search ? `?${request.search}` : ''}`
	const body = request.text ?? (request.body === undefined ? undefined : stringifyJson(request.body, 2))
	return body === undefined ? line : `${line}\n${body}`
}
