import { DriverError, type JsonObject, stringifyJson } from '@roundhouse/kit'
import type { Manifest, ToolManifest } from '@roundhouse/kit/manifest'
import type { SavedConnection } from '../../connections/saved-connections.ts'
import type { Scope } from '../access/scopes.ts'
import { isAsk, refuseMissing, toInputRequired } from '../approval/driver-ask.ts'
import { driverContext, forwardProgress } from '../approval/driver-context.ts'
import { parameterHeadersOf } from '../bridge/parameter-headers.ts'
import { decode } from '../catalog/decoded.ts'
import { driverName } from '../catalog/driver-name.ts'
import type { Services } from '../catalog/services.ts'
import { checkArguments, compileSchema } from './argument-schema.ts'
import type { Tool, ToolCallContext, ToolDescriptor, ToolOutcome } from './tool.ts'

/** A tool that a driver brings; its schemas pass to clients untouched. */
export function driverTool(manifest: Manifest, tool: ToolManifest, services: Services): Tool {
	// A manifest is parsed JSON, and a JSON Schema that is not an object is refused there.
	const inputSchema = tool.inputSchema as JsonObject
	const validate = compileSchema(inputSchema)
	return {
		descriptor: descriptorOf(manifest, tool, inputSchema),
		scopes: scopesOf(tool),
		parameterHeaders: parameterHeadersOf(inputSchema),
		prepare: (args, call) => {
			checkArguments(validate, args)
			const connection = tool.needsConnection ? services.gate.check(connectionIdOf(args), call.caller) : undefined
			if (connection && connection.driverId !== manifest.id) {
				throw new DriverError('unsupported', `"${connection.name}" is not a connection of ${manifest.displayName}.`)
			}
			if (connection && tool.access !== 'read') services.gate.requireWritable(connection)
			return context => run(manifest, tool, args, connection, context, services)
		},
	}
}

async function run(
	manifest: Manifest,
	tool: ToolManifest,
	args: JsonObject,
	connection: SavedConnection | undefined,
	{ call, round }: ToolCallContext,
	services: Services,
): Promise<ToolOutcome> {
	if (connection) await services.gate.permit(connection, call)
	if (tool.access !== 'read') {
		const question = await services.consent.settle(
			{
				connection: connection ?? { id: '', name: manifest.displayName, driverId: manifest.id },
				statement: `${driverName(manifest, tool.name)} ${stringifyJson(args, 2)}`,
				summary: tool.title ?? tool.description,
				access: tool.access,
			},
			round,
			call,
		)
		if (question) return question
	}
	const session = connection && (await services.gate.open(connection, call))
	const process = session?.process ?? (await services.drivers.process(manifest.id))
	const encoded = await process.call(
		'callTool',
		{
			name: tool.name,
			args: stringifyJson(args),
			context: driverContext(round, call),
			...(session && { connection: session.handle }),
		},
		{ signal: call.signal, onProgress: forwardProgress(call) },
	)
	const outcome = decode(encoded)
	refuseMissing(outcome)
	return isAsk(outcome) ? toInputRequired(outcome, services.states, round, call) : outcome
}

function descriptorOf(manifest: Manifest, tool: ToolManifest, inputSchema: JsonObject): ToolDescriptor {
	return {
		name: driverName(manifest, tool.name),
		...(tool.title !== undefined && { title: tool.title }),
		description: tool.description,
		inputSchema,
		...(tool.outputSchema && { outputSchema: tool.outputSchema as JsonObject }),
		...(tool.annotations && { annotations: tool.annotations as JsonObject }),
	}
}

function scopesOf({ access }: ToolManifest): readonly Scope[] {
	return access === 'read' ? [] : access === 'write' ? ['tools:write'] : ['tools:destructive']
}

function connectionIdOf(args: JsonObject): string {
	if (typeof args.connection_id === 'string') return args.connection_id
	throw new DriverError('invalid_argument', 'connection_id: take it from list_connections.')
}
