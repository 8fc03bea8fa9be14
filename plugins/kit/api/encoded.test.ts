import { expect, test } from 'vitest'
import { frameLimits } from '../wire/frames.ts'
import { decode, encode, encodeWithRaw, maxEncodedBytes, rawText } from './encoded.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('transfers any raw text beside its result', () => {
	const raw = bytes('{"n": 1.10, "n": 2,\n"x": "\u001e"}')
	const read = decode(encodeWithRaw({ status: '200 OK \u001e', raw }))
	expect(read).toMatchObject({ status: '200 OK \u001e' })
	expect(rawText(read)).toBe('{"n": 1.10, "n": 2,\n"x": "\u001e"}')
	expect(decode(encodeWithRaw<{ raw?: Uint8Array; a: number }>({ a: 1 }))).toEqual({ a: 1 })
	expect(decode(encode({ a: '\u001e' }))).toEqual({ a: '\u001e' })
})

test('cuts raw text that exceeds a message between two characters, and reports its length', () => {
	const raw = bytes('é'.repeat(100))
	const cut = encodeWithRaw({ status: 'x', raw }, 80)
	expect(cut.length).toBeLessThanOrEqual(80)
	const read = decode(cut)
	expect(read).toMatchObject({ rawCutFrom: 200 })
	expect(rawText(read)).toMatch(/^é+$/)
	expect(maxEncodedBytes).toBe(frameLimits.attachedBytes)
})
