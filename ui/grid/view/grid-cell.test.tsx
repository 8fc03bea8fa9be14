import { beforeEach, expect, test } from 'vitest'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { chooseEntry } from '../../testing/menu.ts'

/** Cells without a text: null, an empty text and a missing value. */

let window: FakeWindow
let table: TablePanel

beforeEach(async () => {
	const kinds = new FakeTable('kinds', {
		columns: { id: {}, empty: {}, nothing: {}, absent: {} },
		rows: [
			['1', '', null, { missing: true }],
			['2', 'a', 'b', 'c'],
		],
	})
	window = await openWindow({ tables: [kinds], manifest: { removesFields: true } })
	table = await window.openTable('kinds')
})

test('null, an empty text and a missing value look different', async () => {
	const first = (column: string) => table.texts(column)[0]
	await expect.poll(() => ['empty', 'nothing', 'absent'].map(first)).toEqual(['""', 'null', ''])
})

test('a value can be removed where the engine can remove it', async () => {
	await table.cell(0, 'empty').click({ button: 'right' })
	await chooseEntry('Remove column')
	await table.save()
	await expect
		.poll(() => window.host.callsOf('changes.apply').at(-1)?.changes)
		.toMatchObject([{ kind: 'update', set: { empty: { missing: true } } }])
})
