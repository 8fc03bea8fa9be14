import { isDriverError } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { parseQueryString } from '../sample/query/query-string.ts'
import { refuseSyntaxError, syntaxErrorIn } from './syntax-error.ts'

const properties = { level: { type: 'keyword' }, status: { type: 'long' }, user: { type: 'nested' } }
const mapping = readMapping({ logs: { mappings: { properties } } })

function messageOf(text: string): string | undefined {
	try {
		refuseSyntaxError(text, mapping)
		return undefined
	} catch (error) {
		if (!isDriverError(error)) throw error
		return error.message
	}
}

test.each([
	['level: (a or', 'Syntax error at character 8, near “(a or”: the parenthesis is not closed.'],
	['level:"open', 'Syntax error at character 7, near “"open”: the quotation mark is not closed.'],
	['status >= ', 'Syntax error at character 1, near “status >=”: a value is missing.'],
	['status >= and level: a', 'Syntax error at character 1, near “status >= and level: a”: a value is missing.'],
	['level:a AND status:', 'Syntax error at character 13, near “status:”: a value is missing.'],
	['status:>', 'Syntax error at character 1, near “status:>”: a value is missing.'],
	['level: AND b', 'Syntax error at character 1, near “level: AND b”: a value is missing.'],
	['(level: ) a', 'Syntax error at character 2, near “level: ) a”: a value is missing.'],
	['level:()', 'Syntax error at character 7, near “()”: nothing is between the parentheses.'],
	['level:a)', 'Syntax error at character 8, near “)”: the parenthesis closes nothing.'],
	['level:a AND', 'Syntax error at character 9, near “AND”: AND has nothing after it.'],
	['a OR AND b', 'Syntax error at character 3, near “OR AND b”: OR has nothing after it.'],
	['(OR b)', 'Syntax error at character 2, near “OR b)”: OR has nothing before it.'],
	['status:[1 TO 2', 'Syntax error at character 8, near “[1 TO 2”: the bracket is not closed.'],
	['user:{ name: Ana', 'Syntax error at character 6, near “{ name: Ana”: the brace is not closed.'],
	[
		'level:a AND (level:b OR level:c OR level:d OR level:e',
		'Syntax error at character 13, near “(level:b OR level:c OR level:d…”: the parenthesis is not closed.',
	],
])('%s: %s', (text, message) => {
	expect(messageOf(text)).toBe(message)
})

test.each([
	'level: (a or b) and not status >= 5',
	'level:"a (b" AND status:[1 TO 2} AND user:{ name: (a) }',
	String.raw`a\"b \( c`,
	'level:/a("b/ c',
	'a/b"c/d',
	'status:["a ]" TO "b"]',
	'NOT a AND NOT b',
	'ANDOR NORAND',
	'a >= b > ',
	'salt and',
	'*:* AND _exists_:level',
])('%s has none', text => {
	expect(messageOf(text)).toBeUndefined()
})

test('no text that the sample reads has one', () => {
	const piece = fc.constantFrom(
		...'level: status:|AND |OR |NOT |(|)|"|\\|/|[1 TO 2]|{a TO b}|[|a|b*| |:|*|-|+'.split('|'),
	)
	const texts = fc.array(piece, { maxLength: 9 }).map(pieces => pieces.join(''))
	fc.assert(
		fc.property(texts, text => {
			// The name of a field makes an error of what is otherwise a word to search for.
			fc.pre(syntaxErrorIn(text, { fields: new Map() }) !== undefined)
			expect(parseQueryString(text, 'or'), text).toBeUndefined()
		}),
		{ numRuns: 2000 },
	)
})
