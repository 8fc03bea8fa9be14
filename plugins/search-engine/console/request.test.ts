import type { DriverError } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offsetInStatement, readRequest } from './request.ts'
import { splitStatements } from './split.ts'

const buffer = `# the first page
GET /books/_search   // all of it
{ "query": { "match_all": {} } } # the rest

// bulk
POST _bulk
{"index": {"_index": "a", "_id": "1"}}
{
  "text": """He said "no" # not a comment
GET /not/a/request
""",
  "n": 12345678901234567890
}

get _cat/indices?v
# the end`

test('splits a buffer into requests, with comments and triple quotes', () => {
	const statements = splitStatements(buffer)
	expect(statements.map(({ text }) => text.split('\n')[0])).toEqual([
		'GET /books/_search   // all of it',
		'POST _bulk',
		'get _cat/indices?v',
	])
	for (const { start, end, text } of statements) expect(buffer.slice(start, end)).toBe(text)
	expect(statements[0]?.text).toMatch(/\}$/)
	expect(statements[1]?.text).toMatch(/\}$/)
})

test('removes comments, converts triple quotes to strings, and writes NDJSON as one value per line', () => {
	const [first, second] = splitStatements(buffer)
	expect(readRequest(first?.text ?? '')).toMatchObject({
		method: 'GET',
		path: { pathname: '/books/_search' },
		body: '{ "query": { "match_all": {} } }',
	})
	expect(readRequest(second?.text ?? '').body).toBe(
		'{"index": {"_index": "a", "_id": "1"}}\n{ "text": "He said \\"no\\" # not a comment\\nGET /not/a/request\\n", "n": 12345678901234567890 }\n',
	)
})

test('keeps a body of several lines unchanged', () => {
	expect(readRequest('POST /a/_doc\n{\n  "price": 1.10\n}\n').body).toBe('{\n  "price": 1.10\n}')
	expect(readRequest('POST /a/_refresh').body).toBeUndefined()
})

test.each(['POST /_bulk', 'PUT /a/_bulk', 'POST /_msearch', 'PUT /a/_doc/1'])('sends %s as it was typed', line => {
	const typed = '{"b": 1.10, "2": 1e400, "1": -0.0, "b": {"x":1,"x":12345678901234567890}, "s": "\\u0041\\/" }'
	expect(readRequest(`${line}\n${typed}`).body?.trim()).toBe(typed)
})

test('writes a value of several lines on one line, without changing a token', () => {
	const typed = '{"index":{}}\n{\r\n\t"b": 1.10, // why\n\t"b": [1,/* two */2],\n\n\t"s": "a  b"\n}\n'
	expect(readRequest(`POST /a/_bulk\n${typed}`).body).toBe('{"index":{}}\n{ "b": 1.10, "b": [1, 2], "s": "a  b" }\n')
	expect(() => readRequest('PUT /a/_doc/1\n{"a": 1/**/2}')).toThrow('not valid JSON')
})

test('does not treat a slash in a string as a comment', () => {
	expect(readRequest('POST /a/_doc\n{"url": "https://x.example/#top"}').body).toBe('{"url": "https://x.example/#top"}')
})

test('rejects text that is not a request', () => {
	expect(() => readRequest('SELECT 1\nFROM x')).toThrow('"SELECT 1" is not a request')
	expect(() => readRequest('{"query": {}}')).toThrow('"{"query": {}}" is not a request')
	expect(() => readRequest('')).toThrow('Enter a request')
	expect(() => readRequest('GET /a\nGET /b')).toThrow('This text contains several requests')
	expect(() => readRequest('PATCH /a')).toThrow('PATCH is not a method of Elasticsearch')
	expect(() => readRequest('POST /a/_doc\n{"a": }')).toThrow('not valid JSON')
	expect(() => readRequest('POST /a/_doc\n{} {}')).toThrow('more than one')
	expect(() => readRequest('POST /_sql\n{"query": "SELECT 1"}')).toThrow('_sql')
})

test('any JSON value survives as a body, alone and among others', () => {
	const json = fc.object({ key: fc.string() }).map(value => JSON.stringify(value))
	fc.assert(
		fc.property(json, json, (first, second) => {
			expect(readRequest(`POST /a/_doc\n${first}`).body).toBe(first)
			const lines = readRequest(`POST /_bulk\n${first}\n${second}`).body?.trim().split('\n')
			expect(lines?.map(line => JSON.parse(line))).toEqual([JSON.parse(first), JSON.parse(second)])
			const text = `GET /a/_search\n${first}\n\n# between\nPOST /b/_search\n${second}\n`
			expect(splitStatements(text).map(statement => readRequest(statement.text).body)).toEqual([first, second])
		}),
	)
})

test('no text makes the parser hang or fail differently', () => {
	fc.assert(
		fc.property(fc.string(), fc.string(), (line, body) => {
			try {
				readRequest(`POST ${line}\n${body}`)
			} catch (error) {
				expect(error).toMatchObject({ name: 'DriverError' })
			}
		}),
		{ numRuns: 500 },
	)
})

test.each([
	['GET /a/_search\n{"query": {]}', ']'],
	['POST /a/_search // why\n\n{ /* é */ "a": """\n"x"\n""", "b": nul }', 'nul'],
	['POST /_bulk\n{"index": {}}\n{"a": 1,, "b": 2}', ', "b"'],
])('names the place of an error in the JSON of %j', (statement, found) => {
	const error = caught(() => readRequest(statement))
	expect(error).toMatchObject({ code: 'invalid_argument' })
	expect(statement.slice((error as DriverError).at)).toMatch(new RegExp(`^${found}`))
})

test('finds the place that the engine names, by line and by column in bytes', () => {
	const statement = 'POST /a/_search\n\n{ # größe\n  "größe": 1, "query": {"bool": 1}\n}'
	expect(statement.slice(offsetInStatement(statement, 2, 17))).toMatch(/^"query"/)
	expect(offsetInStatement(statement, 9, 1)).toBeUndefined()
	expect(offsetInStatement('GET /a', 2, 1)).toBeUndefined()
})

function caught(work: () => unknown): unknown {
	try {
		return work()
	} catch (error) {
		return error
	}
}
