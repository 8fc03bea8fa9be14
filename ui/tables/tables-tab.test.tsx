import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Table, TableAction } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseOfConnection } from '../testing/menu.ts'

/** The page of all tables: found, grouped, sorted and chosen, with actions of the driver. */

let window: FakeWindow
/** The tables of the connection. A test changes them as another client would. */
let listed: Table[]

const detailed = (name: string, rowCount: number): Table => ({
	name,
	rowCount,
	sizeBytes: 2_000 * rowCount,
	details: [{ name: 'Created', value: '2026-11-24' }],
})

/** Returns the actions of a driver: one that is confirmed, one for the console, and one with a form. */
function actionsOn(tables: readonly string[]): readonly TableAction[] {
	if (tables.length === 0) return [{ label: 'Create a table …', text: 'create table', isDraft: true }]
	const many = tables.length === 1 ? '' : ` ${tables.length} tables`
	return [
		{ label: 'Copy into …', text: '', form: { id: 'copy', fields: [{ key: 'to', label: 'Target', type: 'text' }] } },
		{ label: 'Describe …', text: `describe ${tables.join()}`, isDraft: true },
		{ label: `Delete${many}`, text: `drop ${tables.join()}`, removes: true },
	]
}

beforeEach(async () => {
	listed = [
		...['logs-2026.11.24', 'logs-2026.11.25', 'old'].map(name => detailed(name, 0)),
		detailed('books', 3_003),
		detailed('places', 2_500),
	]
	const drop = (text: string) => {
		const gone = text.replace('drop ', '').split(',')
		listed = listed.filter(({ name }) => !gone.includes(name))
	}
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { hasTableActions: true, rowNoun: { one: 'document', many: 'documents' } },
		answers: {
			'tables.list': () => listed.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
			'tables.actions': ({ tables }) => actionsOn(tables),
			'console.analyse': ({ text }) => [{ start: 0, end: text.length, summary: text, access: 'destructive' }],
			'console.complete': () => ({ from: 0, to: 0, options: [] }),
			'console.review': ({ statements }) => ({
				review: 'reviewed',
				statements: statements.map(({ text }) => ({ text, access: 'destructive' })),
			}),
			'console.run': ({ statement }) => {
				if (statement.text.startsWith('drop')) drop(statement.text)
				else listed.push({ name: 'by-console' })
				return { status: 'OK', isSuccess: true, tookMs: 1, notices: [], body: { view: 'text' } }
			},
		},
	})
	await page.getByRole('button', { name: 'Sample', exact: true }).click()
	await chooseOfConnection('Sample', 'All tables')
	await expect.element(row('books')).toBeVisible()
})

const panel = () => page.getByRole('tabpanel', { name: 'Tables', exact: true })
const sidebar = () => page.getByRole('list', { name: 'Tables' })
const row = (name: string) => panel().getByRole('row').filter({ hasText: name }).first()
const box = (name: string) => row(name).getByRole('checkbox')
const searchField = () => panel().getByRole('searchbox')
const grouping = () => panel().getByRole('checkbox', { name: 'Group by date' })
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
const drawn = () =>
	[...document.querySelectorAll<HTMLElement>('.tables-grid .grid-row')]
		.filter(line => line.style.display !== 'none')
		.toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
const nameIn = (line: Element) => line.querySelector('.tables-open-text')?.textContent ?? ''
const names = () => drawn().map(nameIn)
/** Returns the name of the current line, while the list has the focus. */
function current(): string | undefined {
	const id = document.activeElement?.getAttribute('aria-activedescendant')
	const line = id ? document.getElementById(id)?.closest('.grid-row') : undefined
	return line ? nameIn(line) : undefined
}
const says = (text: string) => expect.element(panel().getByText(text, { exact: true })).toBeVisible()
const reload = () => panel().getByRole('button', { name: 'Reload' }).click()
const column = (name: string | RegExp) => panel().getByRole('columnheader', { name })

async function chooseAll(...all: readonly string[]): Promise<void> {
	for (const name of all) await box(name).click()
}
async function act(action: string): Promise<void> {
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem(action).click()
}
/** Shows a line of the page from the menu of its table in the sidebar. */
async function manage(name: string): Promise<void> {
	await sidebar()
		.getByRole('button', { name: new RegExp(`^${name}`) })
		.click({ button: 'right' })
	await menuItem('Manage in the list of tables').click()
}
/** Returns the distance of a line from the top of the grid in pixels, if it is in view. */
function offsetOf(name: string): number | undefined {
	const line = drawn().find(one => nameIn(one) === name)
	const [inner, outer] = [line, document.querySelector('.tables-grid .grid')].map(one => one?.getBoundingClientRect())
	return inner && outer && inner.top > outer.top && inner.bottom <= outer.bottom ? inner.top - outer.top : undefined
}

test('the page lists rows, size and details, and sorts by a click on a header', async () => {
	await says('3,003')
	await says('Created')
	await column('Documents').click()
	await expect.poll(() => names().slice(-2)).toEqual(['places', 'books'])
	await column(/^Documents/).click()
	await expect.poll(() => names().slice(0, 2)).toEqual(['books', 'places'])
	expect(await violations()).toEqual([])
})

test('the search finds names by a pattern, and names with dates are one group that opens', async () => {
	await searchField().fill('*s-*')
	await expect.poll(names).toEqual(['logs-2026.11.24', 'logs-2026.11.25'])
	await grouping().click()
	await expect.poll(names).toEqual(['logs-*'])
	await row('logs-*').getByRole('button').click()
	await expect.poll(names).toEqual(['logs-*', 'logs-2026.11.24', 'logs-2026.11.25'])
})

test('grouping by date is remembered', async () => {
	await grouping().click()
	await page.getByRole('button', { name: 'Close Tables' }).click()
	await chooseOfConnection('Sample', 'All tables')
	await expect.element(grouping()).toBeChecked()
})

test('a closed group with some chosen tables shows it', async () => {
	await chooseAll('logs-2026.11.24')
	await grouping().click()
	await expect.element(box('logs-*')).toBePartiallyChecked()
})

test('the focus stays on its line while a reload adds and removes lines', async () => {
	await row('old').click()
	const before = listed
	for (const next of [[...before, { name: 'a-first' }], before]) {
		listed = next
		await press('F5')
		await expect.poll(names).toHaveLength(next.length)
		await expect.poll(current).toBe('old')
	}
})

test('keys choose lines, act on all that are chosen after a question, and open a table', async () => {
	await row('logs-2026.11.24').click()
	await press('Space')
	await press('Shift+ArrowDown')
	await says('2 tables chosen')
	panel().getByRole('button', { name: 'Actions' }).element().focus()
	await press('Enter')
	await expect.element(menuItem('Delete 2 tables')).toBeVisible()
	await press('End')
	await press('Enter')
	const dialog = page.getByRole('dialog', { name: 'Delete 2 tables on Sample' })
	await expect.element(dialog.getByText('drop logs-2026.11.24,logs-2026.11.25')).toBeVisible()
	await dialog.getByRole('button', { name: 'Delete 2 tables' }).click()
	await expect.poll(names).toEqual(['books', 'old', 'places'])
	await expect.element(sidebar().getByRole('button', { name: /^logs/ })).not.toBeInTheDocument()
	await expect.element(row('books')).toBeVisible()
	await row('books').click()
	await press('Enter')
	await expect.element(page.getByRole('tabpanel', { name: 'books', exact: true })).toBeVisible()
})

test('a request names the chosen tables in the order of the list, whatever order they were chosen in', async () => {
	await chooseAll('places', 'books')
	await act('Delete 2 tables')
	await expect.element(page.getByRole('dialog').getByText('drop books,places')).toBeVisible()
})

test('the menu of a table in the sidebar chooses it here, and a draft opens in the console', async () => {
	await manage('old')
	await says('1 table chosen')
	await act('Describe …')
	const console = page.getByRole('tabpanel', { name: 'Console', exact: true })
	await expect.element(console.getByText('describe old')).toBeVisible()
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('a right click on a line opens the actions for it, or for all chosen lines', async () => {
	await row('books').click({ button: 'right' })
	await expect.element(menuItem('Delete')).toBeVisible()
	await press('Escape')
	await says('1 table chosen')
	await chooseAll('places')
	await row('books').click({ button: 'right' })
	await menuItem('Delete 2 tables').click()
	await expect.element(page.getByRole('dialog').getByText('drop books,places')).toBeVisible()
})

test('a choice that the search hides stays, is counted, and is named by what acts on it', async () => {
	await chooseAll('old', 'places')
	await searchField().fill('book')
	await says('2 tables chosen, 2 of them hidden by the search')
	await row('books').click()
	await press('ControlOrMeta+a')
	await says('3 tables chosen, 2 of them hidden by the search')
	await panel().getByRole('button', { name: 'Actions' }).click()
	await expect.element(page.getByRole('menu').getByText('For 3 tables, 2 of them hidden by the search.')).toBeVisible()
	await expect.element(menuItem('Delete 3 tables')).toBeVisible()
	await press('Escape')
	await panel().getByRole('button', { name: 'Drop the hidden' }).click()
	await says('1 table chosen')
})

test('a right click that drops hidden choices says so, and Undo restores them', async () => {
	await chooseAll('books')
	await searchField().fill('places')
	await row('places').click({ button: 'right' })
	await expect.element(menuItem('Delete')).toBeVisible()
	await press('Escape')
	await expect.element(page.getByText('No longer chosen: 1 table that the search hides.')).toBeVisible()
	await page.getByRole('button', { name: 'Undo' }).click()
	await says('2 tables chosen, 1 of them hidden by the search')
	await searchField().fill('')
	await says('2 tables chosen')
})

test('a selection of lines chooses them, also when it shrinks again', async () => {
	await row('books').click()
	await press('Shift+ArrowDown')
	await says('2 tables chosen')
	await expect.element(row('books')).toHaveAttribute('aria-selected', 'true')
	await press('Shift+ArrowUp')
	await says('1 table chosen')
	await press('Shift+End')
	await says('5 tables chosen')
})

test('a header sorts by Enter and moves by Home, which choose and open nothing', async () => {
	await row('books').click()
	await press('ArrowUp')
	await press('Home')
	await press('Enter')
	await expect.poll(() => names()[0]).toBe('places')
	expect(page.getByRole('tabpanel', { name: 'books', exact: true }).query()).toBeNull()
})

test('the list finds a text, copies values without separators, and shows a hidden column again', async () => {
	const clipboard = new FakeClipboard()
	await row('books').getByText('3,003').click()
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toBe('3003')
	await press('ControlOrMeta+f')
	await type('2,5')
	await expect.poll(() => row('places').element().querySelector('.found')?.textContent).toBe('2,500')
	await press('Escape')
	await column('Size').click({ button: 'right' })
	await menuItem('Hide column').click()
	await expect.element(column('Size')).not.toBeInTheDocument()
	await panel().getByRole('button', { name: 'Columns' }).click()
	await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Size' }).click()
	await expect.element(column('Size')).toBeVisible()
})

test('a right click below the last line opens no menu', async () => {
	const { left, bottom } = panel().getByRole('grid').element().getBoundingClientRect()
	const at = { clientX: left + 300, clientY: bottom - 20 }
	panel()
		.getByRole('grid')
		.element()
		.dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true }))
	await row('books').click()
	expect(page.getByRole('menu').query()).toBeNull()
})

const many = () => Array.from({ length: 60 }, (_, at) => ({ name: `many-${String(at).padStart(2, '0')}` }))

test('a line that is chosen from outside is shown, also far down, below a search, and in a list that is read later', async () => {
	await searchField().fill('books')
	listed = [...listed, ...many()]
	const release = window.host.hold('tables.list')
	await press('F5')
	await manage('places')
	await says('1 table chosen')
	release()
	await expect.poll(() => panel().getByRole('grid').element().getAttribute('aria-rowcount')).toBe('66')
	await expect.poll(() => offsetOf('places')).toBeGreaterThan(0)
})

test('a reload keeps the place of the current line', async () => {
	listed = [...listed, ...many()]
	await reload()
	await manage('places')
	await expect.poll(() => offsetOf('places')).toBeGreaterThan(0)
	const before = offsetOf('places')
	listed = [...listed, { name: 'a-first' }]
	await reload()
	await expect.poll(() => panel().getByRole('grid').element().getAttribute('aria-rowcount')).toBe('67')
	await expect.poll(() => offsetOf('places')).toBe(before)
})

test('a reload keeps the place of the first line in view if the current line is out of it', async () => {
	listed = [{ name: 'a-first' }, ...listed, ...many()]
	await reload()
	await row('books').click()
	await press('Home')
	panel().getByRole('grid').element().scrollTo(0, 900)
	await expect.poll(() => offsetOf('many-40')).toBeGreaterThan(0)
	const scrolled = offsetOf('many-40')
	const top = names().reduce((one, other) => ((offsetOf(other) ?? 900) < (offsetOf(one) ?? 900) ? other : one))
	listed = listed.filter(({ name }) => name !== 'a-first' && name !== top)
	await press('F5')
	await expect.poll(() => panel().getByRole('grid').element().getAttribute('aria-rowcount')).toBe('65')
	await expect.poll(() => offsetOf('many-40')).toBe(scrolled)
})

test('the page and the list of tables follow what the console does', async () => {
	await press('ControlOrMeta+t')
	await expect.element(page.getByRole('textbox', { name: 'Console' })).toHaveFocus()
	await type('make by-console')
	await press('ControlOrMeta+Enter')
	const question = page.getByRole('dialog').getByRole('button', { name: 'Run it' })
	await question.click()
	await expect.element(sidebar().getByRole('button', { name: 'by-console' })).toBeVisible()
	await page.getByRole('tab', { name: 'Tables' }).click()
	await expect.element(row('by-console')).toBeVisible()
})

test('the menu of a table in the sidebar leads to the actions on it, and an action is reviewed there', async () => {
	const books = page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).first()
	await books.click({ button: 'right' })
	await menuItem('Actions …').click()
	const sheet = page.getByRole('dialog', { name: 'Actions for books' })
	await expect.element(sheet.getByRole('button', { name: 'Copy into …' })).toBeVisible()
	await sheet.getByRole('button', { name: 'Delete', exact: true }).click()
	await page
		.getByRole('dialog', { name: /^Delete books on/ })
		.getByRole('button', { name: 'Delete' })
		.click()
	await expect.element(sheet).not.toBeInTheDocument()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['drop books'])
	await expect.element(books).not.toBeInTheDocument()
})

/** Runs the deletion of books from the sidebar, and lets it go on behind the window. */
async function deleteBehind(): Promise<void> {
	page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).first().element().focus()
	await press('Delete')
	const question = page.getByRole('dialog', { name: /^Delete books on/ })
	await question.getByRole('button', { name: 'Delete' }).click()
	await question.getByRole('button', { name: 'Run in the background' }).click()
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
}
const message = (text: string) =>
	page.getByRole('region', { name: 'Messages' }).getByRole('listitem').filter({ hasText: text })

test('an action goes on behind the window with its message, and its end leaves another sheet alone', async () => {
	const release = window.host.hold('console.run')
	await deleteBehind()
	await expect.element(message('Delete books').getByRole('button', { name: 'Stop' })).toBeVisible()
	const places = page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'places' }).first()
	await places.click({ button: 'right' })
	await menuItem('Actions …').click()
	const sheet = page.getByRole('dialog', { name: 'Actions for places' })
	await expect.element(sheet).toBeVisible()
	release()
	await expect.element(message('Delete books: done.')).toBeVisible()
	await expect.element(sheet).toBeVisible()
	await press('Escape')
	await expect
		.element(page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }))
		.not.toBeInTheDocument()
})

test('an action behind the window is stopped by its message, and a failure of one stays until it is read', async () => {
	const release = window.host.hold('console.run')
	await deleteBehind()
	await message('Delete books').getByRole('button', { name: 'Stop' }).click()
	await expect.element(message('Delete books: stopped. Changes that were made are kept.')).toBeVisible()
	await deleteBehind()
	window.host.fail('console.run', 'The disk is full.')
	release()
	await expect.element(message('Delete books failed. The disk is full.')).toBeVisible()
})

test('the question of an action in the sidebar has the nouns of the engine', async () => {
	const rows = { columns: ['_id'], changes: [{ before: ['7'] }] }
	const effect = { place: 'shop', tables: [{ table: 'books', inserted: 0, updated: 0, deleted: 3, rows }] }
	window.host.answer({
		'console.review': ({ statements }) => ({
			review: 'reviewed',
			statements: statements.map(({ text }) => ({ text, access: 'destructive', effect })),
		}),
	})
	page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).first().element().focus()
	await press('Delete')
	await expect.element(page.getByRole('dialog').getByText('1 of 3 documents of books')).toBeVisible()
})

test('Delete in the sidebar asks at once whether the table is removed, and Escape leaves it', async () => {
	const books = page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).first()
	const question = page.getByRole('dialog', { name: /^Delete books on/ })
	// A list that is read again while the key is on its way takes the focus with it.
	await expect
		.poll(async () => {
			books.element().focus()
			await press('Delete')
			return question.query()
		})
		.not.toBeNull()
	await press('Escape')
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
	await books.click({ button: 'right' })
	await page.getByRole('menuitem', { name: /^Delete …/ }).click()
	await question.getByRole('button', { name: 'Delete' }).click()
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['drop books'])
})

test('the tab of a table that Delete in the sidebar removes closes', async () => {
	const books = page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).first()
	await books.click()
	const tab = page.getByRole('tab', { name: 'books', exact: true })
	await expect.element(tab).toBeVisible()
	books.element().focus()
	await press('Delete')
	await page
		.getByRole('dialog', { name: /^Delete books on/ })
		.getByRole('button', { name: 'Delete' })
		.click()
	await expect.element(tab).not.toBeInTheDocument()
})

test('an action with a form shows why its values are refused, and fills a text for the console', async () => {
	window.host.fail('tables.fillAction', 'A name has no spaces.', 'driver/invalid_argument')
	await chooseAll('books', 'places')
	await act('Copy into …')
	const dialog = page.getByRole('dialog', { name: 'Copy into' })
	await dialog.getByLabelText('Target').fill('two words')
	await press('Enter')
	await expect.element(dialog.getByText('A name has no spaces.')).toBeVisible()
	expect(await violations()).toEqual([])
	window.host.answer({ 'tables.fillAction': ({ filled }) => `copy ${filled.tables.join()} to ${filled.values.to}` })
	await dialog.getByLabelText('Target').fill('archive')
	await dialog.getByRole('button', { name: 'Open in the console' }).click()
	await expect.element(dialog).not.toBeInTheDocument()
	await expect.element(page.getByText('copy books,places to archive')).toBeVisible()
	expect(window.host.callsOf('console.run')).toEqual([])
})

test('an action with a form that can run shows its text for review, runs, and says how it ended', async () => {
	const form = { id: 'copy', fields: [{ key: 'to', label: 'Target', type: 'text' as const }], canRun: true }
	const run = window.host.callsOf('console.run').length
	window.host.answer({
		'tables.actions': () => [{ label: 'Copy into …', text: '', form }],
		'tables.fillAction': ({ filled }) => `make ${filled.values.to}`,
	})
	await chooseAll('books')
	await act('Copy into …')
	const dialog = page.getByRole('dialog', { name: /Copy into/ })
	await expect.element(page.getByRole('dialog', { name: 'Copy into · books', exact: true })).toBeVisible()
	await dialog.getByLabelText('Target').fill('archive')
	expect(await violations()).toEqual([])
	await dialog.getByRole('button', { name: 'Review and run' }).click()
	await expect.element(dialog.getByText('make archive')).toBeVisible()
	expect(window.host.callsOf('console.run')).toHaveLength(run)
	await dialog.getByRole('button', { name: 'Copy into' }).click()
	await expect.poll(() => window.host.callsOf('console.run').at(-1)?.statement.text).toBe('make archive')
	await expect.element(dialog).not.toBeInTheDocument()
})

test('an action without a table begins a text in the console', async () => {
	await panel().getByRole('button', { name: 'New', exact: true }).click()
	await menuItem('Create a table …').click()
	await expect.element(page.getByRole('tabpanel', { name: 'Console' }).getByText('create table')).toBeVisible()
})

test('in the sidebar, a long name is cut in the middle and keeps its accessible name', async () => {
	const name = 'logs-shop-of-the-whole-warehouse-in-europe-2026.10.30'
	listed = [{ name }, { name: 'logs-shop-2026.10.30', rowCount: 131_440_000, isRowCountEstimated: true }]
	const line = sidebar().getByRole('button', { name })
	await chooseOfConnection('Sample', 'Reload')
	await expect.element(line).toBeVisible()
	expect(line.element().getAttribute('title')).toBe(name)
	const part = (selector: string) => line.element().querySelector(selector) ?? expect.unreachable()
	expect(part('.table-text-tail').textContent).toBe('2026.10.30')
	const right = (element: Element) => element.getBoundingClientRect().right
	expect(right(part('.table-text-tail'))).toBeLessThan(right(line.element()))
	expect(part('.table-text-head').scrollWidth).toBeGreaterThan(part('.table-text-head').clientWidth)
	const short = sidebar().getByRole('button', { name: 'logs-shop-2026.10.30 ≈ 131,440,000' }).element()
	expect(short.querySelector('.table-text-tail')?.textContent).toBe('2026.10.30')
	const count = short.querySelector('.table-count') ?? expect.unreachable()
	// One line.
	expect(count.getBoundingClientRect().height).toBeLessThan(30)
	expect(right(count)).toBeLessThan(right(short))
})
