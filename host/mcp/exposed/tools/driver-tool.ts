import type { Access } from '@roundhouse/kit'
import { DriverError, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { type Manifest, type ToolManifest, wireName } from '@roundhouse/kit/manifest'
import type { SavedConnection } from '../../../connections/connection-fields.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { type Round, roundOn } from '../../consent/rounds.ts'
import { parameterHeadersOf } from '../../wire/parameter-headers.ts'
import { withoutEmptyArguments } from '../framework/arguments.ts'
import { withoutChecks } from '../framework/define-tool.ts'
import { fittedResult } from '../framework/driver-answer.ts'
import { isAsk, refuseMissing, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, driverOptions } from '../framework/driver-context.ts'
import { driverOf, type Services } from '../framework/services.ts'
import type { Tool, ToolDescriptor, ToolOutcome } from '../framework/tool.ts'
import { resultLimits } from './row-set.ts'

/** Returns a tool of a driver. Its schemas are sent to clients without what the host checks anyway. */
export function driverTool(manifest: Manifest, tool: ToolManifest, services: Services): Tool {
	// The schema is part of a parsed JSON manifest.
	const inputSchema = tool.inputSchema as JsonObject
	const access = accessOf(tool)
	const descriptor = descriptorOf(manifest, { tool, access, inputSchema })
	return {
		name: descriptor.name,
		describe: () => descriptor,
		access,
		group: tool.group,
		...(tool.needsConnection && { worksOn: ({ driverId }) => driverId === manifest.id }),
		parameterHeaders: parameterHeadersOf(inputSchema),
		prepare: (given, call) => {
			const args = withoutEmptyArguments(inputSchema, given)
			const text = stringifyJson(args)
			if (text.length > maxArgumentsLength)
				throw new DriverError('invalid_argument', 'The arguments are longer than 1 MB.')
			const connection = tool.needsConnection
				? services.gate.choose(connectionIdOf(args), call.caller, { access, group: tool.group })
				: undefined
			if (connection) call.isFor(connection.id)
			if (connection && connection.driverId !== manifest.id) {
				throw new DriverError('unsupported', `"${connection.name}" is not a connection of ${manifest.displayName}.`)
			}
			return round =>
				run(
					{ manifest, tool, access, services },
					{ args, text, connection },
					connection ? roundOn(round, connection) : round,
				)
		},
	}
}

/**
 * Upper limit for the arguments that the host forwards to a driver, in characters. Equals the largest result of a core
 * tool.
 */
const maxArgumentsLength = 1024 * 1024

interface DriverTool {
	readonly manifest: Manifest
	readonly tool: ToolManifest
	readonly access: Access
	readonly services: Services
}

/** The arguments as an object and as JSON text, and the connection that the arguments name. */
interface ToolInput {
	readonly args: JsonObject
	readonly text: string
	readonly connection: SavedConnection | undefined
}

async function run(driverTool: DriverTool, input: ToolInput, round: Round): Promise<ToolOutcome> {
	const { manifest, tool, access, services } = driverTool
	const { text, connection } = input
	const { call } = round
	if (connection) await services.firstUse.permit(connection, call, access)
	const driver = await driverOf(manifest.id, call, services)
	const fault = await driver.call('checkArguments', { schema: JSON.stringify(tool.inputSchema), args: text })
	if (fault !== null) throw new DriverError('invalid_argument', fault)
	const question = await askConsent(driverTool, input, round)
	if (question) return question
	const session = connection && (await services.gate.open(connection, call, { access, group: tool.group }))
	if (!session) services.gate.requireServed(call)
	const params = { name: tool.name, access, args: text, context: driverContext(round) }
	const options = driverOptions(call)
	const encoded = await (session ? session.call('callTool', params, options) : driver.call('callTool', params, options))
	const outcome = decodeAnswer('callTool', encoded, driver)
	refuseMissing(outcome)
	return isAsk(outcome)
		? toInputRequired(outcome, round, { states: services.states, driver: manifest, isConsented: access !== 'read' })
		: fittedResult(outcome, {
				maxBytes: resultLimits.bytes,
				allowsAdditionalProperties: tool.outputSchema?.additionalProperties !== false,
			})
}

/** Asks for consent to a write. @returns the question to the client, if any */
async function askConsent(
	{ manifest, tool, access, services }: DriverTool,
	{ args, connection }: ToolInput,
	round: Round,
) {
	if (access === 'read') return undefined
	return services.consent.settle(
		{
			connection: connection ?? { id: '' as const, name: manifest.displayName, driverId: manifest.id },
			statement: `${wireName(manifest, tool.name)} ${stringifyJson(args, 2)}`,
			summary: tool.title ?? tool.description,
			access,
		},
		round,
	)
}

/**
 * Returns the access level of a tool. This is the level in its manifest, or `write` if the manifest declares `read` but
 * its hints indicate a write. The core must rely on the manifest, because it cannot inspect a driver.
 */
function accessOf({ access, annotations = {} }: ToolManifest): Access {
	const hintsAtWrite = annotations.readOnlyHint === false || annotations.destructiveHint === true
	return access === 'read' && hintsAtWrite ? 'write' : access
}

/**
 * Returns hints that match the access. A client may act on hints without asking the user, so they must not be weaker
 * than the access. Both hints are always set, because clients differ in the default of a missing one.
 */
function annotationsOf(annotations: JsonObject, access: Access): JsonObject {
	const isRead = access === 'read'
	const isHarmless = isRead || (access === 'write' && annotations.destructiveHint === false)
	return { ...annotations, readOnlyHint: isRead, destructiveHint: !isHarmless }
}

/** The parts of a driver's tool that its descriptor shows. */
interface ToolParts {
	readonly tool: ToolManifest
	readonly access: Access
	readonly inputSchema: JsonObject
}

function descriptorOf(manifest: Manifest, { tool, access, inputSchema }: ToolParts): ToolDescriptor {
	return {
		name: wireName(manifest, tool.name),
		...(tool.title !== undefined && { title: tool.title }),
		description: tool.description,
		// A schema that names its dialect is meant to be read by it, as the conformance suite of MCP does.
		inputSchema: inputSchema.$schema === undefined ? withoutChecks(inputSchema) : inputSchema,
		...(tool.outputSchema && { outputSchema: tool.outputSchema as JsonObject }),
		annotations: annotationsOf((tool.annotations ?? {}) as JsonObject, access),
	}
}

function connectionIdOf({ connection_id: wanted }: JsonObject): string | undefined {
	if (wanted === undefined || typeof wanted === 'string') return wanted
	throw new DriverError('invalid_argument', 'connection_id: use an id from list_connections.')
}
