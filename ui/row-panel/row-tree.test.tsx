import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { FakeClipboard } from '../testing/clipboard.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** A row as a tree: it opens by keyboard and mouse, and its values lead to the grid. */

let clipboard: FakeClipboard
let books: TablePanel

const trace = ['java.lang.Error: no', ...Array.from({ length: 20 }, (_, at) => `\tat shop.Basket.add(${at})`)].join(
	'\n',
)

beforeEach(async () => {
	clipboard = new FakeClipboard()
	const table = new FakeTable('books', {
		columns: { id: {}, title: {}, 'author.country': {} },
		rows: Array.from({ length: 4 }, (_, row) => [`b${row}`, `Book ${row}`, row === 0 ? 'NG' : 'PE']),
	})
	const document = { title: 'Book 0', author: { name: 'Ada', country: 'NG' }, stack_trace: trace }
	const raw = new TextEncoder().encode(JSON.stringify(document))
	const window = await openWindow({
		tables: [table],
		answers: { 'rows.read': ({ rowId }) => ({ id: rowId, meta: {}, raw, insertAgain: {} }) },
	})
	books = await window.openTable('books')
	await books.cell(0, 'id').click()
	await press('Space')
	await panel().getByText('Tree', { exact: true }).click()
	await expect.element(item('author')).toBeVisible()
})

const panel = () => page.getByRole('complementary', { name: 'Row' })
const tree = () => panel().getByRole('tree', { name: 'Row as a tree' })
const item = (text: string | RegExp) => tree().getByRole('treeitem').filter({ hasText: text }).first()
const header = () => books.root.getByRole('columnheader', { name: 'author.country' })
const chip = (name: string) => books.root.getByRole('button', { name, exact: true })

async function chooseOf(text: string | RegExp, action: string | RegExp): Promise<void> {
	await item(text).click({ button: 'right' })
	await page.getByRole('menuitem', { name: action }).click()
}

test('a tree opens by mouse and keyboard, and copies paths and values', async () => {
	const isOpen = (open: boolean) => expect.element(item(/^author/)).toHaveAttribute('aria-expanded', String(open))
	await isOpen(true)
	await item(/^author/).click()
	await isOpen(false)
	await item(/^author/).click()
	await isOpen(true)
	await press('ArrowDown')
	await press('ControlOrMeta+Shift+c')
	await expect.poll(() => clipboard.text).toBe('author.name')
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe('Ada')
	await press('ArrowLeft')
	await press('ArrowLeft')
	await isOpen(false)
})

test('a value without a column says that it cannot be filtered', async () => {
	await chooseOf(/^author/, /^Filter for this/)
	await expect.element(books.root.getByText('author is not a column, so it cannot be filtered.')).toBeVisible()
})

test('a value leads to its column, hides it and shows it', async () => {
	await chooseOf('country', /^Go to the column/)
	await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('grid')
	await chooseOf('country', 'Hide the column')
	await expect.element(header()).not.toBeInTheDocument()
	await chooseOf('country', 'Show the column')
	await expect.element(header()).toBeVisible()
})

test('a value filters the grid, by its menu and by keys', async () => {
	await chooseOf('country', /^Filter out/)
	await expect.element(chip('author.country is not NG')).toBeVisible()
	await item('country').click()
	await press('=')
	await expect.element(chip('author.country is NG')).toBeVisible()
})

test('a stack trace is shown with its lines', async () => {
	const value = () => item('stack_trace')
	await expect.element(value()).toHaveAttribute('aria-expanded', 'false')
	await value().click()
	await expect.element(value()).toHaveAttribute('aria-expanded', 'true')
	expect(value().element().querySelector('.tree-value')?.textContent).toBe(trace)
	expect(value().element().getBoundingClientRect().height).toBeGreaterThan(21 * 15)
	await press('ArrowLeft')
	await expect.element(value()).toHaveAttribute('aria-expanded', 'false')
})
