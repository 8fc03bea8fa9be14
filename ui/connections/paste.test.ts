import { readFileSync } from 'node:fs'
import { packageSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { initialValues } from './form-values.ts'
import { filledIn, readPasted } from './paste.ts'

const { roundhouse: manifest } = packageSchema.parse(
	JSON.parse(readFileSync('plugins/search-engine/package.json', 'utf8')),
)
const fill = (text: string) => {
	const pasted = readPasted(text)
	return pasted && filledIn(manifest, initialValues(manifest), pasted)
}

test('an address with credentials is split, and its password goes to the secret field', () => {
	expect(fill('https://elastic:p%40ss:w%C3%B6rd@es.example:9243/prefix/')).toMatchObject({
		hosts: 'https://es.example:9243/prefix',
		auth: 'basic',
		username: 'elastic',
		password: 'p@ss:wörd',
		sslMode: 'Verify Identity',
	})
	expect(fill('http://localhost:9200')).toMatchObject({ hosts: 'http://localhost:9200', sslMode: 'Disabled' })
})

test('a curl command sets host and credentials, and its path is ignored', () => {
	const line = `curl -k -X POST -u 'me:it'\\''s "mine"' "https://es.example:9200/books/_search?pretty" \\
		-H 'Content-Type: application/json' -d '{"query": {"match_all": {}}}'`
	expect(fill(line)).toMatchObject({
		hosts: 'https://es.example:9200',
		username: 'me',
		password: 'it\'s "mine"',
		sslMode: 'Required (skip verify)',
	})
	expect(fill('curl es.example:9200/_cat/indices')).toMatchObject({ hosts: 'http://es.example:9200' })
})

test('an Authorization header sets the method of authentication', () => {
	const header = (value: string) => fill(`curl -H "Authorization: ${value}" https://es.example`)
	expect(header('ApiKey abc==')).toMatchObject({ auth: 'apiKey', apiKey: 'abc==' })
	expect(header('Bearer tok')).toMatchObject({ auth: 'bearer', bearerToken: 'tok' })
	expect(header(`Basic ${btoa('me:pw')}`)).toMatchObject({ auth: 'basic', username: 'me', password: 'pw' })
})

test('other text is not changed', () => {
	for (const text of ['Production', 'localhost:9200', 'a https://b.example', 'curl', 'ftp://x', ''])
		expect(readPasted(text), text).toBeUndefined()
})
