import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forgetSecrets, mayContainSecret, redact, rememberSecret, withoutSecrets } from './redaction.ts'

test('removes only echoed secrets from data', () => {
	rememberSecret('s3cret-of-the-cluster')
	rememberSecret('12345678')
	const text =
		'{"a":["x s3cret-of-the-cluster y",12345678901234567890,1.10],"b":{"n":12345678,"t":"12345678"},"c":null}'
	expect(stringifyJson(withoutSecrets(parseJson(text)))).toBe(text.replace('s3cret-of-the-cluster', '[redacted]'))
	const encoded = Buffer.from('s3cret-of-the-cluster').toString('base64')
	expect(withoutSecrets({ [encoded]: encoded })).toEqual({ '[redacted]': '[redacted]' })
})

test('what comes from a connection loses the secrets of that connection alone', () => {
	rememberSecret('9k2x-alpha-77', 'first')
	rememberSecret('9k2x-gamma-77', 'other')
	rememberSecret('9k2x-delta-77', 'first')
	rememberSecret('9k2x-delta-77', 'other')
	const data = ['9k2x-alpha-77', '9k2x-gamma-77', '9k2x-delta-77']
	const gone = '[redacted]'
	expect(withoutSecrets(data)).toEqual([gone, gone, gone])
	expect(withoutSecrets(data, 'first')).toEqual([gone, '9k2x-gamma-77', gone])
	expect(withoutSecrets(data, 'other')).toEqual(['9k2x-alpha-77', gone, gone])
	expect(redact(data.join(' '), [], 'first')).toBe(`${gone} 9k2x-gamma-77 ${gone}`)
})

test('cuts a long text before the search, and leaves no part of a secret at the cut', () => {
	const secret = 'a-secret-that-stands-at-the-cut'
	rememberSecret(secret)
	for (let before = 15_900; before < 16_100; before++) {
		const clean = redact(`${'x'.repeat(before)}${secret} ${'y'.repeat(1000)}`)
		expect(clean).toMatch(/^x+ … \(cut\)$/)
	}
	expect(redact(`${secret}${'x'.repeat(20_000)}`)).toMatch(/^\[redacted\]x+ … \(cut\)$/)
})

test('does not damage other texts for a secret whose encoding is short or empty', () => {
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

test('a JSON text without a sign of a secret is one that redaction does not change', () => {
	const unit = fc.constantFrom(...'ab1"\\\n\u0000ü', '😀', '\ud83d', '\ude00')
	fc.assert(
		fc.property(
			fc.string({ minLength: 8, maxLength: 10, unit }),
			fc.string({ maxLength: 4, unit }),
			(secret, around) => {
				forgetSecrets()
				rememberSecret(secret)
				for (const inside of [secret, JSON.stringify(secret), encodeURIComponent(secret.toWellFormed())]) {
					const text = `${around}${inside}${around}`
					for (const data of [{ text }, { [text]: [1] }]) {
						const isChanged = JSON.stringify(withoutSecrets(data)) !== JSON.stringify(data)
						if (isChanged) expect(mayContainSecret(JSON.stringify(data))).toBe(true)
					}
				}
			},
		),
		{ numRuns: 200 },
	)
})
