import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { firstRound, isRepeated, type Round, readInputResponses, resume } from '../../consent/rounds.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Method } from '../../protocol/method.ts'
import { asProtocolError } from '../framework/driver-failure.ts'
import type { Services } from '../framework/services.ts'
import type { Prompt } from './prompt.ts'
import { readPromptArguments } from './prompt.ts'
import type { PromptRegistry } from './prompt-registry.ts'

export function promptsGet(registry: PromptRegistry, { states }: Services, onFault: (error: unknown) => void): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: (params, call) => {
			const prompt = findPrompt(registry, params)
			readInputResponses(params)
			const get = (round: Round) => prompt.get(readArguments(prompt, params), round)
			// The state is checked before the arguments that it is bound to, as for tools.
			const outcome = isRepeated(params) ? resume(states, params, call).then(get) : get(firstRound(params, call))
			return outcome.catch(error => {
				throw asProtocolError(error, onFault)
			})
		},
	}
}

/** @throws ProtocolError `invalid_params` */
function readArguments(prompt: Prompt, params: JsonObject): Readonly<Record<string, string>> {
	const given = params.arguments ?? {}
	if (params.arguments === null || !isJsonObject(given)) {
		throw new ProtocolError('invalid_params', '`arguments` is an object.')
	}
	return readPromptArguments(prompt, given)
}

/** @throws ProtocolError `invalid_params` */
function findPrompt(registry: PromptRegistry, { name }: JsonObject): Prompt {
	const prompt = typeof name === 'string' ? registry.find(name) : undefined
	if (prompt) return prompt
	throw new ProtocolError('invalid_params', 'There is no such prompt. `prompts/list` shows those there are.')
}
