import { expect, test } from 'vitest'
import { legible } from './printable.ts'

test('invisible, joining and direction characters are escaped, and typed text stays', () => {
	expect(legible('a\u202eb\u200bc\u0007')).toBe('a\\u{202e}b\\u{200b}c\\u{7}')
	expect(legible('POST /x\n\t{"ü": "日本"}')).toBe('POST /x\n\t{"ü": "日本"}')
})

test.each([
	'',
	' ',
	'\t',
	'\u3000',
	'\u3164',
	'\u2800',
	'\u200b',
	'\ufe0f',
	'\u034f',
	'\u17b4',
	'\u180b',
])('400 lines of %j are folded into a line with their number', nothing => {
	const shown = legible(`GET /\n${`${nothing}\n`.repeat(400)}DELETE /books`)
	expect(shown).toBe('GET /\n⋯ 400 blank lines ⋯\nDELETE /books')
})

test('a long gap within a line is folded, and short ones stay', () => {
	expect(legible(`a${' '.repeat(5000)}b`)).toBe('a ⋯ 5000 spaces ⋯ b')
	expect(legible('{\n\n\n  "a":    1\n}')).toBe('{\n\n\n  "a":    1\n}')
})
