import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable, tableAnswers } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'

/** Each way in which a whole row is written: a form, a pasted block, pasted objects, a copy of a row, a row as JSON. */

let window: FakeWindow
let clipboard: FakeClipboard
let stored: FakeTable
let table: TablePanel

/** Rows whose JSON column has the null of JSON. */
const jsonNulls = ['["10"]']

beforeEach(async () => {
	clipboard = new FakeClipboard()
	stored = new FakeTable('pst', {
		columns: {
			id: { kind: 'number' },
			a: {},
			d: { kind: 'json', filterFields: [{ name: 'd', kind: 'json', operators: ['equals'] }] },
			e: { kind: 'binary', filterFields: [{ name: 'e', kind: 'binary', operators: ['equals'] }] },
		},
		rows: [
			[1, 'a', { json: '"x"' }, { bytes: '3q0=' }],
			[10, 'json', { json: 'null' }, { bytes: '' }],
			[20, '', { json: '{"k":[1]}' }, { bytes: '8A0=' }],
			[30, 'sql', null, null],
		],
	})
	window = await openWindow({ tables: [stored] })
	const { 'rows.read': read } = tableAnswers([stored])
	if (!read) throw new Error('the fake reads no rows')
	window.host.answer({
		'rows.read': async (params, call) => ({
			...(await read(params, call)),
			...(jsonNulls.includes(params.rowId) && { jsonNulls: ['d'], insertAgain: { d: { json: 'null' } } }),
		}),
	})
	table = await window.openTable('pst')
})

const form = () => page.getByRole('dialog', { name: 'New row' })
const field = (name: string) => form().getByLabelText(name, { exact: true })
const value = (id: number, column: string) => stored.value(`["${id}"]`, column)

async function add(): Promise<void> {
	await form().getByRole('button', { name: 'Add' }).click()
	await expect.element(form()).not.toBeInTheDocument()
	await expect.element(table.root).toBeVisible()
}
async function save(): Promise<void> {
	await table.save()
	await table.isStaged(0)
}
/** Opens the form of a new row by a key, with the columns as fields. */
async function openForm(key: string): Promise<void> {
	await press(key)
	await form().getByText('By column').click()
	await expect.element(field('e')).toBeVisible()
}
async function duplicate(row: number, id: number): Promise<void> {
	await table.cell(row, 'a').click()
	await openForm('ControlOrMeta+Shift+D')
	await field('id').fill(String(id))
}
async function paste(text: string): Promise<void> {
	await table.cell(0, 'a').click()
	clipboard.text = text
	await press('ControlOrMeta+Shift+v')
}

test('a duplicated row has the bytes of the other one', async () => {
	await duplicate(0, 2)
	await expect.element(field('e')).toHaveValue('de ad')
	await add()
	await save()
	expect(['a', 'd', 'e'].map(name => value(2, name))).toEqual(['a', { json: '"x"' }, { bytes: '3q0=' }])
})

test('a new row has the bytes that are typed', async () => {
	await table.cell(0, 'a').click()
	await openForm('Insert')
	await field('id').fill('3')
	await field('e').fill('\\xbeef')
	await add()
	await save()
	expect(value(3, 'e')).toEqual({ bytes: 'vu8=' })
})

test('a pasted row has the bytes and the JSON of its text', async () => {
	await paste('id\td\te\n4\t[1]\t\\xbeef')
	await save()
	expect([value(4, 'd'), value(4, 'e')]).toEqual([{ json: '[1]' }, { bytes: 'vu8=' }])
})

test('pasted objects have bytes as base64 or hexadecimal, and a value that is neither is left out with a reason', async () => {
	await paste('[{"id": 5, "d": "z", "e": "vu8="}, {"id": 6, "e": "\\\\xbeef"}, {"id": 7, "e": "no bytes"}]')
	await expect.element(page.getByText('e was left out: it is not base64.')).toBeVisible()
	await save()
	expect([5, 6, 7].map(id => value(id, 'e'))).toEqual([{ bytes: 'vu8=' }, { bytes: 'vu8=' }, null])
})

test.for([
	['the null of JSON', 1, { json: 'null' }],
	['NULL', 3, null],
] as const)('a duplicated row keeps %s', async ([, row, cell]) => {
	await duplicate(row, 40)
	await add()
	await save()
	expect(value(40, 'd')).toEqual(cell)
})

test('null that is typed into a field of JSON is the null of JSON', async () => {
	await table.cell(0, 'a').click()
	await openForm('Insert')
	await field('id').fill('12')
	await field('d').fill('null')
	await add()
	await save()
	expect(value(12, 'd')).toEqual({ json: 'null' })
})

test('a deleted row is made again with the null of JSON, or with NULL', async () => {
	for (const row of [1, 3]) {
		await table.cell(row, 'a').click()
		await press('Delete')
	}
	await save()
	await expect.poll(() => stored.size).toBe(2)
	const deleted = page.getByRole('listitem').filter({ hasText: 'Deleted 2 rows.' })
	await deleted.getByRole('button', { name: 'Undo', exact: true }).click()
	await expect.element(page.getByText('Recreated 2 rows.')).toBeVisible()
	expect([value(10, 'd'), value(30, 'd')]).toEqual([{ json: 'null' }, null])
})

test('the row as JSON refuses what is not base64, and stages bytes and JSON', async () => {
	await table.cell(0, 'a').click()
	await press('Space')
	const editor = page.getByRole('textbox', { name: 'Row as JSON' })
	await expect.element(editor.getByText('"x"')).toBeVisible()
	await editor.fill('{"id": 1, "a": "b", "d": "x", "e": "no bytes"}')
	await press('ControlOrMeta+Enter')
	await expect.element(page.getByText('e is not base64.')).toBeVisible()
	await editor.fill('{"id": 1, "a": "b", "d": "text", "e": "vu8="}')
	await press('ControlOrMeta+Enter')
	await table.isStaged(3)
	await save()
	expect(['a', 'd', 'e'].map(name => value(1, name))).toEqual(['b', { json: '"text"' }, { bytes: 'vu8=' }])
})

test.for([
	['a', 'a is ""', ['']],
	['d', 'd is {"k":[1]}', ['{"k":[1]}']],
	['e', 'e is f0 0d', ['f0 0d']],
] as const)('a key filters by the value of the column %s', async ([column, words, values]) => {
	await table.cell(2, column).click()
	await press('=')
	const chips = table.root.getByRole('list', { name: 'Filters' })
	await expect.element(chips.getByRole('button', { name: words, exact: true })).toBeVisible()
	expect(window.host.callsOf('grid.open').at(-1)?.query.filters).toEqual([{ column, operator: 'equals', values }])
})

test('an empty text opens alone in another tab', async () => {
	await table.cell(2, 'a').click()
	await press('Alt+Shift+O')
	await expect.element(page.getByRole('tab', { name: 'pst (2)' })).toBeVisible()
	const apart = new TablePanel(page.getByRole('tabpanel', { name: 'pst', exact: true }))
	await expect.element(apart.root.getByRole('button', { name: 'a is ""', exact: true })).toBeVisible()
	await expect.poll(() => apart.texts('id')).toEqual(['20'])
})
