import { type Language, lexerOf, placeholderPattern } from '@roundhouse/sql'

/** The SQL of SQLite: tokens, names and words. https://www.sqlite.org/lang_keywords.html */

const keywords = new Set(
	`abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast
	check collate column commit conflict constraint create cross current current_date current_time current_timestamp database
	default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain
	fail filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed
	initially inner insert instead intersect into is isnull join key last left like limit match materialized natural no not
	nothing notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise range
	recursive references regexp reindex release rename replace restrict returning right rollback row rows savepoint select set
	table temp temporary then ties to transaction trigger unbounded union unique update using vacuum values view virtual when
	where window with without`.split(/\s+/),
)

/** Returns a text as SQL. SQLite knows no backslash. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const language: Language = {
	lexer: lexerOf({
		patterns: [
			['blank', /[ \t\n\r\f]+/y],
			['comment', /--[^\n]*/y],
			['placeholder', placeholderPattern],
			['string', /'(?:[^']|'')*('|$)/y],
			['quotedIdentifier', /"(?:[^"]|"")*("|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)/y],
			['variable', /[?:@$#][\p{L}\p{N}_]+/uy],
			['number', /0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
			['word', /[\p{L}_\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*/uy],
		],
		nestsComments: false,
	}),
	quoted: name =>
		/^[a-z_][a-z0-9_]*$/i.test(name) && !keywords.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`,
	quotes: { '"': '"', '`': '`', '[': ']' },
	starts: ['select', 'values', 'with'],
	functions:
		'abs avg ceil coalesce concat count date datetime exp floor format group_concat hex ifnull iif instr json json_each json_extract julianday length like ln log lower ltrim max min mod nullif pow printf random replace round row_number rtrim sign sqrt strftime substr sum time total trim typeof unicode unixepoch upper'.split(
			' ',
		),
}
