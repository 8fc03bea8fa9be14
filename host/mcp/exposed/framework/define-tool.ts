import { type Access, DriverError, type JsonObject } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import type { SavedConnection } from '../../../connections/saved-connections.ts'
import { requireAccess } from '../../access/authorization.ts'
import type { ClientSession } from '../../access/client-session.ts'
import type { Round } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import type { Services } from './services.ts'
import type { Tool, ToolOutcome } from './tool.ts'

interface CoreToolBase {
	readonly name: string
	readonly title: string
	/** A text, or one made of what the installed drivers say of themselves. */
	readonly description: string | ((drivers: readonly Manifest[]) => string)
	/** What the token needs for it whatever the arguments say. */
	readonly access: Access
	/** What its hints promise, where the arguments decide what it does. */
	readonly mayBe?: Access
}

/** What a tool that works on a connection gets beside its arguments. */
export interface ConnectionCall {
	readonly call: McpCall
	readonly round: Round
	readonly connection: SavedConnection
	readonly services: Services
	/** Opens the connection, or finds it open, to do so much on it: what the tool does at least, or more. @throws ProtocolError */
	open(access?: Access): Promise<ClientSession>
}

/** A structured answer, which is also sent as text; or a question to the client. */
type CoreOutcome = JsonObject | InputRequired

const connectionId = z.string().describe('From list_connections')

/** Makes a tool on the services of one endpoint; its name is known before. */
type ToolBuilder = ((services: Services) => Tool) & { readonly toolName: string }

/** A tool that needs no connection. Its arguments are described once, in zod; clients see them as JSON Schema. */
export function defineTool<Shape extends z.ZodRawShape>(
	definition: CoreToolBase & {
		readonly input: Shape
		run(args: z.infer<z.ZodObject<Shape>>, call: McpCall, services: Services): Promise<CoreOutcome> | CoreOutcome
	},
): ToolBuilder {
	const input = z.strictObject(definition.input)
	const build = (services: Services): Tool => ({
		descriptor: descriptorOf(definition, input, services),
		access: definition.access,
		prepare: (args, call) => {
			const parsed = parseArguments(input, args)
			return () => toOutcome(definition.run(parsed, call, services))
		},
	})
	return Object.assign(build, { toolName: definition.name })
}

/** A tool on one connection: the argument `connection_id` and the connection's policy come by themselves. */
export function defineConnectionTool<Shape extends z.ZodRawShape>(
	definition: CoreToolBase & {
		readonly input: Shape
		run(args: z.infer<z.ZodObject<Shape>>, call: ConnectionCall): Promise<CoreOutcome>
	},
): ToolBuilder {
	const input = z.strictObject(definition.input)
	const whole = z.strictObject({ connection_id: connectionId, ...definition.input })
	const build = (services: Services): Tool => ({
		descriptor: descriptorOf(definition, whole, services),
		access: definition.access,
		prepare: (args, call) => {
			const { connection_id: id, ...rest } = args
			const found = parseArguments(connectionId, id ?? null, 'connection_id')
			const connection = services.gate.find(found, call.caller, definition.access)
			const parsed = parseArguments(input, rest)
			return async round => {
				await services.firstUse.permit(connection, call, definition.access)
				const open = async (access = definition.access) => {
					requireAccess(call.caller, access)
					return services.gate.open(connection, call, access)
				}
				return structured(await definition.run(parsed, { call, round, connection, services, open }))
			}
		},
	})
	return Object.assign(build, { toolName: definition.name })
}

function descriptorOf(definition: CoreToolBase, input: z.ZodObject, { drivers }: Services): Tool['descriptor'] {
	const { name, title, description } = definition
	// JSON Schema is JSON.
	const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonObject
	return {
		name,
		title,
		description: typeof description === 'string' ? description : description(drivers.installed()),
		inputSchema,
		annotations: annotations[definition.mayBe ?? definition.access],
	}
}

/** The specification's defaults are "writes" and "destroys", so only what differs is sent. */
const annotations = {
	read: { readOnlyHint: true },
	write: { destructiveHint: false },
	destructive: { destructiveHint: true },
} as const

/** @throws DriverError `invalid_argument` naming the first argument that does not fit */
function parseArguments<T>(schema: z.ZodType<T>, value: unknown, name?: string): T {
	const parsed = schema.safeParse(value)
	if (parsed.success) return parsed.data
	const [issue] = parsed.error.issues
	const path = [...(name ? [name] : []), ...(issue?.path ?? [])].join('.')
	throw new DriverError('invalid_argument', `${path ? `${path}: ` : ''}${issue?.message ?? 'it does not fit'}.`)
}

function toOutcome(outcome: Promise<CoreOutcome> | CoreOutcome): Promise<ToolOutcome> | ToolOutcome {
	return outcome instanceof Promise ? outcome.then(structured) : structured(outcome)
}

function structured(outcome: CoreOutcome): ToolOutcome {
	if (isInputRequired(outcome)) return outcome
	return { content: [{ type: 'text', text: JSON.stringify(outcome) }], structuredContent: outcome }
}

function isInputRequired(outcome: CoreOutcome): outcome is InputRequired {
	return outcome.kind === 'input_required'
}
