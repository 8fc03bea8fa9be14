import type { Json, JsonObject } from '@roundhouse/kit'
import type { Round } from '../../consent/rounds.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Outcome } from '../../protocol/outcome.ts'
import { quotedInput } from '../../protocol/outgoing-text.ts'

export interface PromptArgument {
	readonly name: string
	readonly description?: string
	readonly required?: boolean
}

export interface Prompt {
	readonly descriptor: JsonObject & { readonly name: string }
	readonly arguments: readonly PromptArgument[]
	get(args: Readonly<Record<string, string>>, round: Round): Promise<Outcome>
}

/** @throws ProtocolError `invalid_params` for an argument that is unknown, missing or not a text */
export function readPromptArguments(prompt: Prompt, given: JsonObject): Readonly<Record<string, string>> {
	const known = new Map(prompt.arguments.map(argument => [argument.name, argument]))
	for (const [name, value] of Object.entries(given)) {
		if (!known.has(name)) throw refused(name, 'is not an argument of this prompt')
		if (typeof value !== 'string') throw refused(name, 'must be a string')
	}
	for (const { name, required } of known.values()) {
		if (required && !Object.hasOwn(given, name)) throw refused(name, 'is required')
	}
	return given as Readonly<Record<string, Json & string>>
}

function refused(name: string, reason: string): ProtocolError {
	return new ProtocolError('invalid_params', `The argument ${quotedInput(name)} ${reason}.`)
}
