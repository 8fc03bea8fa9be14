import { expect, test } from 'vitest'
import { type StatementLanguage, statementParts } from './statement-parts.ts'

/** Returns the highlighted tokens of a text, line by line. */
function coloured(description: Partial<StatementLanguage>, text: string): readonly string[] {
	const parts = statementParts(text, {
		lineComments: [],
		blockComments: [],
		keywords: [],
		words: [],
		textBlocks: [],
		...description,
	})
	expect(parts.map(part => part.text).join('')).toBe(text)
	return parts.flatMap(part => (part.token === undefined ? [] : [`${part.token} ${part.text}`]))
}

test('a statement keyword is highlighted only at the start of a line, in any case', () => {
	const sql = { keywords: ['select', 'insert'] }
	expect(coloured(sql, 'SELECT select\n  insert\nselection')).toEqual(['keyword SELECT', 'keyword   insert'])
})

test('a language without keywords, comments or text blocks highlights none', () => {
	expect(coloured({}, 'GET /x # no """a"""')).toEqual(['string ""', 'string "a"', 'string ""'])
})

test('a block comment may span lines, and a path that looks like one is not a comment', () => {
	const description = { keywords: ['GET'], blockComments: [{ begin: '/*', end: '*/' }], textBlocks: ['"""'] }
	expect(coloured(description, '/* """\nGET /b */ 1\nGET /*/_search\n2 /*3*/ 4\n"""/*""" 5')).toEqual([
		'comment /*',
		'comment  """',
		'comment GET /b */',
		'number 1',
		'keyword GET',
		'number 2',
		'comment /*',
		'comment 3*/',
		'number 4',
		'string """',
		'string /*"""',
		'number 5',
	])
})

test('a comment ends with its line, a text block with its end mark', () => {
	const description = { lineComments: ['--', '#'], textBlocks: ['"""', '$$'] }
	expect(coloured(description, 'a -- 1 "x"\n# b\n1 """two\n-- three""" 4 $$x"""$$')).toEqual([
		'comment -- 1 "x"',
		'comment # b',
		'number 1',
		'string """',
		'string two',
		'string -- three"""',
		'number 4',
		'string $$',
		'string x"""$$',
	])
})

test('numbers and atoms inside a word or a path are not highlighted', () => {
	expect(coloured({}, 'a1 x-2 /books/1?true true 1.5e3 "k": null')).toEqual([
		'number -2',
		'atom true',
		'number 1.5e3',
		'propertyName "k"',
		'atom null',
	])
})

test('words are highlighted wherever they stand, but not in texts, comments and longer words', () => {
	const sql = { keywords: ['select'], words: ['from', 'where'], lineComments: ['--'], textBlocks: ["'"] }
	expect(coloured(sql, "select x FROM fromage where a = 'from' -- from")).toEqual([
		'keyword select',
		'keyword FROM',
		'keyword where',
		"string '",
		"string from'",
		'comment -- from',
	])
})
