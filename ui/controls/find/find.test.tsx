import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'

/**
 * Find marks matches in a document or an editor, and the focus returns to the previous element after Find closes.
 */

let books: TablePanel

const lines = Array.from({ length: 400 }, (_, line) => `line ${line}${line % 100 === 50 ? ' Needle' : ''}`)

beforeEach(async () => {
	const table = new FakeTable('books', {
		columns: { id: {}, title: {}, summary: {} },
		rows: [['long', 'Needle one, needle two', lines.join('\n')]],
	})
	books = await (await openWindow({ tables: [table] })).openTable('books')
	await books.cell(0, 'id').click()
})

const dialog = () => page.getByRole('dialog')
const panel = () => page.getByRole('complementary', { name: 'Row' })
const text = () => panel().getByRole('textbox', { name: 'Row as JSON' })
const field = () => page.getByRole('textbox', { name: /^Find in/ })
const step = (name: string) => page.getByRole('button', { name })
const says = (count: string) => expect.element(page.getByText(count, { exact: true })).toBeVisible()
const isGone = () => expect.element(field()).not.toBeInTheDocument()
/** Returns the texts of the marked matches that are rendered. */
const marked = () => [...document.querySelectorAll('.cm-found, .cm-found-current')].map(mark => mark.textContent)
const current = () => document.querySelector('.cm-found-current')
/** Returns whether the current match is inside the visible part of its text. */
function isInView(): boolean {
	const [box, around] = [current(), current()?.closest('.cm-scroller')].map(part => part?.getBoundingClientRect())
	return box !== undefined && around !== undefined && box.top >= around.top && box.bottom <= around.bottom
}

async function pressAll(...keys: readonly string[]): Promise<void> {
	for (const key of keys) await press(key)
}

async function findInDocument(query: string): Promise<void> {
	await press('Space')
	await expect.element(text().getByText('"long"')).toBeVisible()
	text().element().focus()
	await press('ControlOrMeta+f')
	await expect.element(field()).toHaveFocus()
	await type(query)
}

test('Ctrl+F in a document marks matches regardless of case, and keys step through them', async () => {
	await findInDocument('needle')
	await says('1 of 6')
	await expect.poll(() => current()?.textContent).toBe('Needle')
	await pressAll('Enter', 'F3')
	await says('3 of 6')
	await expect.poll(isInView).toBe(true)
	await press('Shift+Enter')
	await says('2 of 6')
	await pressAll('Shift+F3', 'Shift+F3')
	await says('6 of 6')
	await expect.poll(isInView).toBe(true)
	await step('Next match').click()
	await says('1 of 6')
})

test('Find without a match says so, marks nothing and has no next match', async () => {
	await findInDocument('needle (')
	await says('Nothing found')
	expect(marked()).toEqual([])
	await expect.element(step('Next match')).toBeDisabled()
})

test('Escape removes the find bar and its marks, and returns the focus to the document', async () => {
	await findInDocument('two')
	await says('1 of 1')
	await press('Escape')
	await isGone()
	expect(marked()).toEqual([])
	await expect.element(text()).toHaveFocus()
})

test('the command palette opens Find in the document, and Escape returns to the grid', async () => {
	await press('Space')
	await expect.element(text().getByText('"long"')).toBeVisible()
	books.grid.element().focus()
	await press('ControlOrMeta+Shift+p')
	await type('Find in the row')
	await expect.element(page.getByRole('option', { name: 'Find in the row', selected: true })).toBeVisible()
	await press('Enter')
	await expect.element(field()).toHaveFocus()
	await type('title')
	await says('1 of 1')
	await press('Escape')
	await isGone()
	await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('grid')
	// If the focus is in the grid, Ctrl+F finds in its rows.
	await press('ControlOrMeta+f')
	await expect.element(page.getByRole('textbox', { name: 'Find in the loaded rows' })).toBeVisible()
})

async function findInEditor(): Promise<void> {
	await books.cell(0, 'summary').click()
	await press('Alt+Enter')
	await expect.poll(() => document.activeElement?.matches('[role=dialog] .cm-content')).toBe(true)
	await press('ControlOrMeta+f')
	await expect.element(field()).toHaveFocus()
	await type('needle')
	await says('1 of 4')
}

test('Ctrl+F in an editor steps through matches, also in parts that are not rendered', async () => {
	await findInEditor()
	await pressAll('Enter', 'F3')
	await says('3 of 4')
	await expect.poll(marked).toEqual(['Needle'])
	await expect.element(dialog().getByText('line 250 Needle')).toBeVisible()
	await press('Shift+F3')
	await says('2 of 4')
})

test('Escape closes only the find bar, and F3 continues from what is typed then', async () => {
	await findInEditor()
	await press('F3')
	await says('2 of 4')
	await press('Escape')
	await isGone()
	expect(marked()).toEqual([])
	const editor = dialog().getByRole('textbox', { name: 'Value of summary' })
	await expect.element(editor).toHaveFocus()
	await type('A needle here, ')
	await press('ControlOrMeta+f')
	await expect.element(field()).toHaveValue('needle')
	await says('3 of 5')
	editor.element().focus()
	await press('F3')
	await says('4 of 5')
})

test('Ctrl+F and the command palette find in a console', async () => {
	await press('ControlOrMeta+t')
	const console = page.getByRole('tabpanel', { name: 'Console' }).getByRole('textbox', { name: 'Console' })
	await expect.element(console).toHaveFocus()
	await type('select books; select books')
	await press('ControlOrMeta+f')
	await expect.element(field()).toHaveFocus()
	await type('books')
	await says('1 of 2')
	await press('Escape')
	await isGone()
	await press('ControlOrMeta+Shift+p')
	await type('Find in the con')
	await expect.element(page.getByRole('option', { name: 'Find in the console', selected: true })).toBeVisible()
	await press('Enter')
	await expect.element(field()).toHaveFocus()
})
