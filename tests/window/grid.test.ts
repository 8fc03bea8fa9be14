import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** The grid's feel: filters, sort, keys, undo, and the far end of a large index. */
describe('the grid', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page
	const faults: string[] = []

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		await roundhouse.json(['plugin', 'install', 'search-engine'])
		await roundhouse.json(['connection', 'add', '--driver', 'search-engine', '--name', 'Sample', '--sample'])
		const ready = await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, ready.ui?.url ?? '', faults)
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const open = async (table: string) => {
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: table }).click()
		await panel(table).getByRole('gridcell').first().waitFor()
	}
	const panel = (table: string) => page.getByRole('tabpanel', { name: table })
	const cells = async (table: string, column: string) => {
		const index = await panel(table).getByRole('columnheader', { name: column }).getAttribute('aria-colindex')
		return panel(table).locator(`[role=row]:visible > [role=gridcell][aria-colindex="${index}"]`)
	}

	test('a filter by column narrows what is shown, and taking it away shows all', async () => {
		await open('places')
		await panel('places').getByText('2,500 documents').waitFor()
		await panel('places').getByRole('button', { name: 'Filter' }).click()
		await panel('places').getByLabel('Column').selectOption('address.city')
		await panel('places').getByLabel('Operator').selectOption('equals')
		await panel('places').getByLabel('Value').fill('Lisbon')
		await panel('places').getByRole('button', { name: 'Apply' }).click()
		await panel('places').getByText('2,500 documents').waitFor({ state: 'detached' })
		const shown = async () => [...new Set(await (await cells('places', 'address.city')).allInnerTexts())]
		await expect.poll(shown).toEqual(['Lisbon'])
		await panel('places').getByRole('button', { name: 'Filter', exact: true }).click()
		await panel('places').getByText('2,500 documents').waitFor()
	})

	test('a query in the engine’s own language narrows too, and a wrong one says what is wrong', async () => {
		const query = panel('places').getByRole('searchbox', { name: 'Query' })
		await query.fill('address.city:Lisbon AND wheelchair:true')
		await query.press('Enter')
		await panel('places').getByText('2,500 documents').waitFor({ state: 'detached' })
		await query.fill('address.city:(Lisbon')
		await query.press('Enter')
		await panel('places').getByRole('alert').waitFor()
		await query.fill('')
		await panel('places').getByText('2,500 documents').waitFor()
	})

	test('a click on a header sorts, a second turns it round, a third takes it away', async () => {
		const header = panel('places').getByRole('columnheader', { name: 'address.city' })
		const first = async () => (await (await cells('places', 'address.city')).allInnerTexts())[0] ?? ''
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('ascending')
		await expect.poll(first).toBe('Aarhus')
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('descending')
		await expect.poll(first).not.toBe('Aarhus')
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('none')
	})

	test('the keyboard reaches every cell, edits, undoes and redoes', async () => {
		const grid = panel('places').getByRole('grid')
		await (await cells('places', '_id')).first().click()
		await page.keyboard.press('ArrowDown')
		for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
		const focused = await grid.getAttribute('aria-activedescendant')
		expect(focused).toBe('cell-1-3')
		const before = await page.locator(`#${focused}`).innerText()
		await page.keyboard.type('Bergen')
		await page.keyboard.press('Enter')
		const edited = (await cells('places', 'address.city')).nth(1)
		await expect.poll(() => edited.innerText()).toBe('Bergen')
		await page.keyboard.press('ControlOrMeta+z')
		await expect.poll(() => edited.innerText()).toBe(before)
		await page.keyboard.press('ControlOrMeta+Shift+z')
		await expect.poll(() => edited.innerText()).toBe('Bergen')
		await page.getByRole('button', { name: 'Discard' }).click()
		await expect.poll(() => edited.innerText()).toBe(before)
	})

	test('a number that is none is refused where it is typed, and nothing is lost', async () => {
		await panel('places')
			.getByRole('grid')
			.evaluate(element => element.scrollTo(element.scrollWidth, 0))
		const cell = (await cells('places', 'rating')).first()
		const before = await cell.innerText()
		await cell.dblclick()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.type('12,5')
		await page.keyboard.press('Enter')
		await page.getByText('This is not a number.').waitFor()
		await page.keyboard.press('Escape')
		expect(await cell.innerText()).toBe(before)
	})

	test('the last document of a large index is a scroll away', async () => {
		await open('events')
		await panel('events')
			.getByRole('grid')
			.evaluate(element => element.scrollTo(0, element.scrollHeight))
		await panel('events').getByText('ev-24000', { exact: true }).waitFor()
		expect(faults).toEqual([])
	})
})
