import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { bindingOf, type RequestStates, type ReturnedState } from './request-state.ts'

/** One round of a call: the call, and what it brings back from its earlier rounds. */
export interface Round {
	readonly call: McpCall
	readonly params: JsonObject
	readonly inputResponses: JsonObject
	/** The content of the state that came back, if one did; it has been checked and used up. */
	readonly resumed: ReturnedState | undefined
	/** The connection that the call is for, where it is for one. */
	readonly connectionId?: string
}

const noResponses: JsonObject = Object.freeze({})

/** Whether the call repeats an earlier one; its result is never cached (contract, "Write approval"). */
export function isRepeated(params: JsonObject): boolean {
	return params.requestState !== undefined || params.inputResponses !== undefined
}

/** The answers of the client: an object of objects. @throws ProtocolError `invalid_params` */
export function readInputResponses(params: JsonObject): JsonObject {
	const responses = params.inputResponses ?? noResponses
	if (params.inputResponses !== null && isJsonObject(responses) && Object.values(responses).every(isJsonObject)) {
		return responses
	}
	throw new ProtocolError('invalid_params', '`inputResponses` is an object with an object for each request key.')
}

/** @throws ProtocolError `invalid_params` where the state is not the one that this very call was given */
export async function resume(states: RequestStates, params: JsonObject, call: McpCall): Promise<Round> {
	const inputResponses = readInputResponses(params)
	const { requestState } = params
	if (requestState === undefined) return { call, params, inputResponses, resumed: undefined }
	if (typeof requestState !== 'string') throw new ProtocolError('invalid_params', '`requestState` is a text.')
	return { call, params, inputResponses, resumed: await states.open(requestState, bindingOf({ call, params })) }
}

export function firstRound(params: JsonObject, call: McpCall): Round {
	return { call, params, inputResponses: noResponses, resumed: undefined }
}

/**
 * The round of a call that is for this connection: a call that names none is for the only one there is, and another may have
 * taken its place between two rounds. @throws ProtocolError `invalid_params`
 */
export function roundOn(round: Round, connectionId: string): Round {
	if (round.resumed && round.resumed.connectionId !== connectionId) {
		throw new ProtocolError('invalid_params', '`requestState` belongs to a call on another connection.')
	}
	return { ...round, connectionId }
}
