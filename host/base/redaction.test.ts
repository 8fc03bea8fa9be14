import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import { expect, test } from 'vitest'
import { redact, rememberSecret, withoutSecrets } from './redaction.ts'

test('data loses the secrets that an engine echoed, and nothing else', () => {
	rememberSecret('s3cret-of-the-cluster')
	rememberSecret('12345678')
	const text =
		'{"a":["x s3cret-of-the-cluster y",12345678901234567890,1.10],"b":{"n":12345678,"t":"12345678"},"c":null}'
	expect(stringifyJson(withoutSecrets(parseJson(text)))).toBe(text.replace('s3cret-of-the-cluster', '[redacted]'))
	const encoded = Buffer.from('s3cret-of-the-cluster').toString('base64')
	expect(withoutSecrets({ [encoded]: encoded })).toEqual({ '[redacted]': '[redacted]' })
})

test('a long text is cut before it is searched, and no half of a secret is left at the cut', () => {
	const secret = 'a-secret-that-stands-at-the-cut'
	rememberSecret(secret)
	for (let before = 15_900; before < 16_100; before++) {
		const clean = redact(`${'x'.repeat(before)}${secret} ${'y'.repeat(1000)}`)
		expect(clean).toMatch(/^x+ … \(cut\)$/)
	}
	expect(redact(`${secret}${'x'.repeat(20_000)}`)).toMatch(/^\[redacted\]x+ … \(cut\)$/)
})

test('a secret whose encoding is short or empty does not tear other texts apart', () => {
	rememberSecret('====')
	rememberSecret('q===')
	expect(redact('quite an ordinary text')).toBe('quite an ordinary text')
})

test.each([
	['POST http://ada:pa55word@es.example:9200/ failed', 'POST http://[redacted]@es.example:9200/ failed'],
	['a-a-a://ada@x and //no@body', 'a-a-a://[redacted]@x and //no@body'],
])('%s', (text, clean) => {
	expect(redact(text)).toBe(clean)
})
