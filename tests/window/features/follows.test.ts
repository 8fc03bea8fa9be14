import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The window shows changes without a reload. */
describe('the window follows', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())
	const list = () => window.page.getByRole('list', { name: 'Indices' })

	test('the start page shows what is open, and the next step', async () => {
		await window.page.getByRole('heading', { name: 'Sample is open' }).waitFor()
		await window.page.getByText('Choose an index on the left').waitFor()
	})

	test('the focus moves to an opened table, and returns when a sheet closes', async () => {
		const { page } = window
		await list().getByRole('button', { name: 'books' }).focus()
		await page.keyboard.press('Enter')
		const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
		await expect.poll(focused).toBe('books')
		await page.getByRole('button', { name: 'Export' }).click()
		await page.getByRole('dialog').waitFor()
		await page.keyboard.press('Escape')
		await expect.poll(focused).toBe('Export')
	})

	test('a connection that is edited while its table is open uses the new settings', async () => {
		const { page } = window
		const books = await window.openTable('books')
		await page.getByRole('button', { name: 'Sample', exact: true }).hover()
		await page.getByRole('button', { name: 'Edit Sample' }).click()
		const sheet = page.getByRole('dialog', { name: 'Edit Sample' })
		await sheet.getByLabel('Name', { exact: true }).fill('Renamed')
		await sheet.getByRole('button', { name: 'Save' }).click()
		await sheet.waitFor({ state: 'detached' })
		await page.getByRole('button', { name: 'Renamed', exact: true }).waitFor()
		await books.grid.evaluate(grid => grid.scrollTo(0, 28 * 2500))
		await expect.poll(async () => (await books.cell(2500, '_id')).innerText(), { timeout: 10_000 }).toMatch(/./)
		expect(await page.getByText('closed').count()).toBe(0)
		expect(await page.getByRole('tab', { name: 'books' }).getAttribute('title')).toBe('books · Renamed')
	})

	test('tables that the console creates or drops appear and disappear', async () => {
		const { page } = window
		await page.keyboard.press('ControlOrMeta+k')
		await page.keyboard.press('c')
		const console = page.getByRole('tabpanel', { name: 'Console' })
		await console.waitFor()
		await page.keyboard.insertText('PUT /brand-new')
		await page.keyboard.press('ControlOrMeta+Enter')
		await list().getByRole('button', { name: 'brand-new' }).waitFor()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText('DELETE /brand-new')
		await page.keyboard.press('ControlOrMeta+Enter')
		await page.getByRole('dialog').getByRole('button', { name: 'Run it' }).click()
		await list().getByRole('button', { name: 'brand-new' }).waitFor({ state: 'detached' })
		expect(window.faults).toEqual([])
	})

	test('a reloaded list keeps the text that was typed into it, and the focus', async () => {
		const { page } = window
		const search = page.getByRole('searchbox', { name: 'Search indices' })
		await search.fill('boo')
		const [saved] = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		const edited = { id: saved?.id ?? '', draft: { name: 'By another window' } }
		await window.roundhouse.withHost(host => host.call('connections.update', edited))
		await page.getByRole('button', { name: 'By another window', exact: true }).waitFor()
		expect(await search.inputValue()).toBe('boo')
		expect(await search.evaluate(element => element.matches(':focus'))).toBe(true)
	})
})
