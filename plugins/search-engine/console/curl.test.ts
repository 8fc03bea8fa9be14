import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlOf, readCurl } from './curl.ts'
import { readRequest } from './request.ts'

/** Returns the words that a real shell passes to curl. A function named curl prints them, and nothing is sent. */
function wordsIn(line: string, authorization = ''): string[] {
	const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`
	const printed = execFileSync('/bin/sh', ['-c', script], {
		encoding: 'utf8',
		env: { ROUNDHOUSE_AUTH: authorization },
	})
	return printed.split('\0').slice(0, -1)
}

const origin = 'http://127.0.0.1:9200'

test('copies a request as a line that a shell passes on unchanged', () => {
	const body = `{"query": {"match": {"title": "it's \\"$HOME\\" \`id\` \\\\ !! *"}}}`
	const line = curlOf(readRequest(`POST /books,b*/_search?pretty&q=a'b\n${body}`), origin, true)
	expect(line).not.toContain('Basic')
	expect(wordsIn(line, 'ApiKey c2VjcmV0')).toEqual([
		'-X',
		'POST',
		'--globoff',
		`${origin}/books%2Cb*/_search?pretty&q=a'b`,
		'-H',
		'Authorization: ApiKey c2VjcmV0',
		'-H',
		'Content-Type: application/json',
		'--data-binary',
		body,
	])
	expect(curlOf(readRequest('HEAD /books'), origin, false)).toBe(`curl --head --globoff '${origin}/books'`)
})

test('keeps the line ends of a bulk request', () => {
	const line = curlOf(readRequest('POST /_bulk\n{"index":{}}\n{"a":1}'), origin, false)
	expect(wordsIn(line).at(-1)).toBe('{"index":{}}\n{"a":1}\n')
})

test('passes any body text through the shell unchanged', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), text => {
			const body = JSON.stringify({ text })
			const line = curlOf(readRequest(`POST /a/_search\n${body}`), origin, false)
			expect(wordsIn(line).at(-1)).toBe(body)
			expect(readCurl(line)?.text).toBe(`POST /a/_search\n${body}`)
		}),
		{ numRuns: 60 },
	)
})

test('converts a curl command to a request, and reports what it left out', () => {
	expect(
		readCurl(`curl -XPOST "http://elastic:secret@localhost:9200/books/_search?pretty" \\
  -H 'Content-Type: application/json' -H 'Authorization: ApiKey abc' -H 'X-Opaque-Id: me' -d'
{"size": 1}'`),
	).toEqual({
		text: 'POST /books/_search?pretty\n\n{"size": 1}',
		notice: 'Left out: Authorization, X-Opaque-Id. The settings of the connection are used instead.',
	})
	expect(readCurl('curl localhost:9200')).toEqual({ text: 'GET /' })
	expect(readCurl('curl -s -k -o out.json --max-time 3 localhost:9200/_cat/health')).toEqual({
		text: 'GET /_cat/health',
	})
	expect(readCurl('curl -I http://localhost:9200/books')).toEqual({ text: 'HEAD /books' })
	expect(
		readCurl('curl -u elastic:secret http://h/_bulk --data-binary $\'{"index":{}}\\n{"a":"\\u00e9"}\\n\''),
	).toEqual({
		text: 'POST /_bulk\n{"index":{}}\n{"a":"é"}',
		notice: 'Left out: the user and password. The settings of the connection are used instead.',
	})
	expect(readCurl('curl -G http://h/a/_search -d q=1 -d size=2')).toEqual({ text: 'GET /a/_search?q=1&size=2' })
	expect(readCurl('curl --request=PUT --url http://h/a --json "{}"')).toEqual({ text: 'PUT /a\n{}' })
})

test('ignores an incomplete curl command, and rejects a body from a file', () => {
	for (const text of ['curly', 'curl', 'curl -X GET', "curl 'http://h/a", 'wget http://h'])
		expect(readCurl(text)).toBeUndefined()
	expect(() => readCurl('curl http://h/_bulk --data-binary @file.ndjson')).toThrow('@file.ndjson')
})
