import { DriverError } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { rawQuery } from './raw-query.ts'
import { readRawQuery } from './read-raw-query.ts'

const keyword = { type: 'keyword' }
const properties = {
	status: keyword,
	stated: { type: 'date' },
	author: { properties: { country: keyword, name: { type: 'text' } } },
	price: { type: 'double' },
	user: { type: 'nested', properties: { name: keyword, age: { type: 'long' } } },
}
const mapping = readMapping({ books: { mappings: { properties } } })
const asked: unknown[] = []

/** `|` is the cursor. */
async function at(text: string) {
	const offset = text.indexOf('|')
	const bare = text.replace('|', '')
	const { completions, ...words } = await readRawQuery(
		{ text: bare, offset },
		{
			mapping,
			path: '/books/_search',
			complete: async (console, at) => ({ from: at - 2, options: [{ label: console.slice(0, at), kind: 'keyword' }] }),
			top: async (filters, column) => {
				asked.push([column, ...filters.map(({ values }) => values[0])])
				if (column === 'author.name') throw new DriverError('unsupported', 'No values.')
				return ['new', 'New York', 'old']
			},
		},
	)
	return {
		typed: bare.slice(completions.from, offset),
		inserts: completions.options.map(({ label, insert = label }) => insert),
		...words,
	}
}

test('fields and operators are offered where one is typed', async () => {
	expect(await at('sta|')).toMatchObject({ typed: 'sta', inserts: ['status:', 'stated:'] })
	expect((await at('status:new cou|')).inserts).toEqual(['author.country:'])
	expect((await at('status:new |')).inserts.slice(0, 3)).toEqual(['AND ', 'OR ', 'NOT '])
	expect((await at('(a|')).inserts).toEqual(['author.country:', 'author.name:', 'status:', 'stated:'])
	expect((await at('"sta|')).inserts).toEqual([])
})

test('values of a field are asked of the engine, and quoted where they must be', async () => {
	expect(await at('price:>1 AND status:ne|')).toMatchObject({ typed: 'ne', inserts: ['new', '"New York"'] })
	expect(asked.at(-1)).toEqual(['status', 'ne'])
	expect(await at('status:"New Y|')).toMatchObject({ typed: '"New Y', inserts: ['"New York"'] })
	expect((await at('author.name:a|')).inserts).toEqual([])
	expect((await at('stated:2|')).inserts).toEqual([])
})

test('values are offered after blanks at the colon, as Kibana writes it', async () => {
	for (const [text, typed] of [
		['status: ne|', 'ne'],
		['status : ne|', 'ne'],
		['price:1 AND status : |', ''],
		['status: |', ''],
		['status : "ne|', '"ne'],
	] as const) {
		const found = await at(text)
		expect(found.typed, text).toBe(typed)
		expect(found.inserts.slice(0, 2), text).toEqual(['new', '"New York"'])
	}
	expect((await at('status: new |')).inserts.slice(0, 3)).toEqual(['AND ', 'OR ', 'NOT '])
	expect((await at('"status: |')).inserts).toEqual([])
	expect((await at('status: new|')).understood).toBe('Lucene syntax. Fields: status.')
})

test('values are offered in parentheses after a field', async () => {
	for (const [text, typed] of [
		['status: (|', ''],
		['status:(ne|', 'ne'],
		['status: (old OR ne|', 'ne'],
		['status: (old or "ne|', '"ne'],
		['status: ("a b" AND NOT |', ''],
		['price:(1 OR 2) AND status:(-ne|', 'ne'],
	] as const) {
		const found = await at(text)
		expect(found.typed, text).toBe(typed)
		expect(found.inserts.slice(0, 2), text).toEqual(['new', '"New York"'])
	}
	expect((await at('status: (new |')).inserts).toEqual(['AND ', 'OR ', 'NOT '])
	expect((await at('status: (old n|')).inserts).toEqual(['NOT ', 'new', '"New York"'])
	expect((await at('status: (new) |')).inserts).toContain('price:')
	expect((await at('"status: (ne|')).inserts).toEqual([])
	expect((await at('(sta|')).inserts).toEqual(['status:', 'stated:'])
})

test('it warns of what other query languages write', async () => {
	const faultOf = async (text: string) => (await at(`${text}|`)).fault
	expect(await faultOf('status : "new" and price:1')).toBe(
		'Operators are in capital letters: AND. In small letters they are words to search for.',
	)
	expect(await faultOf('user.name:Ana')).toBe(
		'user.name is in the nested object user. Lucene syntax finds nothing there. Use a filter.',
	)
	expect(await faultOf('not status:new or (not price:1)')).toBe(
		'Operators are in capital letters: NOT, OR. In small letters they are words to search for.',
	)
	for (const [text, meant] of [
		['status:new AND price >= 500', 'price:>=500'],
		['price >= "500"', 'price:["500" TO *]'],
		['price:>="500"', 'price:["500" TO *]'],
		['price:>= 500', 'price:>=500'],
		['price : < "5"', 'price:[* TO "5"}'],
		['price:(>="5" AND <6)', '["5" TO *]'],
		['price:(>=5 AND < 6)', '<6'],
		['stated:>=now/d', 'stated:["now/d" TO *]'],
		['stated > now-1d/d', 'stated:{"now-1d/d" TO *]'],
		['stated:<=2026-01-01T10:00', 'stated:[* TO "2026-01-01T10:00"]'],
		['status:[a TO b] AND status:>"very new"', 'status:{"very new" TO *]'],
	] as const)
		expect(await faultOf(text), text).toBe(`Lucene syntax reads this comparison otherwise. Write it as ${meant}.`)
	for (const text of ['user.age > 40', 'user.age:>40', 'user.age >= "40"'])
		expect(await faultOf(text), text).toBe(
			'user.age is in the nested object user. Lucene syntax finds nothing there. Use a filter.',
		)
	expect(await faultOf('user:{ name: Ana }')).toBe(
		'user is a nested object. Lucene syntax finds nothing there. Use a filter.',
	)
	expect(await faultOf('titel >= 5')).toBeUndefined()
	expect((await at('use|')).inserts).toEqual([])
	expect(await faultOf('status : /new')).toBe('A value with a slash needs quotes: status:"/new".')
	expect(await faultOf('status : /new/a*')).toBe(String.raw`A slash in a value needs a backslash: status:\/new\/a*.`)
	expect(await faultOf('GET /new/a')).toBe('A word with a slash needs quotes: "/new/a".')
	expect(await faultOf('author.name: Ana Lee')).toBe(
		'In Lucene syntax, only Ana is searched in author.name. The words after it are searched in all fields.',
	)
	for (const fine of [
		'status:new AND price:1',
		'status : new',
		'status:/n.w/ AND price:1',
		'salt and pepper',
		'status:"this and that : x"',
		'price: 5',
		'status:/n.w[a:]{2}/',
		'status:/very new/',
		'status:(/a/ /b/)',
		'status:["a/b" TO "c/d"]',
		'status:[a/b TO c/d}',
		'status:"a/b" c',
		String.raw`status:a\/b`,
		'author.name:Ana Lee',
		'price: 5 new',
		'status: new AND price:1',
		'status: new price: 1',
		'status: new -old',
		'price:>=5',
		'price : >=5',
		'price:(>=5 AND <6)',
		'stated:>=now-3h',
		String.raw`stated:>=2026-01-01T10\:00`,
		'status:"a >= 5" AND price:[5 TO 6}',
		'"price >= 5',
	]) {
		expect(await faultOf(fine), fine).toBeUndefined()
	}
})

test('a query of Kibana is offered in Lucene syntax', async () => {
	const correctionOf = async (text: string) => (await at(`${text}|`)).correction
	expect(await correctionOf('status : "new" and price >= 5')).toBe('status:"new" AND price:>=5')
	expect(await correctionOf('status : /new')).toBe('status:\\/new')
	expect(await correctionOf('not status:new')).toBe('NOT status:new')
	expect(await correctionOf('status: /a/b*')).toBe(String.raw`status:\/a\/b*`)
	expect(await correctionOf('GET /a/b')).toBe(String.raw`GET \/a\/b`)
	expect(await correctionOf('author.name : Ana Lee')).toBe('author.name:(Ana Lee)')
	expect(await correctionOf('status: very new and price: 1')).toBe('status:"very new" AND price:1')
	expect(await correctionOf('status:>="very new" AND price:[1 TO 2]')).toBe(
		'status:["very new" TO *] AND price:[1 TO 2]',
	)
	expect(await correctionOf('price:(>"1" AND <= 2) OR status:~new')).toBe('price:({"1" TO *] AND <=2) OR status:~new')
	expect(await correctionOf('stated >= 2026-01-01T10:00:00Z')).toBe('stated:["2026-01-01T10:00:00Z" TO *]')
	expect(await at('user:{ name: Ana and age > 4 }|')).toMatchObject({
		understood: 'Conditions on nested objects.',
		correction:
			'{"nested":{"path":"user","query":{"query_string":{"query":"user.name:Ana AND user.age:>4","lenient":true}}}}',
	})
	for (const none of [
		'status:new AND price:>=5',
		'salt and pepper',
		'price > 5 new',
		'price:>="5',
		'user.name: Ana^2',
		'status : "new"',
		'status:/a/',
		'author.name:Ana Lee',
		'author.name: Ana^2 Lee',
		'author.name: Ana Lee -status:old',
	])
		expect(await correctionOf(none), none).toBeUndefined()
})

test('it says what a query means, and which fields there are not', async () => {
	expect(await at('sea|')).toMatchObject({ understood: 'Lucene syntax. Words: in all fields.' })
	expect(await at('status:new AND price:[1 TO 2] sea|')).toMatchObject({
		understood: 'Lucene syntax. Fields: status, price. Other words: in all fields.',
	})
	expect(await at('titel:"a: b"|')).toMatchObject({
		understood: 'Lucene syntax. Fields: titel.',
		fault: 'There is no field titel.',
	})
	expect((await at('author.\\*:x|')).fault).toBe(undefined)
	const range = await at('price:[2026-03-01T00:00 TO 2026-03-02T00:00} AND status:new|')
	expect(range).toMatchObject({ understood: 'Lucene syntax. Fields: price, status.' })
	expect(range.fault).toBe(undefined)
})

test('it says of a query with an error of syntax what is wrong, and of one that is being typed what is missing', async () => {
	const { typed, inserts, ...words } = await at('status: (a or|')
	expect(words).toEqual({ understood: 'Lucene syntax. It is not complete yet: the parenthesis is not closed.' })
	expect((await at('status: (a AND OR b)|')).fault).toBe(
		'Syntax error at character 12, near “AND OR b)”: AND has nothing after it.',
	)
})

test('a JSON object is a clause, completed as in the console', async () => {
	const clause = '{"bool":{"filter":[{"term":{"status":"new"}},{"range":{"price":{"gt":1}}}]}}'
	expect(await at(`${clause}|`)).toMatchObject({
		understood: 'A query clause as JSON: bool (filter: term status, range price)',
		inserts: [`POST /books/_search\n{"query": ${clause}`],
	})
	expect(await at('{"te|')).toMatchObject({
		typed: 'te',
		understood: 'A query clause as JSON. It is not complete yet.',
	})
	expect(rawQuery(`{"query": ${clause}, "size": 3}`).query).toEqual(rawQuery(clause).query)
	expect(() => rawQuery('{"term"')).toThrow('not a complete JSON object')
})
