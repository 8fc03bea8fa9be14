import { isJsonObject, type JsonObject } from '@roundhouse/kit'
import { readInputResponses, resume } from '../approval/rounds.ts'
import { asProtocolError } from '../catalog/driver-failure.ts'
import type { Services } from '../catalog/services.ts'
import type { Prompt } from '../prompts/prompt.ts'
import { readPromptArguments } from '../prompts/prompt.ts'
import type { PromptRegistry } from '../prompts/prompt-registry.ts'
import type { Cursors } from '../protocol/cursors.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Method } from '../protocol/method.ts'
import { complete, hourMs } from '../protocol/outcome.ts'

export function promptsList(registry: PromptRegistry, cursors: Cursors): Method {
	return {
		eras: ['modern', 'legacy'],
		scope: 'resources:read',
		handle: ({ cursor }, { method }) => {
			const { items, nextCursor } = cursors.page(method, registry.all(), cursor)
			return complete(
				{ prompts: items.map(prompt => prompt.descriptor), ...(nextCursor !== undefined && { nextCursor }) },
				{ ttlMs: hourMs, cacheScope: 'public' },
			)
		},
	}
}

export function promptsGet(registry: PromptRegistry, { states }: Services, onFault: (error: unknown) => void): Method {
	return {
		eras: ['modern', 'legacy'],
		scope: 'resources:read',
		handle: (params, call) => {
			const prompt = findPrompt(registry, params)
			const given = params.arguments ?? {}
			if (params.arguments === null || !isJsonObject(given)) {
				throw new ProtocolError('invalid_params', '`arguments` is an object.')
			}
			const args = readPromptArguments(prompt, given)
			readInputResponses(params)
			return resume(states, params, call)
				.then(round => prompt.get(args, round, call))
				.catch(error => {
					throw asProtocolError(error, onFault)
				})
		},
	}
}

/** @throws ProtocolError `invalid_params` */
function findPrompt(registry: PromptRegistry, { name }: JsonObject): Prompt {
	const prompt = typeof name === 'string' ? registry.find(name) : undefined
	if (prompt) return prompt
	throw new ProtocolError('invalid_params', 'There is no such prompt. `prompts/list` shows those there are.')
}
