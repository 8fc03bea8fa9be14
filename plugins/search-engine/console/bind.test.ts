import { DriverError, exactNumber, isJsonObject, type Json, type ParameterValue, parseJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../tests/support/any-character.ts'
import { fullEngine } from '../test/fixture.ts'
import { bindParameters } from './bind.ts'
import { classifyRequest } from './classify.ts'
import { readRequest, takesLines } from './request.ts'

const updateTemplate = `POST /{{index}}/_update/{{id}}?routing={{routing}}&refresh=true
{
  // how it was sold
  "doc": { "price": {{price}}, "note": "by {{who}}, \\"{{who}}\\"", "tags": [{{tag}}, "plain"], "text": """of {{who}}""" }
}`

test('binds values in the body, the path and the query, each with the right encoding', () => {
	const values = { index: 'books', id: 'a b', routing: 'x&y', price: exactNumber('1.10'), who: 'A "B"\n', tag: true }
	expect(bindParameters(updateTemplate, values)).toBe(
		'POST /books/_update/a%20b?routing=x%26y&refresh=true\n' +
			'{\n   \n  "doc": { "price": 1.10, "note": "by A \\"B\\"\\n, \\"A \\"B\\"\\n\\"", "tags": [true, "plain"], "text": "of A \\"B\\"\\n" }\n}',
	)
})

test('keeps escaped braces, and binds nothing in a text without placeholders', () => {
	const text = 'POST /_render/template\n{"source": "\\{{title}}"}'
	expect(bindParameters(text, {})).toBe('POST /_render/template\n{"source": "{{title}}"}')
	expect(bindParameters('get _cat/indices?v # all', {})).toBe('GET /_cat/indices?v')
})

test.each([
	['{{verb}} /books/_search', 'use it in the body after'],
	['GET /books{{more}}/_search', 'in the path it must be a whole segment'],
	['GET /books/_search?{{key}}=1', 'in the query string it must be everything after "="'],
	['GET /books/_search?q=title:{{word}}', 'in the query string it must be everything after "="'],
	['GET /books/_search?source={{body}}', '"source" is the body of the request'],
	['GET /books/_search?s%6furce={{body}}', 'is the body of the request'],
	['GET /books/_search\n{{body}}', 'use it in the body after'],
	['GET /books/_search\n{"{{key}}": 1}', 'it is the name of a field'],
	['GET /books/_search\n{ {{key}}: 1}', 'use it in the body after'],
	['GET /books/_search\n{"size": 1{{digits}}}', 'use it in the body after'],
	['GET /books/_search\n{"size": {{a}}{{b}}}', 'use it in the body after'],
	['GET /books/_search\n{"size": 1 {{more}} }', 'use it in the body after'],
	['GET /books/_search\n{"a": 1, {{member}}, "b": 1}', 'The body is not valid JSON'],
	['GET /books/_search // {{note}}\n{}', 'it is in a comment'],
	['GET /books/_search\n{} # {{note}}', 'it is in a comment'],
	['POST /_bulk\n{"index":{}}\n{{line}}\n', 'use it in the body after'],
	['POST /b/_update/1\n{"script": {"source": "ctx._source.a = \'{{a}}\'"}}', 'part of a script'],
	['POST /b/_update/1\n{"script": {{script}} }', 'part of a script'],
	['POST /b/_search\n{"aggs":{"x":{"scripted_metric":{"map_script":"{{a}}"}}}}', 'part of a script'],
	['PUT /_ingest/pipeline/p\n{"processors":[{"set":{"field":"a","value":1,"if":{{a}} }}]}', 'part of a script'],
	['POST /_query\n{"query": "FROM books | WHERE a == {{a}}"}', 'part of a query'],
	['POST /b/_eql/search\n{"query": "{{q}}"}', 'part of a query'],
	['GET /b/_search\n{"query":{"query_string":{"query":"a:({{a}}) AND b:1"}}}', 'part of a query'],
	['GET /b/_search\n{"query":{"wrapper":{"query":{{a}} }}}', 'part of a query'],
])('rejects the placeholder in %s and says why its position is not allowed', (text, reason) => {
	const values = new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }), get: () => 1 })
	expect(() => bindParameters(text, values)).toThrow(reason)
})

test('binds a value where a script or a query takes parameters', () => {
	const script = 'POST /b/_update/1\n{"script":{"source":"ctx._source.a = params.a","params":{"a":{{a}} }}}'
	expect(bindParameters(script, { a: "'; ctx.op = 'delete" })).toContain(`{"a":"'; ctx.op = 'delete" }`)
	expect(bindParameters('POST /_query\n{"query":"FROM b | WHERE a == ?","params":[{{a}}]}', { a: 1 })).toContain('[1]')
	const whole = 'GET /b/_search\n{"query":{"query_string":{"query":{{a}} }}}'
	expect(bindParameters(whole, { a: 'title:x' })).toContain('"title:x"')
})

test.each([
	'',
	'.',
	'..',
	'_all',
	'*',
	'a,b',
	'-a',
	'a/b',
	'..%2f',
	'a?b',
	'a#b',
	'a;b',
	'%2e%2e',
	'<a-{now/d}>',
	'a b',
	'\ud800',
])('rejects %j as an index name in a path', value => {
	expect(() => bindParameters('GET /{{index}}/_search', { index: value })).toThrow('index: it')
})

test.each([
	'POST /_msearch\n{"index": {{a}} }\n{}',
	'POST /_msearch\n{"index": ["books", "{{a}}"]}\n{}',
	'POST /_msearch\n{"indices": "{{a}}"}\n{}',
	'POST /_reindex\n{"source": {"index": {{a}} }, "dest": {"index": "b"}}',
	'POST /_bulk\n{"index": {"_index": "{{a}}"}}\n{}',
	'GET /_search?index={{a}}',
])('accepts only one table name at each position of an index: %s', text => {
	for (const a of ['*', 'a,b', '-a', '_all', 'old:a', '<a-{now/d}>', '']) {
		expect(() => bindParameters(text, { a })).toThrow('a: it must be the name of one table')
	}
	expect(bindParameters(text, { a: 'events-2' })).toContain('events-2')
})

test('binds a part of a table name', () => {
	const text = 'POST /_msearch\n{"index": "logs-{{a}}"}\n{}'
	expect(bindParameters(text, { a: '2026' })).toContain('"logs-2026"')
	expect(() => bindParameters(text, { a: '*,secret' })).toThrow('a: it must be the name of one table')
})

test.each([
	'POST /_aliases\n{"actions":[{"add":{"index":"{{a}}","alias":"pub"}}]}',
	'POST /_transform/_preview\n{"source":{"index":["{{a}}"]}}',
	'POST /b/_search\n{"query":{"terms":{"k":{"index":{{a}},"id":"1","path":"ids"}}}}',
	'PUT /_snapshot/r/s\n{"indices":"{{a}}"}',
	'PUT /b/_doc/1\n{"x":[{"index":"{{a}}"}]}',
])('accepts only one table name at any position of a body: %s', text => {
	expect(bindParameters(text, { a: 'books' })).toContain('"books"')
	for (const a of ['*', '*,-x', '_all', 'a,b', '<a-{now/d}>']) {
		expect(() => bindParameters(text, { a })).toThrow('a: it must be the name of one table')
	}
})

test('accepts a query key that is not valid UTF-8', () => {
	expect(() => bindParameters('GET /b/_search?%ff={{a}}', { a: 'x' })).not.toThrow(URIError)
})

test.each(['', '..', '_bulk', '_mapping', 'a/b', '%2f', 'a;b'])('rejects %j as the id of a document', id => {
	expect(() => bindParameters('PUT /books/_doc/{{id}}\n{}', { id })).toThrow('id: it cannot be the id')
})

test.each(['_9aB-x', 'a b', 'ü,*', '-1', '<x>'])('accepts %j as the id of a document', id => {
	expect(readRequest(bindParameters('PUT /books/_doc/{{id}}\n{}', { id })).path.segments).toEqual(['books', '_doc', id])
})

/** Returns the structure of a request: everything except the values. */
function shapeOf(text: string) {
	const request = readRequest(text)
	const { path, body = '' } = request
	const values = takesLines(path) ? body.trim().split('\n') : body === '' ? [] : [body]
	return {
		method: request.method,
		segments: path.segments.length,
		search: path.search.split('&').map(pair => pair.split('=')[0]),
		body: values.map(value => shapeOfJson(parseJson(value))),
		access: classifyRequest(request, fullEngine).access,
	}
}

function shapeOfJson(value: Json): unknown {
	if (Array.isArray(value)) return value.map(shapeOfJson)
	if (isJsonObject(value)) return Object.entries(value).map(([key, inner]) => [key, shapeOfJson(inner)])
	return 'a value'
}

const templates = [
	updateTemplate,
	'GET /{{a}}/_search?q={{b}}&size={{c}}\n{"query":{"term":{"x":{{b}} }},"size":{{c}} }',
	'PUT /books/_doc/{{a}}\n{"a":"{{a}}{{b}}","b":[{{b}},{"c":{{c}} }]}',
	'POST /_bulk\n{"index":{"_index":"b","_id":{{a}} }}\n{"b":"{{b}}"}\n{"create":{"_index":"c"}}\n{"c":{{c}} }',
	'POST /_msearch\n{"index":"b"}\n{"query":{"match":{"t":"""{{a}}"""}}}\n{}\n{"size":{{c}} }',
	'POST /books/_update_by_query?routing={{a}}\n{"query":{"match":{"t":{{b}} }},"script":{"source":"ctx._source.a = params.b","params":{"b":{{c}} }}}',
	'POST /books/_update/{{a}}\n{"doc":{"script":"{{b}}","x":{{c}} }}'.replace('"script"', '"play"'),
]
const nasty = fc.constantFrom(
	'"',
	'\\',
	'\\"',
	'"}',
	'{{b}}',
	'rhplacex0z',
	'"""',
	'\n',
	'\r\nDELETE /books\n',
	'// x',
	'/* x',
	'# x',
	'_search',
	'..',
	'*',
	'\u2028',
	'\u0000',
	'\ud83d',
	'\ude00',
	'%2F',
	'?source={}',
	'&accept_data_loss=true',
	'remove_index',
	'$&',
	'$`',
	'__proto__',
)
const text = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.string({ unit: 'grapheme' }),
	fc.array(fc.oneof(nasty, fc.string()), { maxLength: 5 }).map(parts => parts.join('')),
)
const number = fc.oneof(
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.constant(exactNumber('9007199254740993.10')),
)
const parameter: fc.Arbitrary<ParameterValue> = fc.oneof(text, number, fc.boolean())

test.each(templates)('keeps the structure of the request for any values: %s', template => {
	const names = ['a', 'b', 'c', 'index', 'id', 'routing', 'price', 'who', 'tag']
	const plain = Object.fromEntries(names.map(name => [name, 'plain']))
	const shape = shapeOf(bindParameters(template, plain))
	let bound = 0
	fc.assert(
		fc.property(fc.tuple(...names.map(() => parameter)), values => {
			const given = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
			const request = () => bindParameters(template, { ...given, index: 'books' })
			let made: string
			try {
				made = request()
			} catch (error) {
				// A path accepts fewer values than a body. Others are rejected with a message.
				if (error instanceof DriverError && error.code === 'invalid_argument') return
				throw error
			}
			bound++
			expect(shapeOf(made)).toEqual(shape)
		}),
		{ numRuns: 600 },
	)
	expect(bound).toBeGreaterThan(0)
})

test('a value in the body survives unchanged', () => {
	fc.assert(
		fc.property(parameter, value => {
			const { body = '' } = readRequest(
				bindParameters('PUT /b/_doc/1\n{"raw": {{a}}, "text": "<{{a}}>"}', { a: value }),
			)
			const read = parseJson(body)
			const spelt = typeof value === 'object' ? value.rawJSON : String(value)
			expect(isJsonObject(read) && read.text).toBe(`<${spelt}>`)
			if (typeof value === 'string' || typeof value === 'boolean') expect(isJsonObject(read) && read.raw).toBe(value)
			else expect(body).toContain(`"raw": ${Object.is(value, -0) ? '0' : spelt},`)
		}),
	)
})

test('the values of a query of ES|QL travel as its parameters', () => {
	const text = 'FROM books | WHERE price > {{price}} AND title == {{title}} // {{ no'
	expect(bindParameters(text, { price: exactNumber('1.10'), title: '" | DROP x' })).toBe(
		'POST /_query\n{"query": "FROM books | WHERE price > ? AND title == ?", "params": [1.10, "\\" | DROP x"]}',
	)
	expect(() => bindParameters('FROM a | WHERE t == "{{t}}"', { t: 1 })).toThrow('it is in quotes')
	expect(() => bindParameters('FROM a /* {{t}} */ | LIMIT 1', { t: 1 })).toThrow('it is in a comment')
	expect(() => bindParameters('FROM a | WHERE t == ? AND u == {{u}}', { u: 1 })).toThrow('already has parameters')
	expect(() => bindParameters('FROM {{t}}', {})).toThrow('t: it has no value')
})
