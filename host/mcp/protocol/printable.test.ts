import { expect, test } from 'vitest'
import { escapeInvisible } from './printable.ts'

test('invisible, joining and direction characters are escaped, and all other text is unchanged', () => {
	expect(escapeInvisible('a\u202eb\u200bc\u0007')).toBe('a\\u{202e}b\\u{200b}c\\u{7}')
	expect(escapeInvisible('POST /x\n\t{"ü": "日本"}')).toBe('POST /x\n\t{"ü": "日本"}')
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
])('400 lines that contain only %j are collapsed into one line that states their number', blank => {
	const shown = escapeInvisible(`GET /\n${`${blank}\n`.repeat(400)}DELETE /books`)
	expect(shown).toBe('GET /\n⋯ 400 blank lines ⋯\nDELETE /books')
})

test('a long run of spaces is collapsed, and short runs are unchanged', () => {
	expect(escapeInvisible(`a${' '.repeat(5000)}b`)).toBe('a ⋯ 5000 spaces ⋯ b')
	expect(escapeInvisible('{\n\n\n  "a":    1\n}')).toBe('{\n\n\n  "a":    1\n}')
})
