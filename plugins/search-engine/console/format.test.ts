import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatText } from './format.ts'
import { tokensOf } from './scan.ts'
import { splitStatements } from './split.ts'

const withoutBlanks = (text: string) => [...tokensOf(text)].map(({ start, end }) => text.slice(start, end).trim())

test('formats bodies, and keeps digits, the order of keys and duplicate keys', () => {
	const text = 'POST /books/_search\n{"b":17144233728206122483,"a":1.10,"a":[1e5,{"c":-0.0}]}\n\nGET /_cat/health'
	expect(formatText(text)).toBe(`POST /books/_search
{
  "b": 17144233728206122483,
  "a": 1.10,
  "a": [
    1e5,
    {
      "c": -0.0
    }
  ]
}

GET /_cat/health`)
})

test('does not change comments and texts in triple quotes', () => {
	const text = `# before
POST /books/_update/1 # why
{"a":1, # one
// two
"s":"""
  def x = "1" // no comment
""", /* three
 four */ "u":"http://x#y"}
# after`
	const formatted = formatText(text)
	for (const part of ['# why\n', '# one\n', '// two\n', '"""\n  def x = "1" // no comment\n"""', '/* three\n four */'])
		expect(formatted).toContain(part)
	expect(formatted.startsWith('# before\nPOST /books/_update/1 # why\n{\n')).toBe(true)
	expect(formatted.endsWith('}\n# after')).toBe(true)
	expect(formatText(formatted)).toBe(formatted)
})

test('formats a variable like any value', () => {
	expect(formatText('POST /{{index}}/_search\n{"size":{{size}},"q":"{{ q }}"}')).toBe(
		'POST /{{index}}/_search\n{\n  "size": {{size}},\n  "q": "{{ q }}"\n}',
	)
})

test('does not change lines of a bulk, and text that is not JSON', () => {
	for (const text of [
		'POST /_bulk\n{"index":{"_id":"1"}}\n{"a":1}',
		'POST /{{index}}/_bulk?refresh\n{"index":{"_id":"1"}}',
		'GET /_msearch\n{}\n{"query":{"match_all":{}}}',
		'POST /books/_search\n{"a":}',
		'POST /books/_search\n{"a":1,}',
		'POST /books/_search\n{"a":1} {"b":2}',
		'POST /books/_search /* on\n two lines */\n{"a":1}',
		'{"a":1}',
	])
		expect(formatText(text)).toBe(text)
})

test('changes only white space, and keeps each statement in its place', () => {
	const word = fc.constantFrom(
		'GET /a',
		'POST /b/_search',
		'\n',
		'\n\n',
		' ',
		'{',
		'}',
		'[',
		']',
		'"x":',
		'"y#z"',
		',',
		'1.50',
		'# c\n',
		'//d\n',
		'/*e*/',
		'"""f\n"""',
		'{{v}}',
		'true',
		'"',
	)
	fc.assert(
		fc.property(fc.array(word, { maxLength: 40 }), words => {
			const text = words.join('')
			const formatted = formatText(text)
			expect(withoutBlanks(formatted)).toEqual(withoutBlanks(text))
			expect(splitStatements(formatted)).toHaveLength(splitStatements(text).length)
			expect(formatText(formatted)).toBe(formatted)
		}),
		{ numRuns: 3000 },
	)
})

test('ignores a body of ten thousand brackets quickly', () => {
	const deep = `POST /a\n${'['.repeat(10_000)}${']'.repeat(10_000)}`
	expect(withoutBlanks(formatText(deep))).toEqual(withoutBlanks(deep))
})
