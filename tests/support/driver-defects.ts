import { join } from 'node:path'
import { kitVersion } from '@roundhouse/kit/version'
import type { Edit } from './driver-check.ts'

const checkout = join(import.meta.dirname, '..', '..')

/**
 * Defects of a template or of a driver of the tests, by default of the minimal template, each with the case of the
 * conformance kit that must find it.
 */
export const defects: readonly (readonly [
	defect: string,
	caseId: string,
	edit: Edit,
	source?: string,
	...others: Edit[],
])[] = [
	[
		'a wrong token is a failed query',
		'connect.secret',
		['client.ts', "return 'denied'", "return 'query_failed'"],
		'http',
	],
	[
		'a message repeats the token',
		'connect.canary',
		[
			'client.ts',
			'throw new DriverError(codeOf(reply.status), messageIn(reply))',
			'throw new DriverError(codeOf(reply.status), messageIn(reply) + this.#token)',
		],
		'http',
	],
	[
		'a closed port is a failed query',
		'connect.refused',
		[
			'client.ts',
			'const plain = await this.#context.connect({ host: this.#url.hostname, port: this.#port }, { signal, timeoutMs })',
			"const plain = await this.#context.connect({ host: this.#url.hostname, port: this.#port }, { signal, timeoutMs }).catch(() => { throw new DriverError('query_failed', 'No.') })",
		],
		'http',
	],
	[
		'a silent server is waited for',
		'connect.silent',
		['client.ts', 'const timeoutMs = 10_000', 'const timeoutMs = 40_000'],
		'http',
	],
	[
		'a cancelled request goes on',
		'connect.cancelled',
		[
			'client.ts',
			'send({ method, path, headers, signal, createConnection',
			'send({ method, path, headers, createConnection',
		],
		'http',
	],
	[
		'a cancelled statement goes on',
		'console.cancel',
		[
			'client.ts',
			'send({ method, path, headers, signal, createConnection',
			'send({ method, path, headers, createConnection',
		],
		'http',
	],
	[
		'a permitted read may write',
		'console.permitted',
		['client.ts', 'this.#context.permitted()', "'destructive'"],
		'http',
	],
	['a failing request succeeds', 'console.error', ['console.ts', '!showsRefusals', 'showsRefusals'], 'http'],
	['a lost outcome is called a failure', 'faults.edit', ['driver.ts', "status: 'unknown'", "status: 'failed'"], 'http'],
	[
		'a held request goes on',
		'faults.held',
		[
			'client.ts',
			'send({ method, path, headers, signal, createConnection',
			'send({ method, path, headers, createConnection',
		],
		'http',
	],
	[
		'a socket stays open',
		'faults.sockets',
		[
			'client.ts',
			'const startedAt = performance.now()',
			'const startedAt = performance.now()\n\t\tawait this.#context.connect({ host: this.#url.hostname, port: this.#port })',
		],
		'http',
	],
	[
		'it never connects again',
		'faults.restart',
		[
			'client.ts',
			'const startedAt = performance.now()',
			"const startedAt = performance.now()\n\t\tthis.probe ??= (await this.#context.connect({ host: this.#url.hostname, port: this.#port })).on('close', () => (this.isDead = true)).on('error', () => {}).resume()\n\t\tif (this.isDead) throw new DriverError('not_connected', 'It is over.')",
		],
		'http',
	],
	[
		'an empty text is lost',
		'values.examples',
		[
			'notes.ts',
			'set(note.id, { id: note.id, text: String(text),',
			"set(note.id, { id: note.id, text: String(text) || 'none',",
		],
	],
	[
		'a text is changed by writing it back',
		'values.again',
		[
			'notes.ts',
			'set(note.id, { id: note.id, text: String(text),',
			'set(note.id, { id: note.id, text: String(text).toUpperCase(),',
		],
	],
	[
		'pages move while rows are inserted',
		'pages.inserted',
		[
			'driver.ts',
			'found.slice(offset, offset + limit)',
			'notes.find(query).toReversed().slice(offset, offset + limit)',
		],
	],
	[
		'pages are found again while rows are deleted',
		'pages.deleted',
		['driver.ts', 'found.slice(offset, offset + limit)', 'notes.find(query).slice(offset, offset + limit)'],
	],
	[
		'a form reads another table than it made',
		'schema.form',
		['definitions.ts', 'definition: found,', 'definition: { ...found, columns: found.columns.slice(0, 1) },'],
		'shop',
	],
	['a view takes changes', 'schema.cannot', ['driver.ts', "table.endsWith('totals')", 'false'], 'shop'],
	[
		'an import stores its rows at once',
		'edits.import',
		['driver.ts', 'rows = next.rows ?? rows', 'rows = next.rows ?? rows\n\t\t\t\t\t\tstored = rows'],
		'shop',
	],
	[
		'an import loses its rows',
		'edits.import',
		['driver.ts', 'finish: async () => {\n\t\t\t\t\tstored = rows', 'finish: async () => {\n\t\t\t\t\tvoid rows'],
		'shop',
	],
	[
		'half a save is kept',
		'edits.whole',
		['driver.ts', 'outcomes.push(next.outcome)', 'outcomes.push(next.outcome)\n\t\tstored = rows'],
		'shop',
	],
	['the place is outside', 'console.place', ['driver.ts', 'text.indexOf(id)', 'text.length'], 'shop'],
	[
		'any certificate is accepted',
		'connect.certificate',
		['client.ts', 'secure({ socket,', 'secure({ socket, rejectUnauthorized: false,'],
		'http',
		[
			'conformance.ts',
			'fixture: { start: startServer },',
			`fixture: { start: startServer },
				certificates: async ({ address }) => {
					const [host, port] = String(address).split(':')
					const { addressOf, stop } = await startTlsServers({ host, port: Number(port) })
					const [unknown, wrongName] = ['unknown', 'wrongName'].map(name => ({ address: 'https://' + addressOf(name) }))
					return { trusted: {}, unknown, wrongName, none: { address: 'https://' + address }, stop }
				},`,
		],
		[
			'conformance.ts',
			'import { startServer }',
			`import { startTlsServers } from '${checkout}/plugins/search-engine/certificates/tls-servers.ts'\nimport { startServer }`,
		],
	],
	[
		'a long list of tables is cut',
		'schema.many',
		['catalog.ts', 'return rows.map(([name, type])', 'return rows.slice(0, 1_000).map(([name, type])'],
		'sql',
	],
	[
		'the version of a row is ignored',
		'edits.whole',
		['tables.ts', 'change.version !== undefined', 'change.version === null'],
		'shop',
	],
	['another number is compared', 'console.sort', ['values.ts', 'return `(', 'return `1 + ('], 'sql'],
	[
		'a value becomes a part of the statement',
		'console.parameters',
		[
			'driver.ts',
			'text.split(/\\s+/)',
			'text.replace(/{{.*}}/, () => String(Object.values(parameters)[0])).split(/\\s+/)',
		],
		'shop',
	],
	[
		'statements share a session',
		'console.leftovers',
		['driver.ts', 'new Runner().run(', '((globalThis as never as { shared: Runner }).shared ??= new Runner()).run('],
		'shop',
	],
	[
		'a rollback keeps the write',
		'console.session',
		['driver.ts', "if (verb === 'commit') stored", "if (verb === 'commit' || verb === 'rollback') stored"],
		'shop',
	],
	[
		'an export has other values',
		'export.grid',
		[
			'driver.ts',
			'rows: rowsOf(stored, table), formats: { sql: insert } }, options)',
			'rows: rowsOf(stored, table).map(row => ({ ...row, cells: row.cells.toReversed() })) }, options)',
		],
		'shop',
	],
	[
		'an export has no limit',
		'export.limit',
		['driver.ts', '} }, options)', '} }, { ...options, limit: undefined })'],
		'shop',
	],
	[
		'an export ignores the selection',
		'export.selection',
		['driver.ts', '} }, options)', '} }, { ...options, rowIds: undefined })'],
		'shop',
	],
	[
		'the export of a statement omits a row',
		'export.statement',
		[
			'driver.ts',
			'exportRows({ columns: body.columns, rows }, options)',
			'exportRows({ columns: body.columns, rows: rows.slice(1) }, options)',
		],
		'shop',
	],
	[
		'the export of a statement writes',
		'export.statement',
		['driver.ts', 'if (!isRead(statement)) throw', "if (statement.text === '') throw"],
		'shop',
	],
	[
		'an export goes on when it is cancelled',
		'export.cancelled',
		[
			'driver.ts',
			'return exportRows({ columns, rows: accounts.rows() }, options)',
			'return { read: () => new Promise(resolve => setTimeout(resolve, 2_000)), close: async () => {} }',
		],
		'ledger',
	],
	[
		'an export ends where its connection was cut',
		'export.cut',
		[
			'driver.ts',
			'openGrid: async (query, call) => {',
			'openExport: async ({ table }) => {\n\t\t\tlet isOver = false\n\t\t\tconst next = async (call: Call) => Buffer.from((await get(pathOf(table) + "/rows?offset=0&limit=9", call)).body)\n\t\t\tconst read = (call: Call) => (isOver ? undefined : next(call).catch(() => undefined).finally(() => (isOver = true)))\n\t\t\treturn { read, close: async () => {} }\n\t\t},\n\t\topenGrid: async (query, call) => {',
		],
		'http',
		['conformance.ts', "export: 'The API has no export.',", ''],
	],
	['it needs another API', 'static.api', ['package.json', `"roundhouse": "^${kitVersion}"`, '"roundhouse": "^9.0.0"']],
	['it has no licence', 'static.licence', ['package.json', '"license": "MIT",', '']],
	[
		'it imports sqlite',
		'process.start',
		['driver.ts', 'import {', "import { DatabaseSync } from 'node:sqlite'\nvoid DatabaseSync\nimport {"],
	],
	[
		'it prints',
		'process.quiet',
		[
			'driver.ts',
			'connect: async settings => open(settings)',
			"connect: async settings => { console.log('hello'); return open(settings) }",
		],
	],
	[
		'it never closes',
		'process.stop',
		['driver.ts', 'close: async () => {},\n\t}\n}', 'close: () => new Promise(() => {}),\n\t}\n}'],
	],
	[
		'it shares a table name',
		'schema.list',
		['driver.ts', 'listTables: async () => [', 'listTables: async () => [{ name: table }, '],
	],
	[
		'it describes any table',
		'schema.unknown',
		['driver.ts', 'requireTable(name)\n\t\t\treturn { name, columns }', 'return { name, columns }'],
	],
	['a row lacks a cell', 'pages.sizes', ['notes.ts', 'cells: [id, text, stars]', 'cells: [id, text]']],
	[
		'it says that different values are one',
		'pages.sizes',
		['notes.ts', 'isSortable: true,', 'isSortable: true, isUniform: true,'],
	],
	[
		'pages overlap',
		'pages.sizes',
		['driver.ts', 'found.slice(offset, offset + limit)', 'found.slice(Math.max(0, offset - 1), offset + limit)'],
	],
	['the count is wrong', 'pages.count', ['driver.ts', 'value: notes.find({ ...query, sort: [] }).length', 'value: 7']],
	[
		'filters are ignored',
		'pages.filter',
		['notes.ts', 'this.all().filter(matches)', 'this.all().filter(note => matches(note) || true)'],
	],
	['sorting is ignored', 'pages.sort', ['notes.ts', 'found.sort(', 'void (']],
	[
		'any column can be filtered',
		'pages.unknown-column',
		[
			'notes.ts',
			"throw new DriverError('invalid_argument', `There is no column",
			"return 'id'\n\tthrow new DriverError('invalid_argument', `There is no column",
		],
	],
	[
		'the preview writes',
		'edits.preview',
		[
			'driver.ts',
			'return changes.map(change => `',
			'for (const change of changes) notes.apply(change)\n\t\t\treturn changes.map(change => `',
		],
	],
	['an update loses a value', 'edits.update', ['notes.ts', 'stars = note.stars }', 'stars = 0 }']],
	['conflicts are not detected', 'edits.conflict', ['notes.ts', 'change.version !== String(note.version)', 'false']],
	[
		'an update sets what only an insertion may set',
		'edits.after-insert',
		['tables.ts', '(keyIn(change.set) ?? key) !== key', 'false'],
		'shop',
	],
	[
		'a deletion takes equal rows with it',
		'edits.one-row',
		[
			'notes.ts',
			'this.remove(note.id)',
			'for (const other of this.all()) if (other.id === note.id || other.text === "New") this.remove(other.id)',
		],
	],
	['a deleted row stays', 'edits.delete', ['notes.ts', 'this.remove(note.id)', '']],
	['a write is called a read', 'console.truth', ['console.ts', "add: 'write'", "add: 'read'"]],
	[
		'case lowers a verdict',
		'console.disguise',
		[
			'console.ts',
			"accessOf[wordOf(statement)] ?? 'destructive'",
			"accessOf[statement.split(/\\s/, 1)[0] ?? ''] ?? 'read'",
		],
	],
	[
		'a write inside of a query is a read',
		'console.attacks',
		[
			'catalog.ts',
			"return session.asView(statement, signal, async () => ({ access: 'read' }))",
			"return { access: 'read' }",
		],
		'sql',
		// The template only reads, and describes a statement before it runs.
		['database.ts', '{ readOnly: true })', "{ readOnly: false })\n\t\tthis.#database.exec('pragma synchronous = off')"],
		['database.ts', 'const view =', 'await this.read(statement, signal)\n\t\tconst view ='],
	],
	[
		'a rehearsal counts the named table alone',
		'console.trigger',
		['effects.ts', 'return { tables,', 'return { tables: tables.filter(({ table }) => table === orders),'],
		'shop',
	],
	[
		'a rehearsal does not count a cascade',
		'console.cascade',
		['effects.ts', 'return { tables,', 'return { tables: tables.filter(({ table }) => table === customers),'],
		'shop',
	],
	[
		'a rehearsal keeps its rows',
		'console.sequence',
		[
			'driver.ts',
			'} finally {\n\t\t\tthis.#own = undefined',
			'} finally {\n\t\t\tstored = this.#own ?? stored\n\t\t\tthis.#own = undefined',
		],
		'shop',
	],
	['an unknown word is a read', 'console.garbage', ['console.ts', "?? 'destructive'", "?? 'read'"]],
	[
		'offsets are bytes',
		'console.offsets',
		[
			'console.ts',
			'const start = index + line.indexOf(statement)',
			'const start = Buffer.byteLength(text.slice(0, index)) + line.indexOf(statement)',
		],
	],
	['rows are not cut', 'console.read', ['console.ts', 'rows.slice(0, maxRows)', 'rows']],
	['a schema is no schema', 'tools.schemas', ['package.json', '"type": "integer"', '"$ref": "#/nowhere"']],
	[
		'a hint lies',
		'tools.hints',
		['package.json', '"needsConnection": true', '"needsConnection": true, "annotations": { "readOnlyHint": false }'],
	],
	[
		'a tool answers another shape',
		'tools.examples',
		[
			'driver.ts',
			'const structuredContent = { count: count?.value ?? 0 }',
			'const structuredContent = { count: String(count?.value) }',
		],
	],
	[
		'a declared absence is no refusal',
		'edits.insert',
		['conformance.ts', 'authenticate:', "insert: 'Notes cannot be added.',\n\t\tauthenticate:"],
	],
]
