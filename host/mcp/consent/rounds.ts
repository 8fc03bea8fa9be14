import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import { bindingOf, type RequestStates, type ReturnedState } from './request-state.ts'

/** One round of a call, with the data of its earlier rounds. */
export interface Round {
	readonly call: McpCall
	readonly params: JsonObject
	readonly inputResponses: JsonObject
	/** The content of the returned state, if any. It is verified and marked as used. */
	readonly resumed: ReturnedState | undefined
	/** Identity of the connection of the call (connection-identity.ts), if it has one. */
	readonly connection?: string
}

const noResponses: JsonObject = Object.freeze({})

/** Whether the call is a later round. Its result is never cached (contract, "Write approval"). */
export function isRepeated(params: JsonObject): boolean {
	return params.requestState !== undefined || params.inputResponses !== undefined
}

/** Reads the client's answers: an object of objects. @throws ProtocolError `invalid_params` */
export function readInputResponses(params: JsonObject): JsonObject {
	const responses = params.inputResponses ?? noResponses
	if (params.inputResponses !== null && isJsonObject(responses) && Object.values(responses).every(isJsonObject)) {
		return responses
	}
	throw new ProtocolError('invalid_params', '`inputResponses` is an object with an object for each request key.')
}

/** Resumes a call. @throws ProtocolError `invalid_params` if the state was not issued for this call */
export async function resume(states: RequestStates, params: JsonObject, call: McpCall): Promise<Round> {
	const inputResponses = readInputResponses(params)
	const { requestState } = params
	if (requestState === undefined) return { call, params, inputResponses, resumed: undefined }
	if (typeof requestState !== 'string') throw new ProtocolError('invalid_params', '`requestState` must be a string.')
	return { call, params, inputResponses, resumed: await states.open(requestState, bindingOf({ call, params })) }
}

export function firstRound(params: JsonObject, call: McpCall): Round {
	return { call, params, inputResponses: noResponses, resumed: undefined }
}

/**
 * Binds a round to a connection. Between two rounds, another connection may have become the only one, or the user may
 * have changed the server of this one. @throws ProtocolError `invalid_params`
 */
export function roundOn(round: Round, saved: SavedConnection): Round {
	const connection = identityOf(saved)
	if (round.resumed && round.resumed.connection !== connection) {
		throw new ProtocolError(
			'invalid_params',
			'`requestState` belongs to a call on another connection, or the user has changed this one since. Send the call again without it.',
		)
	}
	return { ...round, connection }
}
