import { expect, test } from 'vitest'
import { withLineBreaks } from './line-breaks.ts'

test.each([
	['a\nb', 'a\nb.', 'a\nb.'],
	['a\r\nb', 'a\nb', 'a\r\nb'],
	['a\r\nb', 'a\nb.', 'a\r\nb.'],
	['a\r\nb', 'x\na\nb', 'x\r\na\r\nb'],
	['a\rb\nc\r\nd', 'a\nb\nc!\nd', 'a\rb\nc!\r\nd'],
	['a\r\n\r\nb', 'a\nb', 'a\r\nb'],
	['a\r\nb', '', ''],
	['', 'a\nb', 'a\nb'],
])('the line breaks of %j are kept in %j', (before, typed, text) => {
	expect(withLineBreaks(before, typed)).toBe(text)
})
