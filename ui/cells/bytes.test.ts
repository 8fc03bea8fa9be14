import { base64OfHex } from '@roundhouse/kit/cell-input'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteCount, bytesOf, hexOf } from './bytes.ts'

test('any bytes survive base64 and hexadecimal', () => {
	fc.assert(
		fc.property(fc.uint8Array(), bytes => {
			const base64 = Buffer.from(bytes).toString('base64')
			expect(base64OfHex(hexOf(bytesOf(base64)))).toBe(base64)
		}),
	)
})

test.each([
	['0xCAFE', 'yv4='],
	['\\xcafe', 'yv4='],
	['ca fe\n', 'yv4='],
	['', ''],
	['caf', undefined],
	['hello', undefined],
])('%j is read as %j', (text, base64) => {
	expect(base64OfHex(text)).toBe(base64)
})

test('counts bytes without decoding them', () => {
	fc.assert(
		fc.property(fc.uint8Array(), bytes => {
			expect(byteCount(Buffer.from(bytes).toString('base64'))).toBe(bytes.length)
		}),
	)
})
