import { type Json, type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import { protocolErrors } from '../wire/protocol-errors.ts'

/** The parts of a host's error that the bridge needs. */
export interface AnsweredError {
	readonly code: number
	readonly message: string
	/** Seconds until a retry, if the host did not run the request now. */
	readonly retryAfterSeconds: number | undefined
}

interface Answer {
	readonly id: unknown
	readonly error?: {
		readonly code: number
		readonly message: string
		readonly data?: { readonly retryAfterSeconds?: number }
	}
}

export function errorOf(answer: string): AnsweredError | undefined {
	// Results are long and frequent, so they are not parsed here.
	if (!answer.includes('"error"')) return undefined
	const { error } = JSON.parse(answer) as Answer
	return error && { code: error.code, message: error.message, retryAfterSeconds: error.data?.retryAfterSeconds }
}

/** Sets the id of an answer, if the host refused the request before it read the id. */
export function withId(answer: string, id: Json | undefined): string {
	if (id === undefined || !errorOf(answer)) return answer
	const parsed = JSON.parse(answer) as JsonObject
	return parsed.id === null ? stringifyJson({ ...parsed, id }) : answer
}

export function resultAnswer(id: Json, result: JsonObject): string {
	return stringifyJson({ jsonrpc: '2.0', id, result })
}

export function errorAnswer(id: Json, name: keyof typeof protocolErrors, message?: string): string {
	const { code, message: standard } = protocolErrors[name]
	return stringifyJson({ jsonrpc: '2.0', id, error: { code, message: message ?? standard } })
}

export function notification(method: string, params: JsonObject): string {
	return stringifyJson({ jsonrpc: '2.0', method, params })
}
