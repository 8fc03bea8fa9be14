import { parseJson, rawText } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import type { SearchConnection } from '../../connection.ts'
import { reprinted } from '../../edit/reprint.ts'
import { call, decode } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of changes of documents. */
export function describeEdits(engine: EngineUnderTest) {
	test('edits: applied, conflict, taken, gone', async () => {
		const rowId = JSON.stringify([engine.table, 'edit'])
		const apply = (...changes: Parameters<SearchConnection['applyChanges']>[1]) =>
			engine.connection.applyChanges(engine.table, changes, call())
		const [inserted] = await apply({
			kind: 'insert',
			values: { _id: 'edit', 'who.name': 'Eve', n: { number: '9007199254740993' } },
		})
		expect(inserted).toMatchObject({ status: 'applied', rowId })
		const version = inserted?.status === 'applied' ? inserted.version : undefined
		expect(await apply({ kind: 'insert', values: { _id: 'edit' } })).toMatchObject([{ status: 'failed' }])
		const stale = version === undefined ? {} : { version }
		expect(await apply({ kind: 'update', rowId, ...stale, set: { 'who.age': 5 } })).toMatchObject([
			{ status: 'applied' },
		])
		expect(await apply({ kind: 'update', rowId, ...stale, set: { n: 1 } })).toMatchObject([{ status: 'conflict' }])
		expect(await apply({ kind: 'delete', rowId, ...stale })).toMatchObject([{ status: 'conflict' }])
		expect(await apply({ kind: 'update', rowId, set: { day: 'no date' } })).toMatchObject([
			{ status: 'failed', message: expect.stringContaining('[day]') },
		])
		const { body } = await engine.request('GET', `/${engine.table}/_source/edit`)
		expect(body).toEqual({ who: { name: 'Eve', age: 5 }, n: parseJson('9007199254740993') })
		expect(await apply({ kind: 'update', rowId, set: { 'who.age': { missing: true } } })).toMatchObject([
			{ status: 'applied' },
		])
		expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'applied' }])
		expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'conflict' }])
		expect(await apply({ kind: 'update', rowId, set: { n: 1 } })).toMatchObject([{ status: 'conflict' }])
	})

	test('a document that is deleted through a pattern or an alias is inserted again in its index', async () => {
		const indices = ['a', 'b'].map(name => `${engine.table}-again-${name}`)
		const [first = '', second = ''] = indices
		// Another test expects no alias whose name has that of the table.
		const [pattern, alias] = [`${engine.table}-again-*`, `both-${Date.now().toString(36)}`]
		for (const index of indices) await engine.createTable(index, { properties: { n: { type: 'long' } } })
		const actions = indices.map(index => ({ add: { index, alias, is_write_index: index === first } }))
		await engine.request('POST', '/_aliases', { actions })
		const source = '{"n":1.50,"other":[1]}'
		await engine.bulk(second, [['x', source]])
		const rowId = JSON.stringify([second, 'x'])
		const apply = (table: string, ...changes: Parameters<SearchConnection['applyChanges']>[1]) =>
			engine.connection.applyChanges(table, changes, call())
		for (const table of [pattern, indices.join(','), alias]) {
			expect(await engine.idsOf({ table })).toEqual(['x'])
			const { insertAgain } = decode(await engine.connection.readRow(table, rowId, call()))
			expect(insertAgain, table).toEqual({ _id: 'x', _index: second })
			const insert = { kind: 'insert', values: { n: 2, ...insertAgain } } as const
			expect(await engine.connection.assessChanges(table, [insert], call())).toMatchObject({ affects: { value: 1 } })
			const [preview] = await engine.connection.previewChanges(table, [insert], call())
			expect(preview).toMatch(new RegExp(`^PUT /${second}/_doc/x`))
			expect(await apply(table, { kind: 'delete', rowId }, insert), table).toMatchObject([
				{ status: 'applied' },
				{ status: 'applied', rowId },
			])
			const { body } = await engine.request('GET', `/${second}/_source/x`)
			expect(body, table).toEqual({ n: 2 })
			const elsewhere = { kind: 'insert', values: { _id: 'y', _index: engine.table } } as const
			expect(await apply(table, elsewhere), table).toMatchObject([
				{ status: 'failed', message: expect.stringContaining('index other than') },
			])
			const nowhere = { kind: 'insert', values: { _id: 'y' } } as const
			if (table !== alias) expect(await apply(table, nowhere), table).toMatchObject([{ status: 'failed' }])
		}
		// The index itself is not left, whatever the values say.
		const inside = { kind: 'insert', values: { _id: 'z', _index: second } } as const
		expect(await apply(first, inside)).toMatchObject([{ status: 'applied', rowId: JSON.stringify([first, 'z']) }])
		for (const index of indices) await engine.request('DELETE', `/${index}`)
	})

	test('writes, reads, changes and deletes a document with any id', async () => {
		for (const id of ['a/b', '%2F', 'a b?c#d', '..', '_sql', '😀', 'ü', '"', '\\', '+', '&=', 'x'.repeat(512)]) {
			const rowId = JSON.stringify([engine.table, id])
			const change = (kind: 'update' | 'delete') =>
				kind === 'update' ? { kind, rowId, set: { n: 2 } } : { kind, rowId }
			const insert = { kind: 'insert', values: { _id: id, n: 1 } } as const
			const [inserted] = await engine.connection.applyChanges(engine.table, [insert], call())
			expect(inserted, id).toMatchObject({ status: 'applied', rowId })
			const outcomes = await engine.connection.applyChanges(engine.table, [change('update')], call())
			const read = decode(await engine.connection.readRow(engine.table, rowId, call()))
			expect(parseJson(rawText(read)), id).toEqual({ n: 2 })
			expect(
				[...outcomes, ...(await engine.connection.applyChanges(engine.table, [change('delete')], call()))],
				id,
			).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
		}
	})

	test('an update reformats the whole document, as its preview says', async () => {
		const odd = `${engine.table}-odd`
		const numbers = ['1.10', '1e400', '1e5', '12345678.5', '0.00012', '-0', '-0.0', '1.0', '0.1234567890123456789']
		const document = (print: (digits: string) => string) =>
			`{${numbers.map((digits, index) => `"n${index}":${print(digits)}`)},"i":12345678901234567890`
		await engine.createTable(odd, { dynamic: false })
		await engine.request('PUT', `/${odd}/_doc/1?refresh=true`, `${document(digits => digits)}}`)
		const change = { kind: 'update', rowId: JSON.stringify([odd, '1']), set: { title: 'x' } } as const
		const [preview = ''] = await engine.connection.previewChanges(odd, [change], call())
		expect(preview).toContain('#   n0: 1.10 becomes 1.1\n#   n1: 1e400 becomes "Infinity"')
		await engine.connection.applyChanges(odd, [change], call())
		const response = await fetch(`${engine.url}/${odd}/_source/1`)
		expect(await response.text()).toBe(`${document(reprinted)},"title":"x"}`)
		await engine.request('DELETE', `/${odd}`)
	})

	test('an edit does not lose fields that _source excludes', async () => {
		const slim = `${engine.table}-slim`
		const properties = { t: { type: 'keyword' }, v: { type: 'long' } }
		await engine.createTable(slim, { _source: { excludes: ['v'] }, properties })
		await engine.request('PUT', `/${slim}/_doc/1?refresh=true`, { t: 'a', v: 5 })
		const change = { kind: 'update', rowId: JSON.stringify([slim, '1']), set: { t: 'b' } } as const
		expect(await engine.connection.applyChanges(slim, [change], call())).toMatchObject([
			{ status: 'failed', message: expect.stringContaining('excludes v from _source') },
		])
		expect((await engine.request('GET', `/${slim}/_count?q=v:5`)).body).toMatchObject({ count: 1 })
		await engine.request('DELETE', `/${slim}`)
	})

	test('inserts into an index with `subobjects: false`, since 8.3', async () => {
		const table = `${engine.table}-flat`
		const field = { type: 'long' }
		const mappings = { subobjects: false, properties: { m: field, 'm.max': field } }
		const { status } = await engine.request('PUT', `/${table}`, { mappings, settings: { number_of_replicas: 0 } })
		if (status !== 200) return
		const change = { kind: 'insert', values: { _id: '1', m: 1, 'm.max': 2 } } as const
		const outcomes = await engine.connection.applyChanges(table, [change], call())
		expect(outcomes).toMatchObject([{ status: 'applied' }])
		expect((await engine.request('GET', `/${table}/_doc/1`)).body).toMatchObject({ _source: { m: 1, 'm.max': 2 } })
		await engine.request('DELETE', `/${table}`)
	})
}
