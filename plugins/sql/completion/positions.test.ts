import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { completingIn } from '../../mariadb/console/complete.ts'
import { completing as postgres } from '../../postgres/console/complete.ts'
import { lexerOf } from '../text/lexer.ts'
import type { StatementSpan } from '../text/statement-span.ts'
import type { CompletionCatalog } from './catalog.ts'
import { type Completing, complete } from './complete.ts'
import { contextAt } from './context-at.ts'
import { shopCatalog } from './test-catalog.ts'

/** SQLite as its manual describes it. No driver of it is here. */
const sqliteLexer = lexerOf({
	patterns: [
		['blank', /\s+/y],
		['comment', /--[^\n]*/y],
		['string', /x?'(?:[^']|'')*('|$)/iy],
		['quotedIdentifier', /"(?:[^"]|"")*("|$)/y],
		['quotedIdentifier', /`(?:[^`]|``)*(`|$)/y],
		['quotedIdentifier', /\[[^\]]*(\]|$)/y],
		['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
		['word', /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy],
	],
	nestsComments: false,
})
const sqlite: Completing = {
	dialect: {
		lexer: sqliteLexer,
		split: splitTriggers,
		quotes: { '"': '"', '`': '`', '[': ']' },
		foldsNames: false,
		joinsInChanges: false,
		starts: ['select', 'insert into', 'update', 'delete from', 'with', 'pragma', 'create', 'replace into'],
	},
	names: {
		...postgres.names,
		home: 'main',
		systemSchemas: [],
	},
}

/** A `;` inside of BEGIN and END does not end a trigger. */
function splitTriggers(text: string): readonly StatementSpan[] {
	const pieces: StatementSpan[] = []
	let tokens: StatementSpan['tokens'][number][] = []
	for (const token of [
		...sqliteLexer.tokensOf(text),
		{ kind: 'symbol', start: text.length, end: text.length } as const,
	]) {
		const written = text.slice(token.start, token.end)
		const isBody = /^create\s+(?:temp\s+)?trigger\b(?!.*\bend$)/is.test(text.slice(tokens[0]?.start, token.start))
		const isEnd = token.start === text.length || (written === ';' && !isBody)
		if (!isEnd) tokens.push(token)
		else {
			const meant = tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
			const [first, last] = [meant[0], meant.at(-1)]
			if (first && last) pieces.push({ start: first.start, end: last.end, tokens: meant })
			tokens = []
		}
	}
	return pieces
}

const doubleQuoted = (name: string) => `"${name}"`
const engines: Readonly<Record<string, Completing & { readonly catalog: CompletionCatalog }>> = {
	postgres: {
		...postgres,
		catalog: shopCatalog({
			home: 'public',
			types: 'integer numeric text boolean date timestamp',
			inQuotes: doubleQuoted,
		}),
	},
	mysql: {
		...completingIn('shop'),
		catalog: shopCatalog({
			home: 'shop',
			types: 'integer signed decimal char varchar',
			inQuotes: name => `\`${name}\``,
		}),
	},
	sqlite: { ...sqlite, catalog: shopCatalog({ home: 'main', types: 'integer text real', inQuotes: doubleQuoted }) },
}

interface Position {
	readonly engine: string
	readonly line: string
	readonly text: string
	readonly kind: string
	readonly labels: readonly string[]
}

function readPositions(): readonly Position[] {
	const positions: Position[] = []
	let engine = ''
	for (const line of readFileSync(fileURLToPath(import.meta.resolve('./positions.txt')), 'utf8').split('\n')) {
		if (line.startsWith('== ')) engine = line.slice('== '.length)
		const [, text, kind, labels = ''] = /^(.*) => (\w+)(?:: (.*))?$/.exec(line) ?? []
		if (text === undefined || kind === undefined) continue
		positions.push({
			engine,
			line,
			text: text.replaceAll('\\n', '\n'),
			kind,
			labels: labels.split('; ').filter(Boolean),
		})
	}
	return positions
}

/** Returns what is wrong at a position. */
async function faultAt({ engine, text, kind, labels }: Position): Promise<string | undefined> {
	const parts = engines[engine]
	if (!parts) return `no engine ${engine}`
	const offset = /(?<!\|)\|(?!\|)/.exec(text)?.index ?? 0
	const bare = text.slice(0, offset) + text.slice(offset + 1)
	const place = contextAt(bare, offset, parts.dialect)
	const offered = new Set((await complete(bare, offset, parts)).options.map(({ label }) => label))
	const missing = labels.filter(label => !label.startsWith('!') && !offered.has(label))
	const tooMany = labels.filter(label => label.startsWith('!') && offered.has(label.slice(1)))
	if (place.kind === kind && missing.length === 0 && tooMany.length === 0) return undefined
	return `${place.kind}; missing ${missing.join(', ')}; too many ${tooMany.join(', ')}`
}

test('completion offers what the manuals of the engines say, at 98 % of the positions', async () => {
	const positions = readPositions()
	const faults: string[] = []
	for (const position of positions) {
		const fault = await faultAt(position)
		if (fault !== undefined) faults.push(`${position.engine}: ${position.line}\n    ${fault}`)
	}
	expect(positions.length).toBeGreaterThan(300)
	expect(faults.length / positions.length, faults.join('\n')).toBeLessThan(0.02)
})

test.each([
	['select * from ord|', ['orders', 'order_items']],
	['select * from public.Orders|', ['orders', 'order_items']],
	['select * from customers c join ord|', ['orders', 'orders on orders.customer_id = c.id', 'order_items']],
	['select * from products p join ord|', ['order_items', 'order_items on order_items.product_id = p.id', 'orders']],
])('of the tables that begin with what is typed, the shortest is first, behind foreign keys: %s', async (text, expected) => {
	const { postgres: engine } = engines
	if (!engine) throw new Error('There is no PostgreSQL here.')
	const { options } = await complete(text.replace('|', ''), text.length - 1, engine)
	const begin = options.filter(({ label }) => label.startsWith('order'))
	expect(begin.map(({ label }) => label)).toEqual(expected)
})

test.each([
	['sales', 'select * from orders join customers c on |', ['orders.customer_id = c.id']],
	['sales', 'select * from orders join customers c on c.id = |', ['orders.customer_id']],
	['sales', 'select | from customers', ['sold']],
	['empty', 'select | from customers', ['email']],
	['empty', 'select * from orders join customers c on |', ['orders.buyer = c.id']],
])('a name that several schemas have is that of the search path, from %s: %s', async (home, text, expected) => {
	const { postgres: engine } = engines
	if (!engine) throw new Error('There is no PostgreSQL here.')
	const column = (name: string) =>
		({ name, type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true }) as const
	const columns = new Map([
		['archive.customers', [column('kept')]],
		['archive.orders', [column('kept')]],
		['public.customers', [column('email')]],
		['public.orders', [column('buyer')]],
		['sales.customers', [column('sold')]],
		['sales.orders', [column('customer_id')]],
	])
	const key = (schema: string, from: string) => ({
		from: { schema, table: 'orders', columns: [from] },
		to: { schema, table: 'customers', columns: ['id'] },
	})
	const catalog: CompletionCatalog = {
		...engine.catalog,
		tables: async () => [...columns.keys()].map(name => ({ name })),
		columns: async name => columns.get(name) ?? [],
		references: async () => [key('archive', 'kept'), key('public', 'buyer'), key('sales', 'customer_id')],
	}
	const offset = text.indexOf('|')
	const names = { ...engine.names, home }
	const { options } = await complete(text.replace('|', ''), offset, { ...engine, names, catalog })
	const found = options.filter(
		({ detail, kind }) => detail === 'foreign key' || (text.startsWith('select |') && kind === 'column'),
	)
	expect(found.map(({ label }) => label)).toEqual(expected)
})

test('a function has its closing bracket, with the caret in it, unless a bracket is behind it', async () => {
	const { postgres: engine } = engines
	if (!engine) throw new Error('There is no PostgreSQL here.')
	const option = async (text: string) => {
		const offset = text.indexOf('|')
		const { options } = await complete(text.replace('|', ''), offset, engine)
		return options.find(({ label }) => label === 'lower')
	}
	expect(await option('select lo|')).toMatchObject({ insert: 'lower()', cursor: 'lower('.length })
	expect(await option('select lo|(name)')).toMatchObject({ insert: 'lower' })
})
