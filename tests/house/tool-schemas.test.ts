import { readFile } from 'node:fs/promises'
import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { packageSchema } from '@roundhouse/kit/manifest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EndpointFixture, startEndpoint } from '../mcp/endpoint.ts'
import { openOffers } from '../support/offers.ts'

/**
 * Schemas of tools must work in every client: OpenAI's strict mode, Gemini and VS Code each refuse parts of JSON
 * Schema.
 */

interface Tool {
	readonly name: string
	readonly description: string
	readonly inputSchema: JsonObject
	readonly outputSchema?: JsonObject
	readonly annotations?: JsonObject
}

let fixture: EndpointFixture
let core: readonly Tool[]
let drivers: readonly Tool[]
beforeAll(async () => {
	fixture = await startEndpoint({ drivers: [] })
	core = (await fixture.call('tools/list')).json.result.tools
	const text = await readFile(new URL('../../plugins/search-engine/package.json', import.meta.url), 'utf8')
	drivers = packageSchema.parse(JSON.parse(text)).roundhouse.tools as unknown as readonly Tool[]
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Returns the problems of a schema and its nested schemas, each with the path of the schema. */
function faultsOf(schema: Json | undefined, at: string): readonly string[] {
	if (!isJsonObject(schema)) return [`${at} is not a schema`]
	const inside = Object.entries(isJsonObject(schema.properties) ? schema.properties : {})
	const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf : []
	const faults = [
		typeof schema.type !== 'string' && alternatives.length === 0 && `${at} needs exactly one type`,
		schema.type === 'array' && !isJsonObject(schema.items) && `${at} needs \`items\``,
		isJsonObject(schema.items) && schema.items.type === undefined && `${at} has items without a type`,
		schema.enum !== undefined && schema.type === undefined && `${at} is an enum without a type`,
		['oneOf', 'allOf', 'not', '$ref', 'patternProperties'].some(word => word in schema) &&
			`${at} uses a keyword that some clients reject`,
	].filter(fault => fault !== false)
	return [
		...faults,
		...inside.flatMap(([name, inner]) => faultsOf(inner, `${at}.${name}`)),
		...alternatives.flatMap((inner, index) => faultsOf(inner, `${at}|${index}`)),
		...(schema.type === 'array' && isJsonObject(schema.items) ? faultsOf(schema.items, `${at}[]`) : []),
	]
}

/** A saved request that is offered as a tool, with a parameter of each type. */
async function offeredTool(): Promise<Tool> {
	await using kept = await openOffers()
	await using fixture = await startEndpoint({ offers: kept.offers })
	const { id } = await fixture.addConnection()
	const parameters = (['text', 'number', 'integer', 'boolean', 'choice'] as const).flatMap(type => {
		const parameter = {
			name: type,
			type,
			description: 'A parameter',
			...(type === 'choice' && { choices: ['1', 'true'] }),
		}
		const preset = type === 'boolean' ? 'true' : '1'
		return [parameter, { ...parameter, name: `${type}_preset`, default: preset }]
	})
	await kept.offer(id, 'read', { name: 'read_all', parameters }, 'read')
	return (await fixture.call('tools/list')).json.result.tools.at(-1)
}

test('no schema of the host says that there are no other members, which strict converters refuse or add', async () => {
	expect(JSON.stringify([...core, await offeredTool()])).not.toMatch(/"additionalProperties":(true|false)/)
})

test('names leave room for the prefix of a client, whose limit is 64 characters', () => {
	for (const { name } of [...core, ...drivers]) expect(name.length, name).toBeLessThanOrEqual(47)
})

test('every client accepts the schemas', async () => {
	const offered = await offeredTool()
	expect(Object.keys(offered.inputSchema.properties as JsonObject)).toHaveLength(10)
	expect([...core, ...drivers, offered].flatMap(({ name, inputSchema }) => faultsOf(inputSchema, name))).toEqual([])
})

test('every core tool declares an output schema', () => {
	expect(core.filter(({ outputSchema }) => outputSchema?.type !== 'object').map(({ name }) => name)).toEqual([])
})

test('every argument has a description of one line', () => {
	const bare = [...core, ...drivers].flatMap(({ name, inputSchema }) =>
		Object.entries(inputSchema.properties as JsonObject).flatMap(([argument, schema]) =>
			isJsonObject(schema) && typeof schema.description === 'string' ? [] : [`${name}.${argument}`],
		),
	)
	expect(bare).toEqual([])
})

test('every tool declares both hints, and tools that write have `readOnlyHint: false`', () => {
	for (const { name, annotations } of core) {
		expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean), destructiveHint: expect.any(Boolean) })
		expect(annotations?.readOnlyHint === true && annotations.destructiveHint === true, name).toBe(false)
	}
	const of = (hint: string, value: boolean) =>
		core.filter(({ annotations }) => annotations?.[hint] === value).map(({ name }) => name)
	expect(of('readOnlyHint', false)).toEqual([
		'execute_query',
		'confirm_destructive_operation',
		'insert_rows',
		'update_rows',
		'delete_rows',
		'undo_change',
		'export_data',
		'disconnect',
	])
	// By the specification, a tool is destructive if it changes existing data, and not if it only adds.
	expect(of('destructiveHint', false)).toContain('insert_rows')
	expect(of('destructiveHint', true)).toEqual(expect.arrayContaining(['update_rows', 'delete_rows', 'execute_query']))
})

test('an argument name has the same meaning in every tool', () => {
	const described = new Map<string, Set<unknown>>()
	for (const { inputSchema } of core) {
		for (const [argument, schema] of Object.entries(inputSchema.properties as JsonObject)) {
			const type = isJsonObject(schema) ? schema.type : undefined
			described.set(argument, (described.get(argument) ?? new Set()).add(type))
		}
	}
	for (const [argument, types] of described) expect([...types], argument).toHaveLength(1)
})
