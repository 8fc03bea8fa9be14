import { type Json, parseJson, stringifyJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../tests/support/any-character.ts'
import { Reply } from '../transport/reply.ts'
import { readHits } from './read-hits.ts'

const replyOf = (body: string | Uint8Array) =>
	new Reply({ status: 200, statusText: 'OK', headers: {}, bytes: Buffer.from(body as string) })
const answerOf = (...hits: readonly string[]) => `{"took":1,"hits":{"total":3,"hits":[${hits.join(',')}]},"pit_id":"p"}`

/** JSON in any valid spelling: numbers of any digits, escapes, white space, duplicate names. */
const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/)
const blank = fc.constantFrom('', '', '', ' ', '\n\t')
const string = fc
	.string({
		unit: fc.oneof(anyCharacter, fc.constantFrom('"', '\\', '\n', 'é', '\u0000')),
	})
	.map(text => JSON.stringify(text.toWellFormed()))
const escaped = fc.constantFrom('"\\u00e9\\/\\ud800"', '"\\u0022\\\\"', '"__proto__"', '""')
const { object } = fc.letrec<{ value: string; object: string }>(tie => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.oneof(number, string, escaped, fc.constantFrom('null', 'true', 'false')),
		fc.array(fc.tuple(blank, tie('value'), blank).map(part => part.join(''))).map(parts => `[${parts.join(',')}]`),
		tie('object'),
	),
	object: fc
		.array(fc.tuple(blank, fc.oneof(string, escaped), blank, fc.constant(':'), blank, tie('value'), blank))
		.map(members => `{${members.map(member => member.join('')).join(',')}}`),
}))

test('reads any hit like a parser', () => {
	fc.assert(
		fc.property(fc.array(object), sources => {
			const body = answerOf(...sources.map((source, at) => `{"_id":"${at}", "_source" : ${source},"sort":[${at}]}`))
			const { around, hits } = readHits(replyOf(body))
			expect(around).toEqual({ took: 1, hits: { total: 3, hits: [] }, pit_id: 'p' })
			expect(hits.map(hit => hit.value('sort'))).toEqual(sources.map((_, at) => [at]))
			for (const [at, source] of sources.entries()) {
				expect(stringifyJson(hits[at]?.value('_source') ?? null)).toBe(stringifyJson(parseJson(source)))
				expect(stringifyJson(sorted(hits[at]?.inner?.read() ?? null))).toBe(stringifyJson(sorted(parseJson(source))))
			}
		}),
	)
})

/** Returns the names in order, as a list, because an object would reorder some. */
function sorted(value: Json): Json {
	return Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

test('accepts and rejects any damaged answer like a parser', () => {
	const noise = fc.constantFrom(
		'',
		'"',
		'\\',
		'{',
		'}',
		'[',
		']',
		',',
		':',
		'0',
		'-',
		'.',
		'e',
		'n',
		'\u0001',
		'\ufeff',
		' ',
	)
	fc.assert(
		fc.property(object, fc.nat(), fc.nat(3), noise, (source, place, length, instead) => {
			const whole = answerOf(`{"_id":"1","_source":${source}}`)
			const at = place % whole.length
			const body = (whole.slice(0, at) + instead + whole.slice(at + length)).toWellFormed()
			let plain: Json | undefined
			try {
				plain = parseJson(body)
			} catch {
				expect(() => readHits(replyOf(body))).toThrow('with a body that is not JSON')
				return
			}
			const { hits } = readHits(replyOf(body))
			const found = (plain as { hits?: { hits?: unknown } } | null)?.hits?.hits
			const expected = Array.isArray(found)
				? found.filter(hit => typeof hit === 'object' && hit !== null && !Array.isArray(hit))
				: []
			// The meaning of a duplicate name is not tested here.
			if (body.split('"hits"').length === 3) {
				expect(hits.map(hit => stringifyJson(hit.value('_source') ?? null))).toEqual(
					expected.map(hit => stringifyJson(hit._source ?? null)),
				)
			}
		}),
		{ numRuns: 1_000 },
	)
})

test('reads invalid UTF-8 with replacement characters', () => {
	const body = Buffer.concat([
		Buffer.from('{"hits":{"hits":[{"_source":{"a":"'),
		Buffer.from([0xff]),
		Buffer.from('"}}]}}'),
	])
	expect(readHits(replyOf(body)).hits[0]?.value('_source')).toEqual({ a: '\ufffd' })
})

test('reads no documents from an answer with another value in their place', () => {
	for (const body of [
		'{}',
		'[]',
		'null',
		'{"hits":null}',
		'{"hits":{"hits":{}}}',
		'{"hits":{"hits":[]}}',
		'{"hits":{"hits":[1,[],"x"]}}',
	]) {
		expect(readHits(replyOf(body)).hits, body).toEqual([])
	}
	expect(readHits(replyOf('{"docs":[{"found":true}]}'), ['docs']).hits.map(hit => hit.value('found'))).toEqual([true])
})

test('reads documents of any depth, and rejects deep ones that are no JSON', () => {
	const nested = (open: string, inner: string, close: string) => open.repeat(50_000) + inner + close.repeat(50_000)
	const read = (value: string) => readHits(replyOf(answerOf(`{"_id":"1","_source":{"v":${value}}}`)))
	for (const value of [
		nested('[', '', ']'),
		nested('{"a":[1,', '2', '],"b":"]"}'),
		nested('[ {"x" : ', '1', '} ,null ]'),
	]) {
		expect(read(value).hits).toHaveLength(1)
	}
	for (const value of [nested('[', '', ']').slice(1), nested('[', '', '}'), nested('[1', '', ']')]) {
		expect(() => read(value)).toThrow()
	}
})
