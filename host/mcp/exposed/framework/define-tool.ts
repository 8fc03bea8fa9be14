import { type Access, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import { z } from 'zod'
import type { SavedConnection } from '../../../connections/connection-fields.ts'
import { requireAccess } from '../../access/authorization.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { type Round, roundOn } from '../../consent/rounds.ts'
import type { McpCall } from '../../protocol/method.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import { parseArguments } from './arguments.ts'
import type { Services } from './services.ts'
import { withSimilarNames } from './similar-names.ts'
import type { Tool, ToolDescriptor, ToolOutcome } from './tool.ts'

interface CoreToolBase {
	readonly name: string
	readonly title: string
	/** A text, or a function that derives it from the installed drivers. */
	readonly description: string | ((drivers: readonly Manifest[]) => string)
	/** The access that the token needs, independent of the arguments. */
	readonly access: Access
	readonly group: ToolGroup
	/** The largest effect. In the specification, changes of existing data are destructive, and additions are not. */
	readonly effect: 'none' | 'adds' | 'changes'
	/** Returns the optional arguments that the list leaves out, because no installed driver takes them. */
	readonly unlisted?: (drivers: readonly Manifest[]) => readonly string[]
	/** Returns descriptions of arguments that depend on the installed drivers. */
	readonly described?: (drivers: readonly Manifest[]) => Readonly<Record<string, string>>
	/** Shape of the structured answer. */
	readonly output: z.ZodRawShape
	/**
	 * Returns a short text besides the structured answer, for clients that read both. Default: the complete answer as
	 * text.
	 */
	summary?(answer: JsonObject): string
}

/** The context of a tool call on a connection. */
export interface ConnectionCall {
	readonly call: McpCall
	readonly round: Round
	readonly connection: SavedConnection
	readonly services: Services
	/** Returns an open session. @param access default: the access of the tool @throws ProtocolError */
	open(access?: Access): Promise<ClientSession>
}

/** A structured answer, which is also sent as text, or a question to the client. */
type CoreOutcome = JsonObject | InputRequired

const named = z.string().min(1).describe('Id or name')

/** Builds a tool for the services of one endpoint. */
type ToolBuilder = ((services: Services) => Tool) & { readonly toolName: string }

/** Defines a tool without a connection. Its arguments are declared once, in zod; clients get them as JSON Schema. */
export function defineTool<Shape extends z.ZodRawShape>(
	definition: CoreToolBase & {
		readonly input: Shape
		run(args: z.infer<z.ZodObject<Shape>>, call: McpCall, services: Services): Promise<CoreOutcome> | CoreOutcome
	},
): ToolBuilder {
	const input = z.strictObject(definition.input)
	const build = (services: Services): Tool => ({
		name: definition.name,
		describe: () => descriptionOf(definition, input, services),
		access: definition.access,
		group: definition.group,
		prepare: (args, call) => {
			const parsed = parseArguments(input, args)
			return () => toOutcome(definition.run(parsed, call, services))
		},
	})
	return Object.assign(build, { toolName: definition.name })
}

/** Defines a tool on one connection. Adds the argument `connection_id` and enforces the connection's policy. */
export function defineConnectionTool<Shape extends z.ZodRawShape>(
	definition: CoreToolBase & {
		readonly input: Shape
		run(args: z.infer<z.ZodObject<Shape>>, call: ConnectionCall): Promise<CoreOutcome>
	},
): ToolBuilder {
	const { group } = definition
	const input = z.strictObject(definition.input)
	// A destructive tool must name the connection.
	const connectionId = definition.access === 'destructive' ? named : named.optional()
	const onlyConnection = z.object({ connection_id: connectionId })
	const whole = z.strictObject({ connection_id: connectionId, ...definition.input })
	const build = (services: Services): Tool => ({
		name: definition.name,
		describe: () => descriptionOf(definition, whole, services),
		access: definition.access,
		group,
		worksOn: () => true,
		prepare: (args, call) => {
			// A refused connection is reported before other arguments.
			const { connection_id: wanted } = parseArguments(onlyConnection, args)
			const connection = services.gate.choose(wanted, call.caller, { access: definition.access, group })
			call.isFor(connection.id)
			const { connection_id: _, ...own } = parseArguments(whole as z.ZodType<JsonObject>, args)
			// `whole` adds only the connection to the declared arguments.
			const parsed = own as z.infer<typeof input>
			return async given => {
				const round = roundOn(given, connection)
				await services.firstUse.permit(connection, call, definition.access)
				const open = async (access = definition.access) => {
					requireAccess(call.caller, access)
					return services.gate.open(connection, call, { access, group })
				}
				const running = definition.run(parsed, { call, round, connection, services, open })
				const outcome = await running.catch(async error => {
					throw await withSimilarNames(error, { args: own, open: () => open('read'), signal: call.signal })
				})
				// A client of the legacy era may read only texts.
				if (isInputRequired(outcome)) return outcome
				const answer = services.saidNotices.shortened(outcome, call.caller, connection.id)
				return structured(answer, call.era === 'modern' ? definition.summary : undefined)
			}
		},
	})
	return Object.assign(build, { toolName: definition.name })
}

/** Returns the descriptor of a tool for clients. */
export function descriptionOf(
	definition: Omit<CoreToolBase, 'access' | 'group'>,
	input: z.ZodObject,
	{ drivers }: Services,
): ToolDescriptor {
	const { name, title, description, unlisted, described } = definition
	const installed = drivers.installed()
	const left = unlisted?.(installed) ?? []
	const words = described?.(installed) ?? {}
	const members = Object.entries(input.shape).filter(([key]) => !left.includes(key))
	const listed = z.strictObject(
		Object.fromEntries(
			members.map(([key, shape]) => [key, words[key] === undefined ? shape : shape.describe(words[key])]),
		),
	)
	return {
		name,
		title,
		description: typeof description === 'string' ? description : description(installed),
		inputSchema: jsonSchemaOf(listed, withoutBounds),
		// Allows additional members, so that a client with a cached list accepts the answers of a newer version.
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
	// A JSON Schema is a JSON object.
	const { $schema: _, ...json } = z.toJSONSchema(schema, options) as JsonObject
	return withoutChecks(json)
}

const lengths: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

/**
 * Removes from a schema, to save tokens in every conversation, what is checked with an error message anyway: limits of
 * length, and whether an object has other members. Converters of clients refuse the latter or add it themselves.
 */
export function withoutChecks<T extends Json>(value: T): T {
	if (Array.isArray(value)) return value.map(withoutChecks) as Json as T
	if (!isJsonObject(value)) return value
	const isCheck = (key: string, inner: Json) =>
		(lengths.has(key) && typeof inner === 'number') || (key === 'additionalProperties' && typeof inner === 'boolean')
	const kept = Object.entries(value).filter(([key, inner]) => !isCheck(key, inner))
	return Object.fromEntries(kept.map(([key, inner]) => [key, withoutChecks(inner)])) as JsonObject as T
}

/** Keywords that are removed from schemas to save tokens, because a model rarely needs them. */
const hiddenKeywords = ['pattern', 'minimum', 'propertyNames'] as const

/** Removes bounds from a schema. They are still checked, with an error message. */
const withoutBounds: Override = ({ jsonSchema }) => {
	for (const bound of hiddenKeywords) delete jsonSchema[bound]
	if (Array.isArray(jsonSchema.default)) delete jsonSchema.default
}

function toOutcome(outcome: Promise<CoreOutcome> | CoreOutcome): Promise<ToolOutcome> | ToolOutcome {
	return outcome instanceof Promise ? outcome.then(found => structured(found)) : structured(outcome)
}

export function structured(outcome: CoreOutcome, summary?: CoreToolBase['summary']): ToolOutcome {
	if (isInputRequired(outcome)) return outcome
	const text = summary?.(outcome) ?? JSON.stringify(outcome)
	return { content: [{ type: 'text', text }], structuredContent: outcome }
}

export function isInputRequired(outcome: CoreOutcome): outcome is InputRequired {
	return outcome.kind === 'input_required'
}
