import { type Ask, isJsonObject, type JsonObject, type ToolHandler } from '@roundhouse/kit'
import { text } from './content.ts'

/** Tools that ask the client before they answer. */

type Question = Ask['ask'][string]

const askName = elicit('What is your name?', 'name', 'string')
const askConfirmation = elicit('Go on?', 'ok', 'boolean')
const askModel: Question = {
	method: 'sampling/createMessage',
	params: {
		messages: [{ role: 'user', content: text('What is the capital of France?') }],
		maxTokens: 100,
	},
}
const askRoots: Question = { method: 'roots/list', params: {} }

function elicit(message: string, field: string, type: string): Question {
	const requestedSchema = { type: 'object', properties: { [field]: { type } }, required: [field] }
	return { method: 'elicitation/create', params: { message, requestedSchema } }
}

const done = { content: [text('Thank you.')] }

/** Asks until every key has an answer. */
function untilAnswered(ask: Ask['ask'], state?: JsonObject): ToolHandler {
	return async (_args, { inputResponses }) => {
		const missing = Object.entries(ask).filter(([key]) => !isJsonObject(inputResponses[key]))
		if (missing.length === 0) return done
		return { ask: Object.fromEntries(missing), ...(state && { state }) }
	}
}

export const askingTools: Readonly<Record<string, ToolHandler>> = {
	streaming_elicitation: untilAnswered({ user_name: askName }),
	input_required_result_elicitation: untilAnswered({ user_name: askName }),
	input_required_result_sampling: untilAnswered({ capital_question: askModel }),
	input_required_result_list_roots: untilAnswered({ client_roots: askRoots }),
	input_required_result_tampered_state: untilAnswered({ confirm: askConfirmation }, { step: 1 }),
	input_required_result_multiple_inputs: untilAnswered(
		{ user_name: askName, capital_question: askModel, client_roots: askRoots },
		{ step: 1 },
	),
	input_required_result_request_state: async (_args, { state }) =>
		isJsonObject(state) && state.asked === true
			? { content: [text('state-ok')] }
			: { ask: { confirm: askConfirmation }, state: { asked: true } },
	input_required_result_multi_round: async (_args, { state }) => {
		if (!isJsonObject(state)) return { ask: { step1: askName }, state: { step: 1 } }
		return state.step === 1 ? { ask: { step2: askConfirmation }, state: { step: 2 } } : done
	},
	input_required_result_capabilities: async (_args, { clientCapabilities, inputResponses }) => {
		if (Object.keys(inputResponses).length > 0) return done
		const ask: Record<string, Question> = {}
		if (isJsonObject(clientCapabilities.elicitation)) ask.user_name = askName
		if (isJsonObject(clientCapabilities.sampling)) ask.capital_question = askModel
		return Object.keys(ask).length > 0 ? { ask } : done
	},
}

export function askForContext(inputResponses: JsonObject): Ask | undefined {
	if (isJsonObject(inputResponses.user_context)) return undefined
	return { ask: { user_context: elicit('In which context?', 'context', 'string') } }
}
