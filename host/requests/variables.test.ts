import { expect, test } from 'vitest'
import { fillIn } from './variables.ts'

const values = { index: 'books', size: '2', 'a.b-c': 'x', größe: 'y', empty: '' }

test('values replace their placeholders unchanged, in a single pass', () => {
	expect(fillIn('GET /{{index}}/_search\n{"size":{{ size }},"q":{{{}}}', values)).toBe(
		'GET /books/_search\n{"size":2,"q":{{{}}}',
	)
	expect(fillIn('{"a":{"b":{{size}}}}', values)).toBe('{"a":{"b":2}}')
	expect(fillIn('{{a.b-c}}{{größe}}{{empty}}', values)).toBe('xy')
	expect(fillIn('{{index}}', { index: '{{size}}', size: '1' })).toBe('{{size}}')
})

test('the error names all variables without a value', () => {
	expect(() => fillIn('GET /{{a}}/{{index}}?q={{b}}{{a}}', values)).toThrow('{{a}}, {{b}}')
	expect(() => fillIn('{{constructor}}{{__proto__}}', values)).toThrow('{{constructor}}, {{__proto__}}')
})

test('templates of the engine stay unchanged: after a backslash, with a sign, or with a third brace', () => {
	expect(fillIn('"\\{{q}} {{#toJson}}x{{/toJson}} {{{x}}}"', values)).toBe('"{{q}} {{#toJson}}x{{/toJson}} {{{x}}}"')
})
