import { readFileSync } from 'node:fs'
import { parseSync, traverse, types } from '@babel/core'
import { expect, test } from 'vitest'
import { foreignWord } from '../support/foreign-words.ts'
import { sources } from './sources.ts'

/**
 * The window, the host and the command line serve every engine. Terms of one engine come from the manifest of its
 * driver (`tableNoun`, `rowNoun`, `columnNoun`, `console.noun`), or a neutral word is used.
 */

interface Text {
	readonly file: string
	readonly line: number
	readonly text: string
}

/** Places where one of these words is no term of an engine. */
const allowed: readonly { readonly path: string; readonly words: RegExp; readonly because: string }[] = [
	...['access/', 'consent/', 'protocol/', 'wire/'].map(folder => ({
		path: `host/mcp/${folder}`,
		words: /\brequests?\b/gi,
		because: 'a request of an MCP client',
	})),
	{ path: 'host/commands/token.ts', words: /\brequests\b/g, because: 'requests of an MCP client' },
	{ path: 'host/ui-server/pages.ts', words: /\bBad request\b/g, because: 'an HTTP status' },
	{ path: 'host/commands/registry/release.ts', words: /\bform fields\b/g, because: 'the form of a connection' },
	{ path: 'host/connections/', words: /\bthe form has no such field\b/g, because: 'the form of a connection' },
	{ path: 'host/connections/foreign/', words: /\bElasticvue\b/g, because: 'the name of a program' },
	{ path: 'host/driver-check/', words: /\bThe form has no field\b/g, because: 'the form of a connection' },
	{ path: 'host/client-setup/yaml-config.ts', words: /\bmapping\b/g, because: 'a mapping of YAML' },
	{
		path: 'ui/table-form/',
		words: /\b[Ii]ndex(?:es)?\b/g,
		because: 'an index of a table, which only such a driver shows',
	},
	{ path: 'ui/connections/paste.ts', words: /\bcurl\b/g, because: 'shown if the manifest says so' },
]

/**
 * Returns whether a string is for people: several words, a first capital, one of two words, a driver's id, or a noun
 * with its plural.
 */
const isProse = (text: string, parent: types.Node | undefined) =>
	/\S\s+\S/.test(text) ||
	/^\s*[A-Z]/.test(text) ||
	text.includes('search-engine') ||
	types.isConditionalExpression(parent) ||
	(types.isObjectProperty(parent) && isNounKey(parent.key))
const isNounKey = (key: types.Node) => types.isIdentifier(key) && (key.name === 'one' || key.name === 'many')

/** Returns the texts of a source file that people or models may read. */
function textsIn(file: string, code: string): readonly Text[] {
	const tree = parseSync(code, {
		filename: file,
		babelrc: false,
		configFile: false,
		parserOpts: { plugins: ['typescript', ...(file.endsWith('.tsx') ? (['jsx'] as const) : [])] },
	})
	const found: Text[] = []
	const push = (node: types.Node, text: string) =>
		found.push({ file, line: node.loc?.start.line ?? 0, text: text.trim() })
	const add = (node: types.Node, text: string, parent?: types.Node) => {
		if (isProse(text, parent)) push(node, text)
	}
	if (!tree) throw new Error(`${file} cannot be parsed`)
	traverse(tree, {
		StringLiteral: ({ node, parent }) => {
			const isClass = types.isJSXAttribute(parent) && parent.name.name === 'class'
			if (!types.isImportDeclaration(parent) && !types.isTSLiteralType(parent) && !isClass)
				add(node, node.value, parent)
		},
		TemplateLiteral: ({ node }) => add(node, node.quasis.map(({ value }) => value.cooked).join('…')),
		JSXText: ({ node }) => void push(node, node.value.replace(/\s+/g, ' ')),
	})
	return found
}

/** Returns a text without its `{…}` placeholders and without the words that are allowed in its file. */
const judged = ({ file, text }: Text) =>
	allowed
		.filter(({ path }) => file.startsWith(path))
		.reduce((rest, { words }) => rest.replaceAll(words, ''), text.replaceAll(/\{\w+\}/g, ''))
const foreignIn = (texts: readonly Text[]) =>
	texts.filter(text => foreignWord.test(judged(text))).map(({ file, line, text }) => `${file}:${line}: ${text}`)

const texts = sources
	.filter(file => /^(ui|host)\//.test(file) && !/\.test\.tsx?$|\/test\//.test(file))
	.flatMap(file => textsIn(file, readFileSync(file, 'utf8')))

test('no text of the window, the host or the command line uses a term of one engine', () => {
	expect(texts.length).toBeGreaterThan(1000)
	expect(foreignIn(texts)).toEqual([])
})

test('every exception is used', () => {
	const unused = allowed.filter(
		({ path, words }) => !texts.some(({ file, text }) => file.startsWith(path) && text.match(words)),
	)
	expect(unused).toEqual([])
})

test.each([
	["const label = 'Save the request'"],
	[`const label = \`Remove $\{count} fields\``],
	['const view = <p>{count()} fields</p>'],
	["const view = <p>Read the {isExport ? 'request' : 'statement'}</p>"],
	['const view = <p title="A curl command">Rows</p>'],
	['const view = <p>All documents</p>'],
	["counted(2, { one: 'index', many: 'indices' })"],
	["option('--driver <id>', 'whose sample', 'search-engine')"],
	["option('sample', 'run the sample cluster')"],
])('finds a planted word: %s', code => {
	expect(foreignIn(textsIn('ui/planted.tsx', code))).not.toEqual([])
})

test.each([
	["host.call('requests.read', { connection })"],
	["import { request } from './a request.ts'"],
	['const view = <p class="field wide">Rows</p>'],
	["const message = 'The value of {field} is too long.'"],
])('accepts what is not for people: %s', code => {
	expect(foreignIn(textsIn('ui/planted.tsx', code))).toEqual([])
})
