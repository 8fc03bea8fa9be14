import { exportFormats, filterOperators } from '@roundhouse/kit'
import fc from 'fast-check'
import { anyCharacter } from '../support/any-character.ts'

/** Inputs for the window's port: mostly nearly valid, so that many reach a handler. */

const oddText = fc.oneof(
	fc.constantFrom('', '__proto__', 'constructor', 'toString', 'null', '../..', '\ud800', '\0', '*', '%', '_id'),
	fc.string({ maxLength: 20 }),
	fc.string({ unit: anyCharacter, maxLength: 10 }),
)
const anyJson = fc.oneof(oddText, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(-1, 0.5, 1e308, 2 ** 53))
const mostly = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown> = anyJson) =>
	fc.oneof<[fc.WeightedArbitrary<unknown>, fc.WeightedArbitrary<unknown>]>(
		{ weight: 12, arbitrary: right },
		{ weight: 1, arbitrary: odd },
	)

const column = fc.oneof(fc.constantFrom('_id', 'title', 'author.born', 'barcode', 'excerpts'), oddText)
const query = fc.record(
	{
		table: mostly(fc.constant('books')),
		filters: mostly(
			fc.array(
				fc.record({
					column: mostly(column),
					operator: mostly(fc.constantFrom(...filterOperators)),
					values: mostly(fc.array(oddText, { maxLength: 3 })),
				}),
				{ maxLength: 2 },
			),
		),
		match: mostly(fc.constantFrom('all', 'any')),
		raw: mostly(fc.oneof(oddText, fc.constantFrom('title:*', 'a AND (b', 'x:[1 TO', '/(a+)+b/', '*'.repeat(200)))),
		sort: mostly(
			fc.array(fc.record({ column: mostly(column), direction: mostly(fc.constantFrom('asc', 'desc')) }), {
				maxLength: 2,
			}),
		),
	},
	{ requiredKeys: ['table', 'filters', 'match', 'sort'] },
)
const cell = fc.oneof(
	anyJson,
	fc.record({ number: oddText }),
	fc.record({ json: oddText }),
	fc.constant({ missing: true }),
)
const change = fc.record(
	{
		kind: mostly(fc.constantFrom('update', 'insert', 'delete')),
		rowId: mostly(fc.constantFrom('1', '2', 'nothing')),
		version: mostly(fc.constantFrom('1.0.0', '0')),
		set: mostly(fc.dictionary(column, cell, { maxKeys: 3 })),
		values: mostly(fc.dictionary(column, cell, { maxKeys: 3 })),
	},
	{ requiredKeys: ['kind'] },
)
const statement = fc.oneof(
	fc.constantFrom(
		'GET /books/_search',
		'GET /_cat/indices?v',
		'POST /books/_search\n{"size":1}',
		'GET /%2e%2e/x',
		'PUT',
	),
	oddText,
)

const requestPath = fc.constantFrom('a.es', 'x/a.es', 'x', '../a.es', '/a.es', '.git/config', 'a\\b', 'x/../../a.es')

/** Every parameter that any method takes, by its name. A method reads its own and refuses missing ones. */
const paramsFor = (connection: string) =>
	fc.record(
		{
			connection: mostly(fc.constant(connection)),
			// Never an existing connection, because a removed connection has no more data.
			id: anyJson,
			draft: mostly(fc.record({ name: anyJson, driverId: anyJson, settings: anyJson })),
			range: anyJson,
			isEnabled: anyJson,
			table: mostly(fc.constantFrom('books', 'places', 'nothing')),
			query: mostly(query),
			options: mostly(
				fc.record(
					{
						format: mostly(fc.constantFrom(...exportFormats)),
						columns: mostly(fc.array(column, { maxLength: 3 })),
						rowIds: mostly(fc.array(fc.constantFrom('1', '2', 'nothing'), { maxLength: 3 })),
						guardFormulas: mostly(fc.boolean()),
					},
					{ requiredKeys: ['format'] },
				),
			),
			grid: mostly(fc.constantFrom(1, 2, 3, 0)),
			offset: mostly(fc.constantFrom(0, 1, 100, 9999, 10_000, 2 ** 31)),
			limit: mostly(fc.constantFrom(1, 3)),
			rowId: mostly(fc.constantFrom('1', 'nothing')),
			changes: mostly(fc.array(change, { maxLength: 3 })),
			text: mostly(statement),
			statement: mostly(statement),
			maxRows: mostly(fc.constantFrom(1, 5)),
			statements: mostly(fc.array(fc.oneof(statement, fc.constantFrom('GET /{{a}}', '{{b}}')), { maxLength: 3 })),
			place: mostly(fc.constantFrom('own', 'shared')),
			path: mostly(fc.oneof(requestPath, oddText)),
			to: mostly(fc.oneof(requestPath, oddText)),
			seen: anyJson,
			values: mostly(fc.dictionary(fc.oneof(fc.constantFrom('a', 'b'), oddText), oddText, { maxKeys: 2 })),
			run: mostly(fc.record({ statement, at: anyJson, status: oddText, tookMs: anyJson })),
			key: mostly(fc.constantFrom('theme', '__proto__', 'columns/x')),
			value: anyJson,
			name: fc.oneof(requestPath, anyJson),
			level: anyJson,
			link: anyJson,
			code: anyJson,
			verifier: anyJson,
			client: anyJson,
			kind: anyJson,
			before: anyJson,
			grantee: anyJson,
			connectionId: anyJson,
			isApproved: anyJson,
		},
		{ noNullPrototype: true },
	)

const methods = [
	'app.info',
	'app.entry',
	'drivers.browse',
	'drivers.install',
	'drivers.remove',
	'drivers.setEnabled',
	'connections.list',
	'connections.add',
	'connections.update',
	'connections.remove',
	'connections.test',
	'connections.duplicate',
	'connections.export',
	'connections.readFile',
	'connections.importFile',
	'connections.move',
	'connections.forgetPassphrases',
	'projects.read',
	'projects.open',
	'connections.open',
	'connections.close',
	'tables.list',
	'tables.describe',
	'grid.open',
	'grid.page',
	'grid.close',
	'exports.begin',
	'exports.beginStatement',
	'exports.cancel',
	'rows.count',
	'rows.read',
	'changes.preview',
	'changes.copy',
	'changes.apply',
	'console.analyse',
	'console.complete',
	'console.review',
	'console.run',
	'preferences.read',
	'preferences.write',
	'console.fillIn',
	'console.format',
	'console.copyAs',
	'console.readPasted',
	'history.list',
	'history.add',
	'requests.list',
	'requests.read',
	'requests.add',
	'requests.write',
	'requests.rename',
	'requests.renameFolder',
	'requests.remove',
	'variables.read',
	'variables.write',
	'offers.list',
	'offers.look',
	'offers.make',
	'offers.withdraw',
	'tokens.tools',
	'tokens.setGroups',
	'workspace.read',
	'workspace.write',
	'app.return',
	'drivers.installed',
	'drivers.readAddress',
	'settings.read',
	'ai.grants',
	'ai.revokeAccess',
	'ai.endGrant',
	'consent.pending',
	'consent.answer',
	'pairing.begin',
	'pairing.pending',
	'pairing.approve',
	'pairing.refuse',
	'pairing.exchange',
	'viewLinks.offer',
	'viewLinks.take',
	'setup.list',
	'setup.plan',
	'activity.list',
	'activity.verify',
	'activity.clients',
	'tokens.create',
	'tokens.list',
	'tokens.revoke',
	'toString',
	'__proto__',
	'constructor',
]

/** The payload of a frame on an open line to the host API. */
const messageFor = (connection: string) =>
	fc.oneof<fc.WeightedArbitrary<string>[]>(
		{
			weight: 12,
			arbitrary: fc
				.record({ method: mostly(fc.constantFrom(...methods)), params: mostly(paramsFor(connection)) })
				.map(call => JSON.stringify({ id: 0, ...call })),
		},
		{
			weight: 1,
			arbitrary: fc.record({ id: anyJson, method: anyJson, params: anyJson }).map(call => JSON.stringify(call)),
		},
		{ weight: 1, arbitrary: fc.record({ cancel: anyJson }).map(call => JSON.stringify(call)) },
		{
			weight: 1,
			arbitrary: fc.oneof(
				oddText,
				anyJson.map(value => JSON.stringify(value)),
			),
		},
		{
			weight: 1,
			arbitrary: fc
				.nat(20_000)
				.map(depth => `{"id":0,"method":"preferences.write","params":${'['.repeat(depth)}${']'.repeat(depth)}}`),
		},
	)

/** Raw bytes of a WebSocket frame, with lengths and flags that may be wrong. */
const frame = fc
	.record({
		head: fc.integer({ min: 0, max: 255 }),
		size: fc.integer({ min: 0, max: 255 }),
		rest: fc.uint8Array({ maxLength: 40 }),
	})
	.map(({ head, size, rest }) => Buffer.from([head, size, ...rest]))

const headerText = oddText.map(text => text.replace(/[\r\n\0]/g, ' '))
/** A request line and headers. `HOME`, `COOKIE` and `HOST` stand for the valid values. */
const request = fc.record({
	verb: mostly(fc.constant('GET'), fc.constantFrom('POST', 'OPTIONS', 'HEAD', 'PUT', 'TRACE', 'get', 'CONNECT')),
	path: fc.oneof(
		fc.constantFrom(
			'HOME',
			'HOMEmain.js',
			'HOMEenter',
			'HOMEenter?ticket=x',
			'HOMEapi',
			'/api',
			'/',
			'//',
			'*',
			'HOME//x',
			'HOME%',
		),
		fc.constantFrom('HOMEexport/00000000-0000-0000-0000-000000000000', 'http://evil.example/', 'HOME../x', '/%2e%2e/x'),
		headerText.map(text => `HOME${text.replaceAll(' ', '')}`),
		headerText.map(text => `/${text.replaceAll(' ', '')}`),
	),
	host: mostly(fc.constant('HOST'), headerText),
	cookie: mostly(fc.constant('COOKIE'), headerText),
	others: fc.dictionary(
		fc.constantFrom(
			'Host',
			'Origin',
			'Authorization',
			'Roundhouse-Challenge',
			'Expect',
			'Range',
			'Content-Length',
			'Transfer-Encoding',
			'Cookie',
		),
		headerText,
		{ maxKeys: 2 },
	),
	damage: fc.option(fc.record({ at: fc.nat(500), byte: fc.integer({ min: 0, max: 255 }) }), { freq: 8 }),
})
const upgrade = fc.record({
	request,
	isRight: fc.boolean(),
	frames: fc.array(frame, { maxLength: 3 }),
	/** How the connection ends: in order, or in the middle of a message. */
	isReset: fc.boolean(),
})
const download = fc.record({
	query,
	format: fc.constantFrom(...exportFormats),
	/** The number of bytes after which the reader leaves; `null` reads to the end. */
	goesAfter: fc.option(fc.nat(100_000)),
	fetches: fc.integer({ min: 0, max: 2 }),
	isCancelled: fc.boolean(),
})

export const inputsFor = (connection: string) =>
	fc.oneof(
		{ weight: 8, arbitrary: fc.record({ kind: fc.constant('message' as const), text: messageFor(connection) }) },
		{ weight: 8, arbitrary: fc.record({ kind: fc.constant('request' as const), request }) },
		{ weight: 3, arbitrary: fc.record({ kind: fc.constant('upgrade' as const), upgrade }) },
		{ weight: 1, arbitrary: fc.record({ kind: fc.constant('export' as const), download }) },
	)
type Valued<A> = A extends fc.Arbitrary<infer T> ? T : never
export type WindowInput = Valued<ReturnType<typeof inputsFor>>
export type RawRequest = Valued<typeof request>
