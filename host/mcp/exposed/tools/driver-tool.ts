import type { Access } from '@roundhouse/kit'
import { DriverError, decode, type JsonObject, stringifyJson } from '@roundhouse/kit'
import { type Manifest, type ToolManifest, wireName } from '@roundhouse/kit/manifest'
import type { SavedConnection } from '../../../connections/saved-connections.ts'
import { type Round, roundOn } from '../../consent/rounds.ts'
import { parameterHeadersOf } from '../../wire/parameter-headers.ts'
import { isAsk, refuseMissing, toInputRequired } from '../framework/driver-ask.ts'
import { driverContext, driverOptions } from '../framework/driver-context.ts'
import { driverOf, type Services } from '../framework/services.ts'
import type { Tool, ToolDescriptor, ToolOutcome } from '../framework/tool.ts'

/** A tool that a driver brings; its schemas pass to clients untouched. */
export function driverTool(manifest: Manifest, tool: ToolManifest, services: Services): Tool {
	// A manifest is parsed JSON.
	const inputSchema = tool.inputSchema as JsonObject
	const access = accessOf(tool)
	return {
		descriptor: descriptorOf(manifest, tool, access, inputSchema),
		access,
		group: tool.group,
		...(tool.needsConnection && { worksOn: ({ driverId }) => driverId === manifest.id }),
		parameterHeaders: parameterHeadersOf(inputSchema),
		prepare: (args, call) => {
			const text = stringifyJson(args)
			if (text.length > longestArguments)
				throw new DriverError('invalid_argument', 'The arguments are longer than 1 MB.')
			const connection = tool.needsConnection
				? services.gate.choose(connectionIdOf(args), call.caller, access, tool.group)
				: undefined
			if (connection) call.isFor(connection.id)
			if (connection && connection.driverId !== manifest.id) {
				throw new DriverError('unsupported', `"${connection.name}" is not a connection of ${manifest.displayName}.`)
			}
			return round =>
				run(
					{ manifest, tool, access },
					{ args, text, connection },
					connection ? roundOn(round, connection.id) : round,
					services,
				)
		},
	}
}

/** Beyond this they keep the endpoint busy with passing them on; as long as the longest results of the core. */
const longestArguments = 1024 * 1024

interface DriverTool {
	readonly manifest: Manifest
	readonly tool: ToolManifest
	readonly access: Access
}

/** What the client gave, also as the driver gets it, and the connection it names. */
interface Given {
	readonly args: JsonObject
	readonly text: string
	readonly connection: SavedConnection | undefined
}

async function run(driverTool: DriverTool, given: Given, round: Round, services: Services): Promise<ToolOutcome> {
	const { manifest, tool, access } = driverTool
	const { text, connection } = given
	const { call } = round
	if (connection) await services.firstUse.permit(connection, call, access)
	const driver = await driverOf(manifest.id, call, services)
	const fault = await driver.call('checkArguments', { schema: JSON.stringify(tool.inputSchema), args: text })
	if (fault !== null) throw new DriverError('invalid_argument', fault)
	const question = await askConsent(driverTool, given, round, services)
	if (question) return question
	const session = connection && (await services.gate.open(connection, call, access, tool.group))
	if (!session) services.gate.requireServed(call)
	const params = { name: tool.name, access, args: text, context: driverContext(round) }
	const options = driverOptions(call)
	const encoded = await (session ? session.call('callTool', params, options) : driver.call('callTool', params, options))
	const outcome = decode(encoded)
	refuseMissing(outcome)
	return isAsk(outcome) ? toInputRequired(outcome, round, services, access !== 'read') : outcome
}

/** What the client is asked first, if anything: nobody is asked for a read. */
async function askConsent(
	{ manifest, tool, access }: DriverTool,
	{ args, connection }: Given,
	round: Round,
	{ consent }: Services,
) {
	if (access === 'read') return undefined
	return consent.settle(
		{
			connection: connection ?? { id: '', name: manifest.displayName, driverId: manifest.id },
			statement: `${wireName(manifest, tool.name)} ${stringifyJson(args, 2)}`,
			summary: tool.title ?? tool.description,
			access,
		},
		round,
	)
}

/**
 * What the core takes a tool for: never less than its manifest says, and a write where the hints that the same manifest
 * gives to clients say so. Its word is all there is, because the core cannot look into a driver.
 */
function accessOf({ access, annotations = {} }: ToolManifest): Access {
	const isHinted = annotations.readOnlyHint === false || annotations.destructiveHint === true
	return access === 'read' && isHinted ? 'write' : access
}

/**
 * A client may act on hints without asking anybody, so none may promise less than the core takes the tool for; and both are
 * told, because clients differ in what they take the missing one for.
 */
function annotationsOf(annotations: JsonObject, access: Access): JsonObject {
	const isRead = access === 'read'
	const isHarmless = isRead || (access === 'write' && annotations.destructiveHint === false)
	return { ...annotations, readOnlyHint: isRead, destructiveHint: !isHarmless }
}

function descriptorOf(manifest: Manifest, tool: ToolManifest, access: Access, inputSchema: JsonObject): ToolDescriptor {
	return {
		name: wireName(manifest, tool.name),
		...(tool.title !== undefined && { title: tool.title }),
		description: tool.description,
		inputSchema,
		...(tool.outputSchema && { outputSchema: tool.outputSchema as JsonObject }),
		annotations: annotationsOf((tool.annotations ?? {}) as JsonObject, access),
	}
}

function connectionIdOf({ connection_id: wanted }: JsonObject): string | undefined {
	if (wanted === undefined || typeof wanted === 'string') return wanted
	throw new DriverError('invalid_argument', 'connection_id: take it from list_connections.')
}
