import { type Access, DriverError, type ExactNumber, isExactNumber, type JsonObject } from '@roundhouse/kit'
import { z } from 'zod'
import { requireAccess } from '../../access/authorization.ts'
import { roundOn } from '../../consent/rounds.ts'
import { parseArguments } from '../framework/arguments.ts'
import { type ConnectionCall, descriptionOf, isInputRequired, structured } from '../framework/define-tool.ts'
import { type OfferedParameter, type OfferedRequest, presetOf, withValues } from '../framework/offered-requests.ts'
import type { Services } from '../framework/services.ts'
import type { Tool } from '../framework/tool.ts'
import { runConsented } from './consented-run.ts'
import { cellsOf, valued } from './parameters.ts'
import { defaultRows } from './row-set.ts'
import { analyse, statementOutput } from './statement.ts'
import { defaultTimeoutSeconds } from './time-limit.ts'

const group = 'custom'
const maxTextLength = 10_000

/**
 * Returns a tool that runs a saved request (docs/mcp.md, "Tools of your own"). Its text, connection and access are
 * those that the user offered; parameters only set values.
 */
export function customTool(offer: OfferedRequest, services: Services): Tool {
	const { name, description, access, connectionId } = offer
	const input = z.strictObject(
		Object.fromEntries(offer.parameters.map(parameter => [parameter.name, shapeOf(parameter)])),
	)
	const effect = access === 'read' ? 'none' : 'changes'
	const about = { name, title: name, description, effect, output: statementOutput } as const
	return {
		name,
		describe: () => descriptionOf(about, input, services),
		access,
		group,
		worksOn: ({ id }) => id === connectionId,
		isForOne: true,
		prepare: (args, call) => {
			const connection = services.gate.find(connectionId, call.caller, { access, group })
			call.isFor(connection.id)
			const values = withDefaults(offer.parameters, parseArguments<JsonObject>(input as z.ZodType<JsonObject>, args))
			return async given => {
				const round = roundOn(given, connection)
				await services.firstUse.permit(connection, call, access)
				const open = async () => {
					requireAccess(call.caller, access)
					return services.gate.open(connection, call, { access, group })
				}
				const outcome = await run(offer, values, { call, round, connection, services, open })
				if (isInputRequired(outcome)) return outcome
				return structured(services.saidNotices.shortened(outcome, call.caller, connection.id))
			}
		},
	}
}

async function run(offer: OfferedRequest, values: JsonObject, context: ConnectionCall) {
	const text = await context.services.offers.textOf(offer.id)
	if (text === undefined) {
		throw new DriverError('denied', `${offer.name} was changed since the user offered it. The user can offer it again.`)
	}
	const session = await context.open()
	const { call } = context
	const bound = await withValues(session, { text, values }, { signal: call.signal })
	const analysed = await analyse(session, bound.text, call)
	const statement = valued(session, analysed, { values: cellsOf(bound.values), call })
	// The values must not change the access of the statement, because the user approved only the access in the offer.
	if (statement.access !== offer.access) {
		throw new DriverError(
			'denied',
			'With these values the statement has another access than the one that the user offered.',
		)
	}
	const limits = { maxRows: defaultRows, timeoutSeconds: defaultTimeoutSeconds }
	const requires = (access: Access) => requireAccess(call.caller, access)
	return runConsented(session, { statement, limits, requireAccess: requires }, context)
}

/** Accepts exact numbers too, which zod does not recognize as numbers. */
const number = (type: 'number' | 'integer') =>
	z
		.custom<number | ExactNumber>(
			value =>
				(typeof value === 'number' || isExactNumber(value)) && (type === 'number' || /^-?\d+$/.test(spelt(value))),
			`Invalid input: expected ${type === 'number' ? 'a number' : 'a whole number'}`,
		)
		.meta({ type })

function shapeOf(parameter: OfferedParameter): z.ZodType {
	const shape = plainShapeOf(parameter).describe(parameter.description)
	return parameter.default === undefined
		? shape
		: shape.optional().meta({ default: presetOf(parameter, parameter.default) })
}

function plainShapeOf({ type, choices = [] }: OfferedParameter): z.ZodType {
	if (type === 'number' || type === 'integer') return number(type)
	if (type === 'boolean') return z.boolean()
	return type === 'choice' ? z.enum(choices) : z.string().max(maxTextLength)
}

function withDefaults(parameters: readonly OfferedParameter[], args: JsonObject): JsonObject {
	const missing = parameters.filter(({ name }) => args[name] === undefined)
	const filled = missing.flatMap(parameter =>
		parameter.default === undefined ? [] : [[parameter.name, presetOf(parameter, parameter.default)] as const],
	)
	return { ...args, ...Object.fromEntries(filled) }
}

function spelt(value: number | ExactNumber): string {
	return isExactNumber(value) ? value.rawJSON : String(value)
}
