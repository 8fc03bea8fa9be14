import type { Declaration } from './surface.ts'

/** The first page of docs/kit.md: which parts of the kit a driver of each kind of engine needs, and where to start. */

/** Kinds of engines, in the order of the columns. */
const kinds = ['Document store', 'Relational', 'Key-value'] as const

type Row = readonly [what: string, ...texts: readonly [string, string, string]]

/** What is not a member of {@link optional}. */
const choices: readonly Row[] = [
	['Start with', '`driver new --template http`', '`driver new --template sql`', '`driver new`'],
	[
		'Read',
		'`plugins/search-engine`',
		'`plugins/mariadb`, or a dialect of `@roundhouse/sql`',
		'`tests/mcp/drivers/till`',
	],
	['A table is', 'an index or a collection', 'a table or a view', 'a database, or the keys with one prefix'],
	['A row id is', "the document's id", 'the values of the key, as JSON', 'the key'],
	[
		'A version is',
		"the engine's version of the document",
		'a row version, or a digest of the cells',
		'a digest of the value',
	],
	[
		'Columns come from',
		'the mapping; `removesFields` of the manifest',
		'the catalog',
		'the driver: key, type, value, time to live (`isVolatile`)',
	],
	[
		'A save',
		'applies each change and reports each outcome',
		'`savesWhole`: one transaction',
		'applies each change and reports each outcome',
	],
	[
		'A verdict comes from',
		'method, path and body',
		'a grammar, and the functions that a statement calls',
		'a list of commands; an unknown one is `destructive`',
	],
	['`can` of `conformance.ts` often lacks', 'nothing', 'nothing', '`sort`, `pageWhileWriting`'],
]

/** Optional members of `Connection`. Empty: omit it. */
const optional: readonly Row[] = [
	['findTables', 'aliases and patterns', '', 'prefixes of keys'],
	['findColumns', 'fields of all mappings', 'columns of the catalog', ''],
	['aggregate', 'aggregations', 'GROUP BY', ''],
	['groupSimilar', 'categories of texts', '', ''],
	['readRawQuery', "the engine's query language", 'a condition of WHERE', 'a pattern of keys'],
	['filterText', 'a query clause', 'a condition of WHERE', ''],
	['explain', 'a profile', 'a plan', ''],
	['openSession', '', 'transactions of a console', 'only with transactions'],
	['listDatabases', '', 'if one login reaches several', 'numbered databases'],
	['consoleOf', '', 'with `listDatabases`', 'with `listDatabases`'],
	['assessChanges', 'if a write runs pipelines', 'cascades and triggers', ''],
	['openExport', 'a stable view', 'COPY, or a cursor', 'a scan'],
	['openImport', 'a bulk request', 'COPY, or long INSERTs', ''],
	['readFacts', 'health, shards, tasks', 'activity, locks, sizes', 'memory, clients'],
	['listObjects', '', 'functions, triggers, types', ''],
	['readObject', '', 'with `listObjects`', ''],
	['tableActions', 'close, copy, add an alias', 'truncate, analyse, rename', 'remove a prefix'],
	['fillAction', 'actions with a form', 'actions with a form', ''],
	['restrictedLogin', 'an API key with rights on fields', 'a role with rights on columns', ''],
	['readTableForm', '', 'columns, keys and indexes of the catalog', ''],
	['tableStatements', '', 'with `readTableForm`', ''],
	['tryTableChange', '', 'if definitions can be rolled back', ''],
	['hiddenPart', 'columns by any spelling', 'views, partitions, generated columns', ''],
]

/**
 * Renders the page.
 * @throws Error if {@link optional} differs from the optional members of `Connection`, so that the page cannot be outdated
 */
export function needsOf({ signature }: Pick<Declaration, 'signature'>): string {
	const membersOf = (pattern: RegExp) => [...signature.matchAll(pattern)].map(([, name = '']) => name)
	const declared = membersOf(/^ {4}(?:readonly )?(\w+)\?/gm)
	const listed = new Set(optional.map(([name]) => name))
	const other = [...listed.symmetricDifference(new Set(declared))]
	if (other.length > 0)
		throw new Error(`List the optional members of Connection in scripts/kit/needs.ts: ${other.join(', ')}.`)
	const required = membersOf(/^ {4}(?:readonly )?(\w+)[(:]/gm).map(name => `\`${name}\``)
	return [
		`Every driver exports \`defineDriver({...})\` with \`connect\`, which returns a \`Connection\` with ${required.join(', ')}. Its manifest names a table, has a form with one field for the address, and asks for permissions. An operation that the engine does not have throws a DriverError with \`unsupported\`, and \`can\` of \`conformance.ts\` gives the reason.`,
		tableOf(['', ...kinds], choices),
		'The other members of `Connection` are optional: the window and the tools show what is there. Begin without them, and add one at a time. An empty field: omit the member.',
		tableOf(
			['Member', ...kinds],
			optional.map(([name, ...texts]) => [`\`${name}\``, ...texts] as const),
		),
	].join('\n\n')
}

const tableOf = (heads: readonly string[], rows: readonly Row[]) =>
	[heads, heads.map(() => '-'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
