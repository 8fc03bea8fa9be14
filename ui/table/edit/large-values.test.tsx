import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/** Values that a page leaves out because they are large. They are loaded one by one. */

let window: FakeWindow
let clipboard: FakeClipboard
let stored: FakeTable
let scans: TablePanel

const content = (row: number) => `scan ${row} ${'x'.repeat(20_000)} end`
const notice = 'Pages leave out large values: content. They are read with the whole row.'

beforeEach(async () => {
	clipboard = new FakeClipboard()
	stored = new FakeTable('scans', {
		columns: { id: {}, content: {}, name: {}, tags: { kind: 'json' } },
		rows: Array.from({ length: 10 }, (_, row) => {
			const tags = JSON.stringify(Array.from({ length: 2_000 }, (_, tag) => `tag ${tag} of ${row}`))
			return [`${row}`, content(row), `scan ${row}`, { json: tags }]
		}),
		notices: [notice],
		onPage: cell => {
			if (typeof cell === 'string' && cell.length > 1_000) return { unread: true }
			if (typeof cell !== 'object' || cell === null || !('json' in cell)) return cell
			return { json: `${cell.json.slice(0, 10_000)}...`, cutFrom: cell.json.length }
		},
	})
	window = await openWindow({ tables: [stored] })
	scans = await window.openTable('scans')
})

const dialog = () => page.getByRole('dialog')
const value = (row: number, column: string) => stored.value(`["${row}"]`, column)

async function save(): Promise<void> {
	await scans.save()
	await scans.isStaged(0)
}

test('left out values are marked, and the status names their columns', async () => {
	await expect.poll(() => scans.texts('content')[0]).toBe('large, not loaded')
	expect(scans.texts('name')[0]).toBe('scan 0')
	await expect.element(scans.root.getByText(notice)).toBeVisible()
	expect(scans.root.getByText(/Empty columns hidden/).query()).toBeNull()
})

test('a left out value explains itself to the pointer', async () => {
	await scans.cell(1, 'content').hover()
	const card = page.getByRole('tooltip')
	await expect.element(card.getByText('This value is large, so the grid does not load it.')).toBeVisible()
})

test('a left out value is copied whole', async () => {
	await scans.cell(2, 'content').click()
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe(content(2))
})

test('a cut JSON value is copied whole', async () => {
	await scans.cell(2, 'tags').click()
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text.length).toBeGreaterThan(20_000)
	expect(clipboard.text).toContain('tag 1999 of 2')
})

test('a left out value opens whole, and an edit keeps what it does not touch', async () => {
	await scans.cell(3, 'content').click()
	await press('Alt+Enter')
	await expect.element(dialog().getByRole('textbox', { name: 'Value of content' })).toHaveFocus()
	await press('ControlOrMeta+End')
	await type('!')
	await dialog().getByRole('button', { name: 'Keep' }).click()
	await save()
	expect(value(3, 'content')).toBe(`${content(3)}!`)
})

test('an edit of another column does not touch a left out value', async () => {
	await scans.edit(4, 'name', 'four')
	await save()
	expect(window.host.callsOf('changes.apply').at(-1)?.changes).toMatchObject([{ set: { name: 'four' } }])
	expect([value(4, 'name'), value(4, 'content')]).toEqual(['four', content(4)])
})

test('a left out value can be typed over, and the edit survives a reload with all others', async () => {
	await scans.cell(6, 'content').click()
	await type('mine')
	await press('Enter')
	await scans.edit(7, 'name', 'seven')
	await scans.isStaged(2)
	await expect.poll(() => JSON.stringify(window.records)).toContain('seven')
	await window.open()
	await scans.isStaged(2)
	await save()
	expect([value(6, 'content'), value(7, 'name'), value(7, 'content')]).toEqual(['mine', 'seven', content(7)])
})
