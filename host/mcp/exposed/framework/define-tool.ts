import { type Access, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import type { SavedConnection } from '../../../connections/saved-connections.ts'
import { requireAccess } from '../../access/authorization.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { type Round, roundOn } from '../../consent/rounds.ts'
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
	readonly group: ToolGroup
	/** What it does at most. The specification calls a change of what is there destructive, and only what adds to it not. */
	readonly effect: 'none' | 'adds' | 'changes'
	/** What its structured answer holds. */
	readonly output: z.ZodRawShape
	/** What of the answer a text needs to say beside it, for clients that read both; left out, the text is the whole answer. */
	summary?(answer: JsonObject): string
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

const named = z.string().describe('Id or name')

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
		descriptor: descriptionOf(definition, input, services),
		access: definition.access,
		group: definition.group,
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
	const { group } = definition
	const input = z.strictObject(definition.input)
	// What destroys says where.
	const connectionId = definition.access === 'destructive' ? named : named.optional()
	const whole = z.strictObject({ connection_id: connectionId, ...definition.input })
	const build = (services: Services): Tool => ({
		descriptor: descriptionOf(definition, whole, services),
		access: definition.access,
		group,
		worksOn: () => true,
		prepare: (args, call) => {
			const { connection_id: id, ...rest } = args
			const wanted = parseArguments<string | undefined>(connectionId, id, 'connection_id')
			const connection = services.gate.choose(wanted, call.caller, definition.access, group)
			call.isFor(connection.id)
			const parsed = parseArguments(input, rest)
			return async given => {
				const round = roundOn(given, connection.id)
				await services.firstUse.permit(connection, call, definition.access)
				const open = async (access = definition.access) => {
					requireAccess(call.caller, access)
					return services.gate.open(connection, call, access, group)
				}
				const outcome = await definition.run(parsed, { call, round, connection, services, open })
				// A client of the legacy era may know texts alone.
				return structured(outcome, call.era === 'modern' ? definition.summary : undefined)
			}
		},
	})
	return Object.assign(build, { toolName: definition.name })
}

/** A tool as clients see it. */
export function descriptionOf(
	definition: Omit<CoreToolBase, 'access' | 'group'>,
	input: z.ZodObject,
	{ drivers }: Services,
): Tool['descriptor'] {
	const { name, title, description } = definition
	return {
		name,
		title,
		description: typeof description === 'string' ? description : description(drivers.installed()),
		inputSchema: jsonSchemaOf(input, withoutBounds),
		// Open, so that a client which kept the list takes an answer that says more.
		outputSchema: jsonSchemaOf(z.object(definition.output)),
		annotations: {
			readOnlyHint: definition.effect === 'none',
			destructiveHint: definition.effect === 'changes',
			openWorldHint: false,
		},
	}
}

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']

function jsonSchemaOf(schema: z.ZodObject, override?: Override): JsonObject {
	const options = { io: 'input', unrepresentable: 'any', ...(override && { override }) } as const
	// JSON Schema is JSON.
	const { $schema: _, ...json } = z.toJSONSchema(schema, options) as JsonObject
	return withoutLengths(json)
}

const lengths: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

/** How long a text or a list may be is checked, and said where it is too long; each such word is paid for in every conversation. */
function withoutLengths<T extends Json>(value: T): T {
	if (Array.isArray(value)) return value.map(withoutLengths) as Json as T
	if (!isJsonObject(value)) return value
	const kept = Object.entries(value).filter(([key, inner]) => !(lengths.has(key) && typeof inner === 'number'))
	return Object.fromEntries(kept.map(([key, inner]) => [key, withoutLengths(inner)])) as JsonObject as T
}

/** Bounds that no model comes near, or that go without saying: a model pays for them in every conversation. */
const unsaid = ['pattern', 'minimum', 'propertyNames'] as const

/** What is beyond a bound is refused all the same, in words. */
const withoutBounds: Override = ({ jsonSchema }) => {
	for (const bound of unsaid) delete jsonSchema[bound]
	if (Array.isArray(jsonSchema.default)) delete jsonSchema.default
}

/** @throws DriverError `invalid_argument` naming the first argument that does not fit */
export function parseArguments<T>(schema: z.ZodType<T>, value: unknown, name?: string): T {
	const parsed = schema.safeParse(value)
	if (parsed.success) return parsed.data
	const [issue] = parsed.error.issues
	const path = [...(name ? [name] : []), ...(issue?.path ?? [])].join('.')
	throw new DriverError('invalid_argument', `${path ? `${path}: ` : ''}${issue?.message ?? 'it does not fit'}.`)
}

function toOutcome(outcome: Promise<CoreOutcome> | CoreOutcome): Promise<ToolOutcome> | ToolOutcome {
	return outcome instanceof Promise ? outcome.then(found => structured(found)) : structured(outcome)
}

export function structured(outcome: CoreOutcome, summary?: CoreToolBase['summary']): ToolOutcome {
	if (isInputRequired(outcome)) return outcome
	const text = summary?.(outcome) ?? JSON.stringify(outcome)
	return { content: [{ type: 'text', text }], structuredContent: outcome }
}

function isInputRequired(outcome: CoreOutcome): outcome is InputRequired {
	return outcome.kind === 'input_required'
}
