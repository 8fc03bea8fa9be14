import { property, assert as proveAll, string } from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeaderValue, encodeHeaderValue } from './headers.ts'

test('printable ASCII is not encoded', () => {
	expect(encodeHeaderValue('tools/call')).toBe('tools/call')
	expect(decodeHeaderValue('a b\tc')).toEqual({ value: 'a b\tc' })
})

test('values that HTTP would change, or that look encoded, are encoded', () => {
	expect(encodeHeaderValue('größe')).toBe('=?base64?Z3LDtsOfZQ==?=')
	expect([' a', 'a\nb', '=?base64?YQ==?='].map(encodeHeaderValue)).toEqual([
		'=?base64?IGE=?=',
		'=?base64?YQpi?=',
		'=?base64?PT9iYXNlNjQ/WVE9PT89?=',
	])
})

test('decoding reverses encoding for every text', () => {
	const texts = string({ unit: 'grapheme' })
	const comesBack = property(texts, text => {
		expect(decodeHeaderValue(encodeHeaderValue(text))).toEqual({ value: text })
	})
	proveAll(comesBack)
})

test('a value with only one marker is plain text', () => {
	expect(decodeHeaderValue('=?base64?YQ==')).toEqual({ value: '=?base64?YQ==' })
	expect(decodeHeaderValue('=?base64?=')).toEqual({ value: '=?base64?=' })
})

test('malformed base64, invalid UTF-8 and control characters are faults', () => {
	const malformed = { fault: 'has a malformed base64 wrapper' }
	expect(['=?base64?YQ=?=', '=?base64?YQ_-?=', '=?base64?/w==?='].map(decodeHeaderValue)).toEqual([
		malformed,
		malformed,
		malformed,
	])
	expect(decodeHeaderValue('a\u0001')).toHaveProperty('fault')
})
