import { readFile } from 'node:fs/promises'
import { packageSchema } from '@roundhouse/kit/manifest'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { proves } from '../../tests/contract/proves.ts'
import { SearchConnection } from './connection.ts'
import driver from './driver.ts'
import { call, decode, direct, openSample, statement } from './test/fixture.ts'

const context = directContext()

async function manifest() {
	const text = await readFile(new URL('./package.json', import.meta.url), 'utf8')
	return packageSchema.parse(JSON.parse(text))
}
const form = async () => (await manifest()).roundhouse.form
async function fieldOf(key: string) {
	const field = (await form()).find(known => known.key === key)
	if (field === undefined) throw new Error(`no field ${key}`)
	return field
}

test('the manifest is valid and declares the tools of the driver', async () => {
	const { roundhouse } = await manifest()
	expect(roundhouse.tools.map(tool => tool.name)).toEqual(Object.keys(driver.tools ?? {}))
})

test(
	proves('B.form.fields', 'the form asks for host, port, authentication, SSL mode and the skip switch'),
	async () => {
		const keys = (await form()).map(field => field.key)
		expect(keys).toEqual(expect.arrayContaining(['hosts', 'auth', 'sslMode', 'skipTlsVerify']))
		expect((await fieldOf('hosts')).help).toContain('host:port')
		expect((await fieldOf('auth')).options?.map(option => option.value)).toEqual(['none', 'basic', 'apiKey', 'bearer'])
	},
)

test(proves('B.form.no-database', 'the form has no database: a connection reaches one cluster'), async () => {
	expect((await form()).filter(field => /database|catalog/i.test(`${field.key} ${field.label}`))).toEqual([])
})

test(proves('B.ssl.modes', 'has the five SSL modes, with Disabled as the default'), async () => {
	const sslMode = await fieldOf('sslMode')
	expect(sslMode.default).toBe('Disabled')
	expect(sslMode.options?.map(option => option.value)).toEqual([
		'Disabled',
		'Preferred',
		'Required (skip verify)',
		'Verify CA',
		'Verify Identity',
	])
})

test(proves('B.limits.absent', 'has no mapping edits, transactions, imports or SSH tunnels'), async () => {
	const { roundhouse } = await manifest()
	const offered = [...roundhouse.form.map(field => field.key), ...roundhouse.tools.map(tool => tool.name)]
	const actions = Object.getOwnPropertyNames(SearchConnection.prototype)
	const absent = /ssh|tunnel|import|transaction|commit|(put|edit|change|update|create)_?(mapping|index|schema|table)/i
	expect([...offered, ...actions].filter(name => absent.test(name))).toEqual([])
	// The host would otherwise import by insertions.
	expect(roundhouse.imports).toBeNull()
})

test(proves('B.sidebar.concrete', 'an alias is not a table, but the console can use its name'), async () => {
	await using opened = await openSample()
	const tables = await opened.connection.listTables(call())
	expect(tables.map(table => table.name)).not.toContain('library')
	const { body } = decode(
		await opened.connection.console.run(statement(opened.connection, 'GET /library/_search'), { maxRows: 1 }, call()),
	)
	expect(body).toMatchObject({ view: 'rows', rows: [expect.anything()] })
})

test(proves('B.scope.grid', 'saves an edit in the sample that a second client sees'), async () => {
	const sample = await driver.startSample?.(context, {})
	if (sample === undefined) throw new Error('no sample')
	const connection = await driver.connect(sample.settings, context, call())
	const tables = await connection.listTables(call())
	expect(tables.map(table => [table.name, table.rowCount])).toEqual([
		['books', 3003],
		['events', 24_000],
		['places', 2500],
	])

	const query = { table: 'books', filters: [], match: 'all', sort: [] } as const
	const grid = await connection.openGrid(query, call())
	const page = decode(await grid.page({ offset: 0, limit: 50 }, call()))
	expect(page.columns.slice(0, 3).map(column => column.name)).toEqual(['_id', '_index', '_score'])
	expect(page.rows).toHaveLength(50)
	expect(page.total).toEqual({ value: 3003, isExact: true })

	const row = page.rows[4]
	if (row?.version === undefined) throw new Error('no row')
	const set = { 'author.name': 'Ada Lovelace', price: { number: '10.25' } }
	const outcomes = await connection.applyChanges(
		'books',
		[{ kind: 'update', rowId: row.id, version: row.version, set }],
		call(),
	)
	expect(outcomes).toMatchObject([{ status: 'applied', rowId: row.id }])
	const seen = await direct(sample.url, '/books/_doc/5')
	expect(seen).toContain('"name":"Ada Lovelace"')
	expect(seen).toContain('"price":10.25')
	expect(seen).not.toContain('"author.name"')

	await grid.close()
	await connection.close()
	await sample.close()
})

test('the sample uses the given port, or another one if it is taken', async () => {
	const first = await driver.startSample?.(context, {})
	const port = Number(new URL(first?.url ?? '').port)
	const second = await driver.startSample?.(context, { port })
	expect(second?.url).not.toBe(first?.url)
	await first?.close()
	const third = await driver.startSample?.(context, { port })
	expect(third?.url).toBe(first?.url)
	await second?.close()
	await third?.close()
})

test(proves('B.scope.versions', 'rejects other products than Elasticsearch 7 and 8 by name'), async () => {
	await expect(openSample({}, '6.8.23')).rejects.toThrow(
		'Connection failed: this is Elasticsearch 6.8.23; 7.x and 8.x are supported.',
	)
	await using newer = await openSample({}, '10.0.0')
	expect(newer.connection.info().notices).toEqual([expect.stringContaining('10.0.0 is newer')])
	await using current = await openSample({}, '9.2.0')
	expect(current.connection.info()).toMatchObject({ product: 'Elasticsearch', version: '9.2.0', notices: [] })
	await using older = await openSample({}, '7.10.2')
	expect(older.connection.info()).toMatchObject({ product: 'Elasticsearch', version: '7.10.2', notices: [] })
})
