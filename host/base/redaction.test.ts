import { parseJson, stringifyJson } from '@roundhouse/kit/json'
import { expect, test } from 'vitest'
import { rememberSecret, withoutSecrets } from './redaction.ts'

test('data loses the secrets that an engine echoed, and nothing else', () => {
	rememberSecret('s3cret-of-the-cluster')
	rememberSecret('12345678')
	const text =
		'{"a":["x s3cret-of-the-cluster y",12345678901234567890,1.10],"b":{"n":12345678,"t":"12345678"},"c":null}'
	expect(stringifyJson(withoutSecrets(parseJson(text)))).toBe(text.replace('s3cret-of-the-cluster', '[redacted]'))
	const encoded = Buffer.from('s3cret-of-the-cluster').toString('base64')
	expect(withoutSecrets({ [encoded]: encoded })).toEqual({ '[redacted]': '[redacted]' })
})
