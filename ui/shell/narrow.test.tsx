import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { fakeLogs } from '../testing/logs.ts'

let window: FakeWindow
beforeEach(async () => {
	// At 200 % of 1440 × 900.
	await page.viewport(720, 450)
	onTestFinished(() => page.viewport(1280, 820))
	window = await openWindow({ tables: [fakeBooks(), fakeLogs()] })
})

const rail = () => page.getByRole('button', { name: 'Unfold the sidebar' })
const tables = () => page.getByRole('list', { name: 'Tables' })

test('in a narrow window, the sidebar folds to the rail once a tab is open, and unfolds until a tab is chosen', async () => {
	await window.openConnection()
	await expect.element(tables()).toBeVisible()
	await window.openTable('books')
	await expect.element(tables()).not.toBeInTheDocument()
	await rail().click()
	await expect.element(tables()).toBeVisible()
	await tables().getByRole('button', { name: /^logs/ }).click()
	await expect.element(rail()).toBeVisible()
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	await expect.element(tables()).toBeVisible()
	await press('ControlOrMeta+b')
	await expect.element(rail()).toBeVisible()
})

test.each([
	[1280, true],
	[1440, false],
])('at %i pixels, the sidebar is folded while a row is shown beside the rows: %s', async (width, isFolded) => {
	await page.viewport(width, 820)
	const books = await window.openTable('books')
	await books.cell(0, 'title').click()
	await press('ControlOrMeta+j')
	await expect.element(page.getByRole('complementary', { name: 'Row' })).toBeVisible()
	await expect.element(isFolded ? rail() : tables()).toBeVisible()
	await expect.element(isFolded ? tables() : rail()).not.toBeInTheDocument()
	await press('ControlOrMeta+j')
	await expect.element(tables()).toBeVisible()
})

test('at 1280 pixels, the sidebar is folded beside a review of changes, and unfolds with its end', async () => {
	await page.viewport(1280, 820)
	const books = await window.openTable('books')
	await books.edit(0, 'title', 'Changed')
	await expect.element(tables()).toBeVisible()
	await page.getByRole('button', { name: 'Review and save' }).click()
	await expect.element(rail()).toBeVisible()
	await expect.element(tables()).not.toBeInTheDocument()
	// A pane is no sheet below another: the settings have their width.
	await page.getByRole('button', { name: 'Settings' }).click()
	const settings = page.getByRole('dialog', { name: 'Settings' })
	await expect.poll(() => settings.element().getBoundingClientRect().width).toBeGreaterThan(700)
	await press('Escape')
	await expect.element(settings).not.toBeInTheDocument()
	await page.getByRole('button', { name: 'Keep editing' }).click()
	await expect.element(tables()).toBeVisible()
})

test('a log keeps eight rows beside its bars of time at 200 %', async () => {
	await window.openConnection()
	await tables().getByRole('button', { name: /^logs/ }).click()
	await expect.element(page.getByRole('gridcell').first()).toBeVisible()
	await expect.poll(() => document.querySelectorAll('.histogram-bucket').length).toBeGreaterThan(1)
	const top = document.querySelector('.grid-head')?.getBoundingClientRect().bottom ?? 0
	const bottom = document.querySelector('.status-line')?.getBoundingClientRect().top ?? 0
	expect((bottom - top) / 28).toBeGreaterThanOrEqual(8)
})

test('at 200 %, a list to choose from keeps the room of its arrow', async () => {
	await window.openConnection()
	await tables().getByRole('button', { name: /^logs/ }).click()
	await expect.element(page.getByRole('combobox', { name: 'Time range' })).toBeVisible()
	const rooms = [...document.querySelectorAll('select')]
		.filter(select => select.checkVisibility())
		.map(select => Number.parseFloat(getComputedStyle(select).paddingInlineEnd))
	expect(rooms.length).toBeGreaterThan(1)
	const select = document.querySelector('select') ?? expect.unreachable()
	expect(Number.parseFloat(getComputedStyle(select, '::before').inlineSize)).toBeGreaterThanOrEqual(24)
	expect(rooms.filter(room => room < 20)).toEqual([])
})

test('a table alone has its figures in the line of the window, and beside another one in its pane', async () => {
	await page.viewport(1280, 820)
	const books = await window.openTable('books')
	const status = () => books.root.element().querySelector('.grid-status')?.getBoundingClientRect()
	const line = document.querySelector('.status-line')?.getBoundingClientRect()
	expect(status()?.bottom).toBe(line?.bottom)
	await press('ControlOrMeta+t')
	await press('ControlOrMeta+k')
	await press('s')
	await expect.poll(() => status()?.bottom).toBe(line?.top)
})
