import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kindOf, type Member, membersOf, pathOf, rootOf } from './members.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Reads the whole value through its members. */
function read(json: Uint8Array, { start, end }: Member): unknown {
	const kind = kindOf(json, start)
	const members = () => [...membersOf(json, start)]
	if (kind === 'list') return members().map(member => read(json, member))
	if (kind === 'object') return members().map(member => [member.key, read(json, member)])
	return JSON.parse(new TextDecoder().decode(json.subarray(start, end)))
}

const asPairs = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(asPairs)
	return typeof value === 'object' && value !== null
		? Object.entries(value).map(([name, inner]) => [name, asPairs(inner)])
		: value
}

test('every member is found at its position, with or without white space', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
			const json = bytes(JSON.stringify(value, null, indent))
			expect(read(json, rootOf(json))).toEqual(asPairs(JSON.parse(JSON.stringify(value))))
		}),
	)
})

test('the first members of a long list are found without scanning the rest', () => {
	const json = bytes(`[1,[2],{"a":"]"},"\\"",${'garbage'.repeat(10)}`)
	const members = membersOf(json, 0)
	const text = ({ start, end }: Member) => new TextDecoder().decode(json.subarray(start, end))
	const first = Array.from({ length: 4 }, () => members.next().value).filter(member => member !== undefined)
	expect(first.map(text)).toEqual(['1', '[2]', '{"a":"]"}', '"\\""'])
})

test('scanning cut or invalid JSON ends', () => {
	for (const json of ['{', '{"a', '{"a":', '[1,', '[,,]', '{,}', '{"a" 1}', ']', '{"\\ud"', '[[[', '{"a":1,,"b":2}']) {
		expect([...membersOf(bytes(json), 0)].length).toBeLessThan(10)
	}
})

test('a path is written in JavaScript syntax', () => {
	expect(pathOf(['author', 'names', 0, 'a.b', '@timestamp', 'é'])).toBe('author.names[0]["a.b"].@timestamp.é')
	expect(pathOf([0, ''])).toBe('[0][""]')
})
