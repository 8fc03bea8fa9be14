import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers } from '../testing/fake-console.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { chooseMore } from '../testing/menu.ts'

/** Splitters between panes move by mouse and keyboard, can be reset, and keep their position. */

let window: FakeWindow

beforeEach(async () => {
	const places = new FakeTable('places', { columns: { name: {} }, rows: [['Berlin'], ['Rome']] })
	window = await openWindow({ tables: [fakeBooks(), places], answers: consoleAnswers() })
	await window.openTable('books')
})
afterEach(() => page.viewport(1280, 820))

const boxOf = (locator: Locator) => locator.element().getBoundingClientRect()
const widthOf = (locator: Locator) => Math.round(boxOf(locator).width)
const sidebar = () => page.getByRole('navigation', { name: 'Connections' })
const line = (name: string) => page.getByRole('separator', { name })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const grid = (name: string) => page.getByRole('grid', { name })
const isRight = (name: string) => tab(name).query()?.closest('.pane-right') != null

/** Drags a line sideways, as events of a pointer. */
function drag(name: string, by: number): void {
	const splitter = line(name).element()
	const { left, width } = splitter.getBoundingClientRect()
	// No pointer of the browser has this id, so there is nothing to capture.
	splitter.setPointerCapture = () => {}
	const send = (type: string, clientX: number) =>
		splitter.dispatchEvent(new PointerEvent(type, { clientX, clientY: 300, bubbles: true }))
	send('pointerdown', left + width / 2)
	send('pointermove', left + width / 2 + by)
	send('lostpointercapture', left + width / 2 + by)
	send('pointermove', 0)
}

async function split(): Promise<void> {
	await window.openListedTable('places')
	await press('ControlOrMeta+\\')
	await expect.poll(() => isRight('places')).toBe(true)
	await tab('books').click()
	await expect.element(grid('books')).toBeVisible()
	await expect.element(grid('places')).toBeVisible()
}

test('the sidebar is dragged, moved by arrow keys and reset', async () => {
	const before = widthOf(sidebar())
	drag('Width of the sidebar', 80)
	await expect.poll(() => widthOf(sidebar())).toBe(before + 80)
	await expect.element(line('Width of the sidebar')).toHaveAttribute('aria-valuenow', String(before + 80))
	line('Width of the sidebar').element().focus()
	await press('ArrowLeft')
	await expect.poll(() => widthOf(sidebar())).toBeLessThan(before + 80)
	await press('Home')
	await expect.poll(() => widthOf(sidebar())).toBe(160)
	await line('Width of the sidebar').dblClick()
	await expect.poll(() => widthOf(sidebar())).toBe(before)
})

test('the next window has the same width of the sidebar', async () => {
	line('Width of the sidebar').element().focus()
	await press('Home')
	await expect.poll(() => window.preferences['sidebar/width']).toBe(160)
	await window.open()
	await expect.poll(() => widthOf(sidebar())).toBe(160)
})

test('the row beside the grid can be resized', async () => {
	grid('books').element().focus()
	await press('Space')
	const panel = page.getByRole('complementary', { name: 'Row' })
	await expect.element(panel).toBeVisible()
	const before = widthOf(panel)
	drag('Width of the row', -60)
	await expect.poll(() => widthOf(panel)).toBe(before + 60)
})

test('the text beside the results can be resized by keys', async () => {
	const panel = await ConsolePanel.open()
	await chooseMore(panel.root, 'Results beside the text')
	const text = () => Math.round(panel.root.element().querySelector('.cm-editor')?.getBoundingClientRect().width ?? 0)
	await expect.element(line('Width of the text')).toBeVisible()
	const half = text()
	line('Width of the text').element().focus()
	await press('Shift+ArrowRight')
	await expect.poll(text).toBeGreaterThan(half)
	await press('Enter')
	await expect.poll(text).toBe(half)
})

test('at a width of 720 pixels, as at 200 % zoom, all elements are inside of the window', async () => {
	await ConsolePanel.open()
	await page.viewport(720, 450)
	for (const name of ['books', 'Console']) {
		await tab(name).click()
		const panel = page.getByRole('tabpanel', { name, exact: true })
		await expect.element(panel).toBeVisible()
		expect(boxOf(panel).right).toBeLessThanOrEqual(720)
		expect(boxOf(panel).width).toBeGreaterThan(300)
	}
	expect(document.documentElement.scrollWidth).toBe(720)
})

test('a second pane shows another tab beside the first, and the line between is dragged', async () => {
	await split()
	expect(boxOf(grid('books')).right).toBeLessThan(boxOf(grid('places')).left)
	const before = widthOf(grid('books'))
	drag('Width of the left pane', 60)
	await expect.poll(() => widthOf(grid('books')) - before).toBeGreaterThan(40)
})

test('keys are for the pane with the focus', async () => {
	await split()
	await grid('books').getByRole('gridcell').first().click()
	await press('ArrowDown')
	const row = page.getByRole('tabpanel', { name: 'books' }).getByRole('button', { name: 'Row 2', exact: true })
	await expect.element(row).toBeVisible()
	await expect.element(grid('books')).toHaveFocus()
})

test('two panes are there again after a reload of the window', async () => {
	await split()
	await expect.poll(() => JSON.stringify(window.records.panes ?? null)).toContain('places')
	await window.open()
	await expect.element(grid('books')).toBeVisible()
	await expect.element(grid('places')).toBeVisible()
	expect(isRight('places')).toBe(true)
})

test('a tab moves to the other pane by dragging and by key, and an empty pane closes', async () => {
	await split()
	await ConsolePanel.open()
	await userEvent.dragAndDrop(tab('Console'), grid('places'))
	await expect.poll(() => isRight('Console')).toBe(true)
	await press('ControlOrMeta+k')
	await press('m')
	await expect.poll(() => isRight('Console')).toBe(false)
	await page.getByRole('button', { name: 'Close places' }).click()
	await expect.element(page.getByRole('tablist', { name: 'Open tables on the right' })).not.toBeInTheDocument()
})
