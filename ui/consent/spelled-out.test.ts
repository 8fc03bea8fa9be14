import { expect, test } from 'vitest'
import { spelledOut } from './spelled-out.ts'

test('what hides or turns text is spelled out, and lines stay lines', () => {
	expect(spelledOut('a\u202eb\u200bc\u0007')).toBe('a\\u{202e}b\\u{200b}c\\u{7}')
	expect(spelledOut('POST /x\n\t{"ü": "日本"}')).toBe('POST /x\n\t{"ü": "日本"}')
})
