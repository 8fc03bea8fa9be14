import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../../support/axe.ts'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** Find in the loaded rows of a grid: as shown, without a request. The search in all rows is the engine's. */
let window: SampleWindow
let books: TablePanel
const page = () => window.page
const bar = () => page().getByRole('search', { name: 'Find in the loaded documents' })
const field = () => bar().getByRole('textbox')
const says = (text: string | RegExp) => bar().getByText(text).waitFor()
const press = (keys: string) => page().keyboard.press(keys)
const found = () => books.root.locator('.grid-cell.found')
/** The text of the focused cell. */
const current = () => books.root.locator('.grid-cell.current').innerText()

beforeAll(async () => {
	window = await SampleWindow.open()
	const lines = Array.from({ length: 1000 }, (_, number) => {
		const title = number % 100 === 50 ? `Needle ${number}` : `Straw ${number}`
		return `{"index":{"_id":"${number}"}}\n${JSON.stringify({ title, number })}\n`
	})
	const headers = { 'content-type': 'application/x-ndjson' }
	await fetch(`${window.clusterUrl}/straw/_bulk?refresh=true`, { method: 'POST', body: lines.join(''), headers })
	await prepareForAxe(page())
	await page().locator('.tables-head').getByRole('button', { name: 'Reload' }).click()
	books = await window.openTable('straw')
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('by keys: finds in what is loaded, steps and wraps around, marks the cells, and returns to the cell', async () => {
	await (await books.cell(0, 'title')).click()
	await press('ControlOrMeta+f')
	await page().keyboard.type('needle')
	await says(/^1 of \d+$/)
	await says(/^in \d+ loaded of 1,000 documents$/)
	expect(await current()).toBe('Needle 50')
	await expect.poll(() => found().allInnerTexts()).toContain('Needle 50')
	await press('Escape')
	await bar().waitFor({ state: 'detached' })
	expect(await found().count()).toBe(0)

	// The rows that are read meanwhile are searched too.
	await press('ControlOrMeta+End')
	await expect.poll(() => books.root.locator('.grid-row.waiting').count()).toBe(0)
	await press('ControlOrMeta+f')
	await field().press('Enter')
	await expect.poll(current).toBe('Needle 50')
	await field().press('Shift+Enter')
	await expect.poll(current).toBe('Needle 950')
	await press('F3')
	await expect.poll(current).toBe('Needle 50')
	await press('Escape')
	expect(await page().evaluate<string>('document.activeElement.getAttribute("role")')).toBe('grid')
	await press('F3')
	expect(await current()).toBe('Needle 50')
})

test('a typed change is found as it is shown, and an undone one is not', async () => {
	await press('ControlOrMeta+Home')
	await (await books.cell(2, 'title')).click()
	await page().keyboard.type('Haystack')
	await press('Enter')
	await press('ControlOrMeta+f')
	await field().fill('HAYSTACK')
	await says('1 of 1')
	expect(await current()).toBe('Haystack')
	await press('Escape')
	await press('ControlOrMeta+z')
	await press('ControlOrMeta+f')
	await says('Nothing found')
	await press('Escape')
})

test('by mouse: the buttons step, and the search in all rows is beside it', async () => {
	await (await books.cell(0, 'number')).click()
	await press('ControlOrMeta+f')
	await field().fill('Straw 1')
	await says(/^1 of \d+$/)
	await bar().getByRole('button', { name: 'Next match' }).click()
	await says(/^2 of \d+$/)
	await bar().getByRole('button', { name: 'Previous match' }).click()
	await says(/^1 of \d+$/)
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
	await bar().getByRole('button', { name: 'Search all documents' }).click()
	expect(await page().evaluate<string>('document.activeElement.getAttribute("aria-label")')).toBe('Query')
	await bar().getByRole('button', { name: 'Close the search' }).click()
	await bar().waitFor({ state: 'detached' })
	expect(window.faults).toEqual([])
})
