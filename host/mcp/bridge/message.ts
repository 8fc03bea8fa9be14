import {
	type ExactNumber,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	parseJson,
} from '@roundhouse/kit/json'
import { metaKeys } from '../wire/meta-keys.ts'

/** A line of the client. The members of a malformed message are missing; the host answers it with the error. */
export interface Message {
	/** The message, whose numbers keep their digits; `undefined` if the line is not a JSON object. */
	readonly json: JsonObject | undefined
	readonly id: Json | undefined
	readonly method: string | undefined
	readonly params: JsonObject
	/** Whether it names a revision, which only modern messages do (contract, "Versioning" 4). */
	readonly isModern: boolean
}

export function readMessage(line: string): Message {
	let value: Json | undefined
	try {
		value = parseJson(line)
	} catch {
		// The host answers with the error.
	}
	return messageOf(isJsonObject(value) ? value : undefined)
}

export function messageOf(json: JsonObject | undefined): Message {
	const { id, method, params } = json ?? {}
	const known = isJsonObject(params) ? params : {}
	return {
		json,
		id,
		method: typeof method === 'string' ? method : undefined,
		params: known,
		isModern: isJsonObject(known._meta) && known._meta[metaKeys.protocolVersion] !== undefined,
	}
}

/** The host refuses other ids. */
export function isRequestId(id: Json | undefined): id is string | number | ExactNumber {
	return typeof id === 'string' || typeof id === 'number' || isExactNumber(id)
}

/** Returns a key of an id that depends on type and value: 1 is not "1". */
export function idKey(id: Json): string {
	return JSON.stringify(id)
}
