import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** A page of documents that are too large together has no large values. They are loaded one by one. */
describe('values that a page leaves out', () => {
	let window: SampleWindow
	let scans: TablePanel
	const count = 40
	const content = (row: number) => `scan ${row} ${'x'.repeat(1_000_000)} end`

	beforeAll(async () => {
		window = await SampleWindow.open()
		const properties = { n: { type: 'integer' }, content: { type: 'text', index: false }, name: { type: 'keyword' } }
		await window.cluster('/scans', { method: 'PUT', body: { mappings: { properties } } })
		for (let n = 0; n < count; n++)
			await window.cluster(`/scans/_doc/${n}`, { method: 'PUT', body: { n, content: content(n), name: `scan ${n}` } })
		await window.cluster('/scans/_refresh', { method: 'POST', body: {} })
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		scans = await window.openTable('scans')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const keys = (text: string) => window.page.keyboard.press(text)
	const dialog = () => window.page.getByRole('dialog')
	const cell = async (row: number) => scans.cell(row, 'content')
	const stored = async (id: number) => (await window.cluster<{ readonly _source: object }>(`/scans/_doc/${id}`))._source

	test('are marked, and the status names their columns', async () => {
		await expect.poll(async () => (await cell(0)).innerText()).toBe('large, not loaded')
		await expect.poll(async () => (await scans.cell(0, 'name')).innerText()).toBe('scan 0')
		await scans.root.getByText('Pages leave out large values: content. They are read with the whole row.').waitFor()
		expect(await scans.root.getByText(/Empty columns hidden/).count()).toBe(0)
	})

	test('explain themselves to the pointer', async () => {
		await (await cell(1)).hover()
		await window.page.getByRole('tooltip').getByText('This value is large, so the grid does not load it.').waitFor()
		await window.page.mouse.move(5, 5)
		await window.page.getByRole('tooltip').waitFor({ state: 'detached' })
	})

	test('are copied whole', async () => {
		await (await cell(2)).click()
		await keys('ControlOrMeta+c')
		await expect.poll(() => window.page.evaluate<string>('navigator.clipboard.readText()')).toBe(content(2))
	})

	test('open whole, and an edit keeps what it does not touch', async () => {
		await (await cell(3)).click()
		await keys('Alt+Enter')
		await dialog().getByRole('textbox', { name: 'Value of content' }).waitFor()
		await keys('ControlOrMeta+End')
		await window.page.keyboard.type('!')
		await dialog().getByRole('button', { name: 'Keep' }).click()
		await scans.edit(4, 'name', 'four')
		await scans.save()
		await scans.dismissMessage('Saved 2 documents.')
		expect(await stored(3)).toEqual({ n: 3, content: `${content(3)}!`, name: 'scan 3' })
		expect(await stored(4)).toEqual({ n: 4, content: content(4), name: 'four' })
	})

	test('can be typed over, and the edit survives a reload with all others', async () => {
		await (await cell(6)).click()
		await window.page.keyboard.type('mine')
		await keys('Enter')
		await scans.edit(7, 'name', 'seven')
		await scans.root.getByText('2 changes not saved').waitFor()
		const isKept = async () =>
			(await readFile(join(window.roundhouse.home, 'workspace.json'), 'utf8')).includes('seven')
		await expect.poll(isKept).toBe(true)
		await window.page.reload()
		await scans.root.getByText('2 changes not saved').waitFor()
		await scans.save()
		await scans.dismissMessage('Saved 2 documents.')
		expect(await stored(6)).toEqual({ n: 6, content: 'mine', name: 'scan 6' })
		expect(await stored(7)).toEqual({ n: 7, content: content(7), name: 'seven' })
		expect(window.faults).toEqual([])
	})
})
