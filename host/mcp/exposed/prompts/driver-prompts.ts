import { type JsonObject, stringifyJson } from '@roundhouse/kit'
import { type Manifest, type PromptManifest, wireName } from '@roundhouse/kit/manifest'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { complete } from '../../protocol/outcome.ts'
import { isAsk, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, driverOptions } from '../framework/driver-context.ts'
import { driverOf, type Services } from '../framework/services.ts'
import type { Prompt } from './prompt.ts'

/** Returns a prompt of a driver. */
export function driverPrompt(manifest: Manifest, prompt: PromptManifest, services: Services): Prompt {
	return {
		// A manifest is parsed JSON.
		descriptor: {
			...(prompt as JsonObject & PromptManifest),
			name: wireName(manifest, prompt.name),
		} as Prompt['descriptor'],
		arguments: (prompt.arguments ?? []) as Prompt['arguments'],
		get: async (args, round) => {
			const driver = await driverOf(manifest.id, round.call, services)
			const encoded = await driver.call(
				'getPrompt',
				{ name: prompt.name, args: stringifyJson(args), context: driverContext(round) },
				driverOptions(round.call),
			)
			const outcome = decodeAnswer('getPrompt', encoded, driver)
			if (isAsk(outcome)) return toInputRequired(outcome, round, { states: services.states, driver: manifest })
			const { description, messages } = outcome
			return complete({
				...(description !== undefined && { description }),
				messages: messages.map(message => ({ ...message })),
			})
		},
	}
}
