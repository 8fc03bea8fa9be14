import { isJsonObject, type Json, parseJson, rawText, stringifyJson } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { connect } from '../../connect.ts'
import { answeringProxy } from '../answering-proxy.ts'
import { call, decode, statement } from '../fixture.ts'
import { edited, editLeaf, shownRow } from './one-leaf.ts'
import type { ConnectedEngine, EngineUnderTest } from './subject.ts'

const vector = { type: 'dense_vector', dims: 3, index: false }
const keyword = { type: 'keyword' }
const mappings = {
	properties: {
		v: vector,
		k: keyword,
		object: { properties: { k: keyword, v: vector } },
		list: { type: 'nested', properties: { k: keyword, v: vector } },
	},
}
const source = {
	k: 'a',
	v: [0.5, 2, 3],
	object: { k: 'b', v: [4, 5, 6] },
	list: [{ k: 'c', v: [7, 8, 9] }, { k: 'd' }, { k: 'e', v: [1, 0.25, 2] }],
}

/** Vectors survive every edit, although the engine leaves them out of its answers from 9.2 on. */
export function describeVectors(engine: EngineUnderTest) {
	test('vectors are shown, exported, and kept by an edit of anything beside them', () => keepsVectors(engine))

	test('a credential that may not read the version of the cluster drops no vectors', async () => {
		const body = { error: { type: 'security_exception', reason: 'unauthorized' }, status: 403 }
		await using proxy = await answeringProxy(engine.url, line => (line === 'GET /' ? { status: 403, body } : undefined))
		await using opened = await connectedTo(proxy.hosts)
		await keepsVectors(engine.through(opened.connection))
	})

	test('an edit after an upgrade of the cluster drops no vectors', async () => {
		const { body } = await engine.request('GET', '/')
		const { version, ...others } = isJsonObject(body) ? body : {}
		const before = { ...others, version: { ...(isJsonObject(version) && version), number: '9.1.0' } }
		let isUpgraded = false
		await using proxy = await answeringProxy(engine.url, line =>
			line === 'GET /' && !isUpgraded ? { status: 200, body: before } : undefined,
		)
		await using opened = await connectedTo(proxy.hosts)
		await opened.connection.listTables(call())
		isUpgraded = true
		proxy.drop()
		await keepsVectors(engine.through(opened.connection))
	})
}

async function connectedTo(hosts: string) {
	const connection = await connect({ hosts, auth: 'none' }, directContext(), call())
	return { connection, [Symbol.asyncDispose]: () => connection.close() }
}

async function keepsVectors(engine: ConnectedEngine): Promise<void> {
	const table = `${engine.table}-vectors`
	const rowId = JSON.stringify([table, '1'])
	const stored = async () => parseJson(rawText(decode(await engine.connection.readRow(table, rowId, call()))))
	async function exported(rowIds?: readonly string[]): Promise<Json> {
		const options = { format: 'ndjson', ...(rowIds && { rowIds }) } as const
		const file = await engine.connection.openExport(engine.queryOf({ table }), options, call())
		let text = ''
		for (let piece = await file.read(call()); piece !== undefined; piece = await file.read(call())) {
			text += new TextDecoder().decode(piece)
		}
		await file.close()
		const line = parseJson(text.trim())
		return isJsonObject(line) ? (line._source ?? null) : null
	}

	const { status, body } = await engine.request('PUT', `/${table}`, { mappings })
	// Nodes of 7.x that are built of published modules have no vectors.
	if (status === 400) return expect(stringifyJson(body)).toContain('No handler for type [dense_vector]')
	try {
		await engine.bulk(table, [['1', stringifyJson(source)]])
		const whole = await stored()
		expect(whole).toMatchObject({ list: [{ v: expect.any(Array) }, { k: 'd' }, { v: expect.any(Array) }] })
		expect(await exported()).toEqual(whole)
		expect(await exported([rowId])).toEqual(whole)

		expect((await shownRow(engine, table)).get('list')).toEqual(isJsonObject(whole) && whole.list)
		for (const path of [['list', 0, 'k'], ['list', 1, 'k'], ['object', 'k'], ['k']] as const) {
			const before = await stored()
			expect(await editLeaf(engine, table, path)).toMatchObject({ status: 'applied' })
			expect(await stored(), path.join('.')).toEqual(edited(before, path))
		}
	} finally {
		await engine.request('DELETE', `/${table}`)
	}
}

/** For a real cluster only: the sample compares no vectors. */
export function describeVectorSearch(engine: EngineUnderTest) {
	const table = `${engine.table}-vectors`

	test('the form of a vector search makes a request that the engine answers, the nearest first', async () => {
		const { status, body } = await engine.request('PUT', `/${table}`, {
			mappings: { properties: { k: keyword, v: { type: 'dense_vector', dims: 3 } } },
		})
		if (status === 400) return expect(stringifyJson(body)).toContain('No handler for type [dense_vector]')
		const documents = { near: [1, 1, 1.1], far: [-1, 0.5, 0.1], other: [1, 1, 1] }
		await engine.bulk(
			table,
			Object.entries(documents).map(([id, v]) => [id, stringifyJson({ k: id, v })]),
		)
		const actions = await engine.connection.tableActions([table], call())
		const form = actions.find(({ label }) => label === 'Search by vector …')?.form
		expect(form?.fields.map(({ key }) => key)).toContain('vector')
		const values = { field: 'v', by: 'vector', vector: '1, 1, 1.2', k: 2, filter: 'NOT k:other' }
		const text = await engine.connection.fillAction({ tables: [table], form: form?.id ?? '', values }, call())
		const result = decode(
			await engine.connection.console.run(statement(engine.connection, text), { maxRows: 10 }, call()),
		)
		if (result.body.view !== 'rows') throw new Error(result.body.view)
		const names = result.body.columns.map(({ name }) => name)
		expect(result.body.rows.map(row => row[names.indexOf('_id')])).toEqual(['near', 'far'])
		expect(names).not.toContain('v')
		await engine.request('DELETE', `/${table}`)
	})
}
