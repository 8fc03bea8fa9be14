import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** The appearance of the window follows the settings of the user. */
describe('appearance', () => {
	let window: SampleWindow
	let books: TablePanel
	const sheet = () => window.page.getByRole('dialog')
	async function choose(label: string, value: string): Promise<void> {
		await window.page.getByRole('button', { name: 'Settings' }).click()
		await sheet().getByRole('tab', { name: 'Appearance' }).click()
		await sheet().getByLabel(label, { exact: true }).selectOption(value)
		await window.page.keyboard.press('Escape')
		await sheet().waitFor({ state: 'detached' })
	}
	const boxOf = async (row: number) => {
		const box = await (await books.cell(row, '_id')).boundingBox()
		return box ?? Promise.reject(new Error(`row ${row} is not there`))
	}
	const step = async () => (await boxOf(1)).y - (await boxOf(0)).y

	beforeAll(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('the row height changes immediately and keeps the scroll position', async () => {
		expect(await step()).toBe(28)
		await choose('Row height', 'compact')
		await expect.poll(step).toBe(22)
		await books.grid.evaluate(element => element.scrollTo(0, 22 * 2000))
		await expect.poll(async () => (await books.cell(2000, '_id')).count()).toBe(1)
		await choose('Row height', 'roomy')
		await books.grid.evaluate(element => element.scrollTo(0, 0))
		await expect.poll(step).toBe(36)
		await window.page.keyboard.press('ControlOrMeta+k')
		await window.page.keyboard.press('d')
		await expect.poll(step).toBe(28)
	})

	test('a larger text size applies everywhere, and no row cuts the text', async () => {
		const sizes = () =>
			Promise.all(
				[books.grid.getByRole('gridcell').first(), window.page.getByRole('navigation')].map(part =>
					part.evaluate(element =>
						Number.parseFloat(element.ownerDocument.defaultView?.getComputedStyle(element).fontSize ?? ''),
					),
				),
			)
		const before = await sizes()
		await choose('Text', 'larger')
		expect(await sizes()).toEqual(before.map(size => size * 1.25))
		await choose('Text', 'normal')
	})

	test('numbers are formatted for the chosen locale', async () => {
		await books.root.getByText('3,003 documents').waitFor()
		await choose('Format of', 'de-DE')
		await books.root.getByText('3.003 documents').waitFor()
		await choose('Format of', 'system')
		await books.root.getByText('3,003 documents').waitFor()
	})

	test('dates in the grid have the local time beside them if the user chooses that', async () => {
		const events = await window.openTable('events')
		await events.scrollTo('@timestamp')
		const cell = await events.cell(0, '@timestamp')
		const stored = await cell.innerText()
		expect(stored).toContain('T')
		await choose('Dates in the grid', 'local')
		const local = await window.page.evaluate<string>(
			`new Date(${JSON.stringify(stored)}).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })`,
		)
		await expect.poll(() => cell.innerText()).toBe(`${stored} · ${local}`)
		await choose('Dates in the grid', 'stored')
		await expect.poll(() => cell.innerText()).toBe(stored)
	})

	test('with reduced motion nothing is animated, and with forced colours every state stays visible', async () => {
		const { page } = window
		await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
		const moving = await page.evaluate<string[]>(
			`[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s'
				|| getComputedStyle(e).animationName !== 'none').map(e => e.className)`,
		)
		expect(moving).toEqual([])
		const outline = await page.evaluate("getComputedStyle(document.querySelector('.tab.active')).outlineStyle")
		expect(outline).toBe('solid')
		await page.emulateMedia({ reducedMotion: null, forcedColors: null })
		expect(window.faults).toEqual([])
	})
})
