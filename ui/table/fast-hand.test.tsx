import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../testing/books.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press, pressAtOnce, type } from '../testing/keys.ts'

/** A user types faster than the window works: a key arrives while the window still opens or closes an element. */

let books: TablePanel

const places = () =>
	new FakeTable('places', { columns: { id: {} }, rows: Array.from({ length: 30 }, (_, row) => [`p${row}`]) })

beforeEach(async () => {
	books = await (await openWindow({ tables: [fakeBooks(), places()] })).openTable('books')
	await books.cell(0, 'title').click()
})

const dialog = (name: string) => page.getByRole('dialog', { name })
const isSelected = (row: number) =>
	expect.poll(() => books.cell(row, 'title').element().getAttribute('aria-selected')).toBe('true')

test('a key directly after the key that closes a sheet reaches the grid', async () => {
	await press('Insert')
	await expect.element(dialog('New row')).toBeVisible()
	await pressAtOnce('Escape', 'ArrowDown', 'Delete')
	await expect.element(dialog('New row')).not.toBeInTheDocument()
	await books.isStaged(1)
	await isSelected(1)
})

test('text directly after the key that opens a value is typed into it', async () => {
	const text = () => dialog('title').getByRole('textbox').query()?.textContent
	await pressAtOnce('Alt+Enter', 'Control+a', 'n', 'e', 'w')
	await expect.poll(text).toBe('new')
	// The question before the text is lost takes the next keys.
	await pressAtOnce('Escape', 'Shift+Tab', 'Enter', 'Alt+Enter', 'Control+a', 'o')
	await expect.poll(text).toBe('o')
})

test('text directly after a command of the palette goes to the element that the command opens', async () => {
	await press('ControlOrMeta+Shift+p')
	await expect.element(dialog('Commands')).toBeVisible()
	await type('go to row')
	await pressAtOnce('Enter', '7')
	await expect.element(page.getByLabelText('Go to row')).toHaveValue(7)
	await pressAtOnce('Escape', 'ArrowDown')
	await isSelected(1)
})

test('with slow frames, opening a tab does not take the focus from a later action', async () => {
	const late: FrameRequestCallback[] = []
	const inTime = requestAnimationFrame
	globalThis.requestAnimationFrame = work => late.push(work)
	await press('ControlOrMeta+p')
	await expect.element(dialog('Open')).toBeVisible()
	await type('places')
	await press('Enter')
	const places = page.getByRole('tabpanel', { name: 'places', exact: true })
	await expect.element(places.getByRole('gridcell').first()).toBeVisible()
	await places.getByRole('button', { name: 'Row 1', exact: true }).click()
	globalThis.requestAnimationFrame = inTime
	for (const work of late) requestAnimationFrame(work)
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
	await type('12')
	await press('Enter')
	await expect.element(places.getByRole('button', { name: 'Row 12', exact: true })).toBeVisible()
})
