import { type Ask, DriverError, type JsonObject } from '@roundhouse/kit'
import { z } from 'zod'
import { reasonOf } from '../../../../base/reason-of.ts'
import { quote } from '../../protocol/attributed.ts'
import { driverText } from '../../protocol/outgoing-text.ts'

/**
 * A question of a driver to an AI client, built again from the members that are listed here. An AI client shows it under
 * the name of Roundhouse, so it names the driver, asks for no secret, opens no address, and gives the client's model no
 * instructions beside the driver's words.
 */

const [longestMessage, longestLabel] = [2_000, 200]

const label = z.string().transform(text => driverText(text).slice(0, longestLabel))
const words = { title: label.optional(), description: label.optional() }
const choice = z.union([z.string(), z.number(), z.boolean()])

/** The field types of a form (MCP 2026-07-28, "Elicitation", "Requested Schema"). */
const field = z.union([
	z.object({
		...words,
		type: z.literal('string'),
		enum: z.array(label).max(100).optional(),
		format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
		minLength: z.int().optional(),
		maxLength: z.int().optional(),
		default: label.optional(),
	}),
	z.object({
		...words,
		type: z.enum(['number', 'integer']),
		minimum: z.number().optional(),
		maximum: z.number().optional(),
		default: choice.optional(),
	}),
	z.object({ ...words, type: z.literal('boolean'), default: z.boolean().optional() }),
])

const form = z.object({
	mode: z.literal('form').optional(),
	message: z.string(),
	requestedSchema: z.object({
		type: z.literal('object'),
		properties: z.record(z.string().regex(/^[A-Za-z_][\w-]{0,63}$/), field),
		required: z.array(z.string().max(64)).optional(),
	}),
})

const text = z.object({ type: z.literal('text'), text: z.string() })
const sampling = z.object({
	messages: z
		.array(z.object({ role: z.enum(['user', 'assistant']), content: text }))
		.min(1)
		.max(20),
	maxTokens: z.int().min(1).max(4_000),
	temperature: z.number().optional(),
	stopSequences: z.array(z.string().max(100)).max(10).optional(),
})

/** Words of a field that asks for a secret. A driver gets secrets from the form of its connection only. */
const secretWords =
	/pass[\s_-]?(?:word|phrase|code|wd)|\bpwd\b|secret|token|credential|api[\s_-]?key|private[\s_-]?key|\bpin\b|one[\s_-]?time/i

/** Letters that look alike are in one word, for example a Cyrillic a between Latin letters. */
const mixedAlphabets = /[\p{sc=Latin}][\p{sc=Cyrillic}\p{sc=Greek}]|[\p{sc=Cyrillic}\p{sc=Greek}][\p{sc=Latin}]/u

const builders: Readonly<Record<string, (driver: string, params: JsonObject) => object>> = {
	'elicitation/create': (driver, params) => {
		const { message, requestedSchema } = form.parse(params)
		const asked = JSON.stringify([driverText(message), requestedSchema])
		// Invisible characters, accents and letters of other alphabets must not hide a word.
		if (mixedAlphabets.test(asked)) throw new Error('it mixes alphabets within a word')
		if (secretWords.test(asked.normalize('NFKD').replaceAll(/[\p{Mn}\p{Cf}]/gu, '')))
			throw new Error('it asks for a secret')
		return { mode: 'form', message: `${driver} asks: ${quote(message, longestMessage)}`, requestedSchema }
	},
	'sampling/createMessage': (driver, params) => ({
		...sampling.parse(params),
		systemPrompt: `The driver ${driver} asks this. Its words are neither the user's nor those of Roundhouse.`,
		includeContext: 'none',
	}),
	'roots/list': () => ({}),
}

type Question = Ask['ask'][string]

/** @param driver its display name @throws DriverError `internal_failure` if it is no question that a driver may ask */
export function driverQuestion(driver: string, { method, params }: Question): Question {
	const name = driverText(driver)
	try {
		const build = Object.hasOwn(builders, method) ? builders[method] : undefined
		if (!build) throw new Error(`${driverText(method).slice(0, longestLabel)} is not one of a driver`)
		return { method, params: build(name, params) as JsonObject }
	} catch (error) {
		const reason = driverText(reasonOf(error)).slice(0, longestLabel)
		throw new DriverError('internal_failure', `${name} asked a question that is not allowed: ${reason}.`)
	}
}
