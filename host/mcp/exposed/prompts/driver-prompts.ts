import { type JsonObject, stringifyJson } from '@roundhouse/kit'
import { type Manifest, type PromptManifest, wireName } from '@roundhouse/kit/manifest'
import { complete } from '../../protocol/outcome.ts'
import { decode } from '../framework/decoded.ts'
import { isAsk, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, forwardProgress } from '../framework/driver-context.ts'
import type { Services } from '../framework/services.ts'
import type { Prompt } from './prompt.ts'

/** A prompt that a driver brings. */
export function driverPrompt(manifest: Manifest, prompt: PromptManifest, { drivers, gate, states }: Services): Prompt {
	return {
		// A manifest is parsed JSON.
		descriptor: {
			...(prompt as JsonObject & PromptManifest),
			name: wireName(manifest, prompt.name),
		} as Prompt['descriptor'],
		arguments: (prompt.arguments ?? []) as Prompt['arguments'],
		get: async (args, round, call) => {
			const process = await drivers.process(manifest.id)
			gate.requireServed(call)
			const encoded = await process.call(
				'getPrompt',
				{ name: prompt.name, args: stringifyJson(args), context: driverContext(round, call) },
				{ signal: call.signal, onProgress: forwardProgress(call) },
			)
			const outcome = decode(encoded)
			if (isAsk(outcome)) return toInputRequired(outcome, states, round, call)
			const { description, messages } = outcome
			return complete({
				...(description !== undefined && { description }),
				messages: messages.map(message => ({ ...message })),
			})
		},
	}
}
