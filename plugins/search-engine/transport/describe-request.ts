import { stringifyJson } from '@roundhouse/kit'
import type { EngineRequest } from './transport.ts'

/** A request as a person reads it, and as the console takes it. */
export function describeRequest(request: EngineRequest): string {
	const line = `${request.method} ${request.path}${request.search ? `?${request.search}` : ''}`
	return request.body === undefined ? line : `${line}\n${stringifyJson(request.body, 2)}`
}
