import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forgetSecrets, rememberSecret } from '../../../base/redaction.ts'
import { outgoingText } from './outgoing-text.ts'

const encodings: Readonly<Record<string, (secret: string) => string>> = {
	raw: secret => secret,
	url: encodeURIComponent,
	'lower-case url': secret => encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
	json: secret => JSON.stringify(secret),
	base64: secret => Buffer.from(secret).toString('base64'),
	base64url: secret => Buffer.from(secret).toString('base64url'),
	'basic credentials': secret => Buffer.from(`elastic:${secret}`).toString('base64'),
	'api key': secret => Buffer.from(`VuaCfGcBCdbkQm-e5aOx:${secret}`).toString('base64'),
	'url credentials': secret => `https://elastic:${secret}@es.example:9200/`,
}

test.each(Object.keys(encodings))('a secret is redacted in the encoding %s, in any surrounding text', name => {
	const encode = encodings[name] ?? String
	fc.assert(
		fc.property(
			fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'abcXYZ0189!"#$%&/()=?+-_ ~@:ü') }),
			fc.string({ maxLength: 20 }),
			(secret, around) => {
				forgetSecrets()
				rememberSecret(secret)
				const encoded = encode(secret)
				const clean = outgoingText(`${around} failed: ${encoded} ${around}`)
				expect(clean).not.toContain(secret)
				expect(clean).not.toContain(encoded)
			},
		),
		{ numRuns: 100 },
	)
})

test.each([
	['connect ECONNREFUSED 10.1.2.3:9200', 'connect ECONNREFUSED [address]'],
	['node 192.168.0.17 left', 'node [address] left'],
	['connect to [2001:db8::1]:9200 failed', 'connect to [address] failed'],
	['peer fe80::1ff:fe23:4567:890a closed', 'peer [address] closed'],
	['peer 2001:db8:0:0:0:0:2:1 closed', 'peer [address] closed'],
	['::1 refused', '[address] refused'],
	["open '/home/ada/certs/ca.pem'", "open '~/certs/ca.pem'"],
	['open /Users/ada/ca.pem', 'open ~/ca.pem'],
	['open C:\\Users\\ada\\ca.pem', 'open ~\\ca.pem'],
])('%s', (text, clean) => {
	expect(outgoingText(text)).toBe(clean)
})

test.each([
	'it took 12:30:45',
	'Elasticsearch 8.15.0',
	'std::vector',
	'ratio 1:2',
	'GET /logs-2026.11.21/_search',
	'a [1:2] range',
])('does not change "%s"', text => {
	expect(outgoingText(text)).toBe(text)
})
