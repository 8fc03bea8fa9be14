import { parseJson } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import type { SearchConnection } from '../../connection.ts'
import { call, decode } from '../fixture.ts'
import type { Subject } from './subject.ts'

/** What changes of documents come to. */
export function describeEdits(on: Subject) {
	test('edits: applied, conflict, taken, gone', async () => {
		const rowId = JSON.stringify([on.table, 'edit'])
		const apply = (...changes: Parameters<SearchConnection['applyChanges']>[1]) =>
			on.connection.applyChanges(on.table, changes, call())
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
		const { body } = await on.request('GET', `/${on.table}/_source/edit`)
		expect(body).toEqual({ who: { name: 'Eve', age: 5 }, n: parseJson('9007199254740993') })
		expect(await apply({ kind: 'update', rowId, set: { 'who.age': { missing: true } } })).toMatchObject([
			{ status: 'applied' },
		])
		expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'applied' }])
		expect(await apply({ kind: 'delete', rowId })).toMatchObject([{ status: 'conflict' }])
		expect(await apply({ kind: 'update', rowId, set: { n: 1 } })).toMatchObject([{ status: 'conflict' }])
	})

	test('an id of any characters is written, read, changed and deleted', async () => {
		for (const id of ['a/b', '%2F', 'a b?c#d', '..', '_sql', '😀', 'ü', '"', '\\', '+', '&=', 'x'.repeat(512)]) {
			const rowId = JSON.stringify([on.table, id])
			const change = (kind: 'update' | 'delete') =>
				kind === 'update' ? { kind, rowId, set: { n: 2 } } : { kind, rowId }
			const insert = { kind: 'insert', values: { _id: id, n: 1 } } as const
			const [inserted] = await on.connection.applyChanges(on.table, [insert], call())
			expect(inserted, id).toMatchObject({ status: 'applied', rowId })
			const outcomes = await on.connection.applyChanges(on.table, [change('update')], call())
			expect(decode(await on.connection.readRow(on.table, rowId, call())).document, id).toEqual({ n: 2 })
			expect(
				[...outcomes, ...(await on.connection.applyChanges(on.table, [change('delete')], call()))],
				id,
			).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
		}
	})
}
