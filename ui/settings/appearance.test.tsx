import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { emulateMedia } from '../testing/media.ts'

/** The appearance of the window follows the settings of the user. */

let window: FakeWindow
let books: TablePanel

beforeEach(async () => {
	window = await openWindow({ tables: [fakeBooks(3_000)] })
	books = await window.openTable('books')
})
afterEach(() => expect([...window.host.unanswered]).toEqual([]))

const sheet = () => page.getByRole('dialog', { name: 'Settings' })

async function openAppearance(): Promise<void> {
	await page.getByRole('button', { name: 'Settings' }).click()
	await sheet().getByRole('tab', { name: 'Appearance' }).click()
}

async function choose(label: string, value: string): Promise<void> {
	await openAppearance()
	await sheet().getByLabelText(label, { exact: true }).selectOptions(value)
	await press('Escape')
	await expect.element(sheet()).not.toBeInTheDocument()
	await expect.element(books.root).toBeVisible()
}

const top = (row: number) => books.cell(row, 'id').element().getBoundingClientRect().top
const rowHeight = () => top(1) - top(0)
const fontSize = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)

test('the row height changes at once, by the setting and by its keys', async () => {
	expect(rowHeight()).toBe(28)
	await choose('Row height', 'compact')
	await expect.poll(rowHeight).toBe(24)
	await choose('Row height', 'roomy')
	await expect.poll(rowHeight).toBe(36)
	await press('ControlOrMeta+k')
	await press('d')
	await expect.poll(rowHeight).toBe(28)
})

test('a larger text size applies to the grid and to the sidebar', async () => {
	const sizes = () => [books.cell(0, 'id').element(), page.getByRole('navigation').element()].map(fontSize)
	const before = sizes()
	await choose('Text', 'larger')
	await expect.poll(sizes).toEqual(before.map(size => size * 1.25))
	await choose('Text', 'normal')
})

test('numbers are formatted for the chosen locale', async () => {
	await expect.element(books.root.getByText('3,000 rows')).toBeVisible()
	await choose('Format', 'de-DE')
	await expect.element(books.root.getByText('3.000 rows')).toBeVisible()
	await choose('Format', 'system')
	await expect.element(books.root.getByText('3,000 rows')).toBeVisible()
})

test('dates in the grid have the local time beside them if the user chooses that', async () => {
	const cell = () => books.texts('published')[0] ?? ''
	const stored = cell()
	await choose('Dates in the grid', 'local')
	const local = new Date(stored).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
	await expect.poll(cell).toBe(`${stored} · ${local}`)
	await choose('Dates in the grid', 'stored')
	await expect.poll(cell).toBe(stored)
})

test('the accent of the system is taken in a lightness in which words can be read, if the user chooses it', async () => {
	const accent = () => getComputedStyle(document.querySelector('.settings-tab[data-selected]') ?? document.body).color
	await openAppearance()
	const own = accent()
	await sheet().getByLabelText('Accent', { exact: true }).selectOptions('system')
	await expect.poll(accent).not.toBe(own)
	expect(await violations()).toEqual([])
	await emulateMedia({})
	await sheet().getByLabelText('Accent', { exact: true }).selectOptions('own')
	await expect.poll(accent).toBe(own)
})

test('the user chooses a theme, which the next window has', async () => {
	const canvas = () => getComputedStyle(document.body).backgroundColor
	await openAppearance()
	await sheet().getByLabelText('Light').click()
	const light = canvas()
	await sheet().getByLabelText('Dark').click()
	await expect.poll(canvas).not.toBe(light)
	await press('Escape')
	await window.open()
	expect(Object.values(window.preferences)).toContain('dark')
})

test('the settings open on the first page, and then on the one that was used last', async () => {
	await page.getByRole('button', { name: 'Settings' }).click()
	await expect.element(sheet().getByRole('tab', { name: 'General' })).toHaveAttribute('aria-selected', 'true')
	await sheet().getByRole('tab', { name: 'Appearance' }).click()
	await press('Escape')
	await page.getByRole('button', { name: 'Settings' }).click()
	await expect.element(sheet().getByRole('tab', { name: 'Appearance' })).toHaveAttribute('aria-selected', 'true')
})

test('the dialog keeps its size when the user turns to another page of it', async () => {
	await openAppearance()
	const box = () => JSON.stringify(sheet().element().getBoundingClientRect())
	const before = box()
	for (const name of ['General', 'Plugins', 'Activity', 'Appearance']) {
		await sheet().getByRole('tab', { name }).click()
		await expect.poll(box).toBe(before)
	}
})

test('nothing is animated if the user prefers reduced motion', async () => {
	await emulateMedia({ 'prefers-reduced-motion': 'reduce' })
	await openAppearance()
	const isMoving = (element: Element) => {
		const { transitionDuration, animationName } = getComputedStyle(element)
		return transitionDuration !== '0s' || animationName !== 'none'
	}
	expect([...document.querySelectorAll('#app *')].filter(isMoving).map(({ className }) => className)).toEqual([])
	expect(document.getAnimations()).toEqual([])
})

test('the active tab is outlined if the system forces colours', async () => {
	const outline = () => getComputedStyle(document.querySelector('.tab.active') ?? expect.unreachable()).outlineStyle
	expect(outline()).toBe('none')
	await emulateMedia({ 'forced-colors': 'active' })
	expect(outline()).toBe('solid')
})

test('the settings begin at their page, not at the cross that closes them', async () => {
	await page.getByRole('button', { name: 'Settings' }).click()
	await expect.element(sheet().getByRole('tab', { selected: true })).toHaveFocus()
	await sheet().getByRole('tab', { name: 'Appearance' }).click()
	await sheet().getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).click()
	await expect.poll(() => document.documentElement.style.colorScheme).toBe('dark')
	await sheet().getByRole('radio', { name: 'System' }).click()
})
