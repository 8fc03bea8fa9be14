import { readFileSync } from 'node:fs'
import { manifestSchema, packageSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { initialValues } from './form-values.ts'
import { filledIn, mayBeAddress, pasteHint, readPasted } from './paste.ts'

const { roundhouse: manifest } = packageSchema.parse(
	JSON.parse(readFileSync('plugins/search-engine/package.json', 'utf8')),
)
const unset = { values: {}, isTlsChosen: false }
const fill = (text: string, values = initialValues(manifest), isTlsChosen = false) => {
	const pasted = readPasted(text, manifest.pastedAddress)
	return pasted && filledIn(manifest, { values, isTlsChosen }, pasted)
}

test('an address with credentials is split, and its password goes to the secret field', () => {
	expect(fill('https://elastic:p%40ss:w%C3%B6rd@es.example:9243/prefix/')).toMatchObject({
		hosts: 'https://es.example:9243/prefix',
		auth: 'basic',
		username: 'elastic',
		password: 'p@ss:wörd',
		sslMode: 'Verify Identity',
	})
	// What was copied from the address bar of a browser is a request.
	expect(fill('http://es.example:9200/_cat/indices?v')).toMatchObject({ hosts: 'http://es.example:9200' })
	expect(fill('http://es.example/prefix/_search')).toMatchObject({ hosts: 'http://es.example/prefix' })
	expect(fill('http://localhost:9200')).toMatchObject({ hosts: 'http://localhost:9200', sslMode: 'Disabled' })
})

test('the mode of TLS follows the scheme both ways, until the user chooses it', () => {
	const secure = fill('https://es.example')
	expect(fill('http://es.example', secure)).toMatchObject({ sslMode: 'Disabled' })
	const chosen = { ...secure, sslMode: 'Required (skip verify)' }
	for (const text of ['http://es.example', 'https://es.example'])
		expect(fill(text, chosen, true), text).toMatchObject({ sslMode: 'Required (skip verify)' })
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
		expect(readPasted(text, manifest.pastedAddress), text).toBeUndefined()
})

test('a driver without an entry for it accepts only web addresses', () => {
	const { pastedAddress: _, ...others } = manifest
	const plain = manifestSchema.parse(others)
	expect(readPasted('https://es.example', plain.pastedAddress)).toMatchObject({ address: 'https://es.example' })
	expect(readPasted('curl https://es.example', plain.pastedAddress)).toBeUndefined()
	expect(pasteHint(plain)).toBe('a URL')
	expect(pasteHint(manifest)).toBe('a URL or a curl command')
	expect(pasteHint({ ...manifest, form: [] })).toBeUndefined()
})

test('a URL of an engine with another scheme fills host, database and credentials', () => {
	const address = { key: 'host', label: 'Host', type: 'text', addresses: { defaultPort: 5432 } }
	const database = { key: 'database', label: 'Database', type: 'text', takes: 'database' }
	const engine = manifestSchema.parse({
		...manifest,
		form: [address, database, { key: 'user', label: 'User', type: 'text', takes: 'username' }],
		pastedAddress: { schemes: ['postgres', 'postgresql'] },
	})
	const pasted = readPasted('postgres://me:pw@db.example:5433/shop%20one?sslmode=require', engine.pastedAddress)
	expect(pasted && filledIn(engine, unset, pasted)).toEqual({
		host: 'db.example:5433',
		database: 'shop one',
		user: 'me',
	})
	const port = { key: 'port', label: 'Port', type: 'number' }
	const withPort = manifestSchema.parse({
		...engine,
		form: [{ ...address, addresses: { defaultPort: 5432, portField: 'port' } }, port],
	})
	expect(pasted && filledIn(withPort, unset, pasted)).toEqual({ host: 'db.example', port: 5433 })
	expect(readPasted('https://db.example', engine.pastedAddress)).toBeUndefined()
	expect(pasteHint(engine)).toBe('a URL (postgresql)')
	// The address field of a form with a port takes no URL.
	const web = readPasted('https://db.example/x', { schemes: ['https'], curl: false })
	expect(web && filledIn(withPort, unset, web)).toEqual({ host: 'db.example', port: 443 })
})

test('a text with spaces, an equals sign or a scheme may be an address that the driver reads', () => {
	for (const text of ['till -h x', 'host=x', 'till://x']) expect(mayBeAddress(text), text).toBe(true)
	for (const text of ['Production', 'localhost:9200', ' x ']) expect(mayBeAddress(text), text).toBe(false)
	const engine = { ...manifest, pastedAddress: { ...manifest.pastedAddress, readByDriver: 'a till command' } }
	expect(pasteHint(engine)).toBe('a URL or a curl command or a till command')
})
