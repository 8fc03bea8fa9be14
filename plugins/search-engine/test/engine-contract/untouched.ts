import { exactNumber, isExactNumber, isJsonObject, type Json, type JsonObject, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reprinted } from '../../edit/reprint.ts'
import { edited, editLeaf, type LeafPath } from './one-leaf.ts'
import type { EngineUnderTest } from './subject.ts'

const keyword = { type: 'keyword' }
const properties = {
	k: keyword,
	object: { dynamic: false, properties: { k: keyword } },
	list: { type: 'nested', dynamic: false, properties: { k: keyword } },
}

/** A table whose documents the engine stores in another way. */
interface Stored {
	readonly name: string
	readonly mappings: object
	readonly settings?: object
}

const tables: readonly Stored[] = [
	{ name: 'stored as sent', mappings: { dynamic: false, properties } },
	{
		name: 'copied into other fields',
		mappings: {
			dynamic: false,
			properties: { ...properties, k: { ...keyword, copy_to: 'all' }, all: { type: 'text' } },
		},
	},
	{
		name: 'without some fields',
		mappings: { dynamic: false, _source: { excludes: ['object.left', 'left'] }, properties },
	},
	{
		name: 'with computed fields',
		mappings: {
			dynamic: false,
			properties,
			runtime: { computed: { type: 'keyword', script: { source: "emit('x')" } } },
		},
	},
	{
		name: 'with a synthetic source',
		mappings: { dynamic: false, properties },
		settings: { 'index.mapping.source.mode': 'synthetic' },
	},
]

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(one => one.isWellFormed())
const digits = fc.constantFrom(
	'1.10',
	'12345678901234567890',
	'-0',
	'1E5',
	'0.1e-5',
	'9223372036854775807',
	'3',
	'2.50',
)
const any = fc.letrec<{ value: Json }>(tie => ({
	value: fc.oneof(
		{ maxDepth: 3, depthSize: 'small' },
		fc.oneof(text, fc.boolean(), fc.constant(null), digits.map(exactNumber)),
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom('a', 'b', 'left', '名', 'with space'), tie('value'), { maxKeys: 3 }),
	),
})).value
const documents = fc.record({
	k: text,
	other: any,
	left: any,
	object: fc.record({ k: text, left: any, inside: any }),
	list: fc.array(fc.record({ k: text, beside: any }), { maxLength: 3 }),
})
const leaves = fc.constantFrom<LeafPath>(['k'], ['object', 'k'], ['list', 0, 'k'], ['list', 2, 'k'])

function hasLeaf(value: Json, [name, ...rest]: LeafPath): boolean {
	if (name === undefined) return true
	const inside = Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[String(name)] : undefined
	return inside !== undefined && hasLeaf(inside, rest)
}

/** On an update the engine may print a decimal number in another notation, as the preview says. Its value stays. */
function asPrinted(value: Json): Json {
	if (Array.isArray(value)) return value.map(asPrinted)
	if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asPrinted(one)]))
	if (typeof value !== 'number' && !isExactNumber(value)) return value
	return exactNumber(reprinted(typeof value === 'number' ? String(value) : value.rawJSON))
}

/**
 * An edit of one value changes no other value of a document, or it is refused and changes nothing. The engine may change
 * the notation of decimal numbers and the order of members.
 */
export function describeUntouched(engine: EngineUnderTest) {
	test.each(tables)('an edit of one value keeps every other value of a document $name', async ({
		name,
		mappings,
		settings,
	}) => {
		const table = `${engine.table}-${name.replaceAll(' ', '-')}`
		const { status, body } = await engine.request('PUT', `/${table}`, { mappings, ...(settings && { settings }) })
		// Runtime fields exist from 7.11 on, and nodes that are built of published modules have no scripts.
		if (status === 400 && name === 'with computed fields') {
			return expect(stringifyJson(body)).toMatch(/runtime|script|painless/)
		}
		// The setting exists from 8.17 on.
		if (status === 400 && settings) return expect(stringifyJson(body)).toContain('index.mapping.source.mode')
		expect(status, stringifyJson(body)).toBe(200)
		const stored = async () => (await engine.request('GET', `/${table}/_source/1`)).body
		let applied = 0
		await fc.assert(
			fc.asyncProperty(documents, leaves, async (document, path) => {
				await engine.bulk(table, [['1', stringifyJson(document as JsonObject)]])
				const before = await stored()
				// A synthetic source prints a list of one value as the value.
				if (!hasLeaf(before, path)) return
				const outcome = await editLeaf(engine, table, path)
				if (outcome?.status === 'applied') applied++
				const expected = outcome?.status === 'applied' ? asPrinted(edited(before, path)) : before
				// The engine may change the order of the members of an object.
				expect(await stored()).toEqual(expected)
			}),
			{ numRuns: 30 },
		)
		expect(applied).toBeGreaterThan(name === 'without some fields' ? -1 : 10)
		await engine.request('DELETE', `/${table}`)
	})
}
