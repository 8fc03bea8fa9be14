import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRequest } from './request.ts'
import { splitStatements } from './split.ts'

const texts = (buffer: string) => splitStatements(buffer).map(({ text }) => text)

test('a comment ends at its own end mark, whatever it contains', () => {
	expect(texts('/*\nDELETE /books\n*/')).toEqual([])
	expect(texts('# """\nGET /a\n# """')).toEqual(['GET /a'])
	expect(texts('// /*\nGET /a\n// */')).toEqual(['GET /a'])
	expect(texts('/* # */ GET /a /* " */\n/* """ */ { "b": 1 } // "')).toEqual(['GET /a /* " */\n/* """ */ { "b": 1 }'])
	expect(texts('GET /a\n/*/ GET /b')).toEqual(['GET /a'])
})

test('a string ends at its own quotes', () => {
	expect(texts('PUT /a/_doc/1\n{"x": "/*", "y": "*/"}\nGET /b')).toHaveLength(2)
	expect(texts('PUT /a/_doc/1\n{"x": "\\"/*"}\nGET /b')).toHaveLength(2)
	expect(texts('PUT /a/_doc/1\n{"x": """ " /* # """}\nGET /b')).toHaveLength(2)
	expect(texts('PUT /a/_doc/1\n{"x": "left open}\nGET /b')).toEqual(['PUT /a/_doc/1\n{"x": "left open}', 'GET /b'])
})

test.each([
	['GET /a/_search?q="x // y" // note', '/a/_search?q="x // y"'],
	['GET /a/_search?q="say \\" # " # note', '/a/_search?q="say \\" # "'],
	['GET /a/_search?q=5" // note', '/a/_search?q=5"'],
	['GET /a/_search?q=url:http://x/y /* note', '/a/_search?q=url:http://x/y'],
	['GET /*/_search', '/*/_search'],
	['GET //a//_search\t//note', '//a//_search'],
	['GET /a/_search?q=tag:#1 #note', '/a/_search?q=tag:#1'],
])('reads the target of the request line %s as %s', (line, target) => {
	const { path } = readRequest(`${line}\n{}`)
	const [, search = ''] = target.split('?')
	expect(path.search).toBe(encodeURI(search).replaceAll('#', '%23'))
	expect(path.pathname).toBe(readRequest(`GET ${target.split('?')[0]}`).path.pathname)
})

test('text outside of a request is a separate statement, and does not affect others', () => {
	expect(texts('# hello\nSELECT 1 # x\nFROM y\n\nGET /a')).toEqual(['SELECT 1 # x\nFROM y', 'GET /a'])
	expect(texts('GET /a/_search\n{"size": 1}\nfoo bar\nbaz\nGET /b')).toEqual([
		'GET /a/_search\n{"size": 1}',
		'foo bar\nbaz',
		'GET /b',
	])
	expect(texts('{"size": 1}\nGET /b')).toEqual(['{"size": 1}', 'GET /b'])
})

test('a stray line directly after a request does not end it', () => {
	// Without its intended body, the request would change every document.
	expect(texts('POST /a/_update_by_query\nqurey\n{"match": {}}')).toHaveLength(1)
	expect(() => readRequest('POST /a/_update_by_query\nqurey\n{"match": {}}')).toThrow('not valid JSON')
})

const requestLike = fc.constantFrom(
	'DELETE /books',
	'GET /a/_search',
	' post _bulk',
	'{"a": 1}',
	'"',
	'"""',
	'//',
	'#',
	'/*',
)
const comment = fc.oneof(
	fc.constantFrom('', '\n', '  \n\t'),
	fc.array(requestLike).map(words => `# ${words.join(' ')}\n`),
	fc.array(requestLike).map(words => `\t// ${words.join(' ')}\n`),
	fc.array(requestLike).map(words => `/*\n${words.join('\n')}\n*/\n`),
)
const quoted = fc.array(fc.oneof(requestLike, fc.string())).map(words => JSON.stringify(words.join('\n')))
const long = fc.array(requestLike).map(words => `"""${words.join('\n').replaceAll('"""', '').replace(/"+$/, '')}\n"""`)
const body = fc
	.array(fc.tuple(comment, fc.oneof(quoted, long, fc.constant('[{"b": 1.10}]'))), { maxLength: 3 })
	.map(members => `{${members.map(([before, value], at) => `${before}"k${at}": ${value}`).join(',\n')}}`)
const line = fc.tuple(
	fc.constantFrom('GET', 'post', 'Put', 'DELETE'),
	// Excludes the endpoint that is always rejected.
	fc.stringMatching(/^\/[a-z*]{1,8}\/_[a-z]{1,8}(\?q="[a-z/# ]*")?$/).filter(target => !/\/_sql(\?|$)/.test(target)),
)
const request = fc
	.tuple(line, fc.constantFrom('', ' # "', '\t// """', ' /* { */'), fc.option(fc.tuple(comment, body)))
	.map(([[method, target], note, rest]) => ({
		text: `${method} ${target}${note}${rest === null ? '' : `\n${rest.join('')}`}`,
		method: method.toUpperCase(),
		target,
	}))

test('finds exactly the requests in any buffer of requests, comments and strings', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(comment, request, comment)), parts => {
			const buffer = parts.map(([before, { text }, after]) => `${before}${text}\n${after}`).join('')
			const found = texts(buffer).map(readRequest)
			expect(found.map(({ method, path }) => [method, path.pathname])).toEqual(
				parts.map(([, { method, target }]) => [method, readRequest(`GET ${target}`).path.pathname]),
			)
			for (const { body } of found) if (body !== undefined) JSON.parse(body)
		}),
		{ numRuns: 500 },
	)
})

test.each([
	['quotes and backslashes in a request line', `GET /a?q=${'"\\'.repeat(200_000)}`],
	['spaces before nothing', `GET /a${' \t'.repeat(200_000)}x`],
	['marks of comments', `GET /a\n${'/*/'.repeat(200_000)}`],
	['quotes', `GET /a\n${'"'.repeat(400_001)}`],
	['methods without a path', `GET /a\n${'GET '.repeat(200_000)}`],
	['lines of nothing', `GET /a${'\n '.repeat(200_000)}`],
])('reads many %s in one pass', (_, text) => {
	expect(splitStatements(text)[0]?.start).toBe(0)
})

test.each([
	['FROM a', ['FROM a']],
	[
		'from a\n| where x == "GET /b"\n  // GET /c\n| limit 1\n\nGET /d',
		['from a\n| where x == "GET /b"\n  // GET /c\n| limit 1', 'GET /d'],
	],
	['FROM a\n\n| LIMIT 1\nFROM b', ['FROM a\n\n| LIMIT 1', 'FROM b']],
	[
		'FROM (FROM a\n| LIMIT 1,\nFROM b)\n# note\nROW x = """\nFROM y\n"""',
		['FROM (FROM a\n| LIMIT 1,\nFROM b)', 'ROW x = """\nFROM y\n"""'],
	],
	['GET /a\n\nSHOW INFO // all\n', ['GET /a', 'SHOW INFO']],
	['GET /a\n{"size": 1}\nFROM b', ['GET /a\n{"size": 1}', 'FROM b']],
	['POST /a/_update_by_query\nFROM b', ['POST /a/_update_by_query\nFROM b']],
	['SELECT *\nFROM b', ['SELECT *\nFROM b']],
	['GET /a/_search\n{"query": """\nFROM b\n"""}', ['GET /a/_search\n{"query": """\nFROM b\n"""}']],
	['fromage x\nshow me', ['fromage x\nshow me']],
])('splits %j into queries of ES|QL and requests', (buffer, statements) => {
	expect(texts(buffer)).toEqual(statements)
})

test('a query of ES|QL is a request with its text', () => {
	const { method, path, body } = readRequest('# all\nFROM a // "b"\n| LIMIT 1 // end')
	expect([method, path.pathname]).toEqual(['POST', '/_query'])
	expect(JSON.parse(body ?? '')).toEqual({ query: 'FROM a // "b"\n| LIMIT 1' })
})
