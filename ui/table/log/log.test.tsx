import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import { FakeClipboard } from '../../testing/clipboard.ts'
import { FakeTable } from '../../testing/fake-tables.ts'
import { type FakeWindow, openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press, type } from '../../testing/keys.ts'
import { fakeLogs } from '../../testing/logs.ts'

/** What a table in time shows at first, and that the user's arrangement wins. */

let window: FakeWindow
let logs: TablePanel

const first = ['@timestamp', 'level', 'service.name', 'host.name', 'message']

beforeEach(async () => {
	window = await openWindow({ tables: [fakeLogs(), fakeBooks()] })
	logs = await window.openTable('logs-app')
})

const columns = () => expect.poll(() => logs.columns())

async function show(name: string): Promise<void> {
	await logs.root.getByRole('button', { name: 'Columns', exact: true }).click()
	await page.getByRole('checkbox', { name, exact: true }).click()
	await press('Escape')
	await expect.element(page.getByLabelText('Search columns')).not.toBeInTheDocument()
}

test('a log shows time, level, sources and message, which takes the room that is left', async () => {
	await columns().toEqual(first)
	const grid = logs.grid.element()
	expect(grid.scrollWidth).toBe(grid.clientWidth)
	const right = () => Math.round(logs.header('message').getBoundingClientRect().right)
	expect(Math.abs(right() - Math.round(grid.getBoundingClientRect().left + grid.clientWidth))).toBeLessThanOrEqual(1)
})

test('a column that the user shows stays after a reload, and so do the hidden ones', async () => {
	await show('service.version')
	await columns().toEqual([...first, 'service.version'])
	await window.open()
	logs = await window.openTable('logs-app')
	await columns().toEqual([...first, 'service.version'])
})

test('an arrangement of all columns that was stored earlier wins', async () => {
	const stored = { sizing: {}, visibility: { '@timestamp': false }, order: [] }
	window = await openWindow({ tables: [fakeLogs()], preferences: { 'columns/c1/logs-app': stored } })
	logs = await window.openTable('logs-app')
	await expect.poll(() => logs.columns().slice(0, 3)).toEqual(['_id', '_index', 'message'])
})

test('a table whose columns are those of a log is one, whatever the engine says of its order', async () => {
	const table = new FakeTable('audit', {
		columns: { id: { kind: 'number' }, at: { kind: 'date' }, severity: {}, message: {}, detail: {} },
		rows: Array.from({ length: 20 }, (_, at) => [at, new Date(at).toISOString(), 'info', `did ${at}`, 'x']),
	})
	window = await openWindow({ tables: [table] })
	logs = await window.openTable('audit')
	await columns().toEqual(['at', 'severity', 'message'])
})

const range = () => logs.root.getByLabelText('Time range', { exact: true })
const written = (newest: number, count: number) => fakeLogs(count, newest)

test('a log that is written now opens at the last 15 minutes, and at what the user chose later', async () => {
	window = await openWindow({ tables: [written(Date.now(), 3_000)] })
	logs = await window.openTable('logs-app')
	await expect.element(range()).toHaveValue('15m')
	await expect.poll(() => logs.texts('level').length).toBeGreaterThan(10)
	await expect.element(page.getByRole('button', { name: 'Back', exact: true })).not.toBeInTheDocument()
	await range().selectOptions('All time')
	await expect.element(logs.root.getByText('3,000 rows', { exact: true }).first()).toBeVisible()
	await page.getByRole('button', { name: 'Close logs-app' }).click()
	logs = await window.openListedTable('logs-app')
	await expect.element(range()).toHaveValue('all')
})

test('the header has the zone of the times, which have their dates in a range longer than a day', async () => {
	await page.viewport(1440, 900)
	window = await openWindow({ tables: [written(Date.now(), 3_000)] })
	logs = await window.openTable('logs-app')
	await expect.poll(() => logs.texts('@timestamp')[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
	const header = () => logs.header('@timestamp')
	await expect.poll(() => header().textContent).toBe('@timestampUTC')
	const name = header().querySelector('.grid-header-name')
	expect(name?.scrollWidth).toBe(name?.clientWidth)
	await logs.cell(0, '@timestamp').click()
	const clipboard = new FakeClipboard()
	await press('ControlOrMeta+c')
	await expect.poll(() => clipboard.text).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
	await range().selectOptions('Last 7 days')
	await expect.poll(() => logs.texts('@timestamp')[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
	await expect.poll(() => header().textContent).toBe('@timestampUTC')
	await page.viewport(1280, 820)
})

/** The names of columns that do not fit, or their parts that do not. */
const cutNames = () =>
	[...logs.grid.element().querySelectorAll('.dotted-name:not(.in-parts), .dotted-path, .dotted-leaf')]
		.filter(name => name.scrollWidth > name.clientWidth)
		.map(name => name.textContent)

test('the headers of the first columns are whole', async () => {
	await page.viewport(1440, 900)
	await columns().toEqual(first)
	// A moment after the window has its width, the columns have theirs.
	await expect.poll(cutNames).toEqual([])
	await page.viewport(1280, 820)
})

test('in a narrow window the level gives way as its sources do, and a name with dots keeps its last part', async () => {
	window = await openWindow({ tables: [written(Date.now(), 3_000)] })
	logs = await window.openTable('logs-app')
	await columns().toEqual(first)
	const width = (name: string) => logs.header(name).getBoundingClientRect().width
	await expect.poll(() => width('level')).toBeLessThanOrEqual(width('service.name'))
	await expect.poll(cutNames).toContain('service.')
	expect(cutNames()).not.toContain('name')
})

test('an old log opens at the last time with rows, which is said', async () => {
	window = await openWindow({ tables: [written(Date.UTC(2026, 4, 3, 12), 3_000)] })
	logs = await window.openTable('logs-app')
	await expect.element(range()).toHaveValue('between')
	await expect.element(logs.root.getByText(/^Newest: .*2026/)).toBeVisible()
	await expect.poll(() => logs.texts('level').length).toBeGreaterThan(10)
	await window.open()
	logs = await window.openTable('logs-app')
	const note = logs.root.getByText(/^Newest: .*2026/)
	await expect.element(note).toBeVisible()
	expect(note.element().scrollWidth).toBeLessThanOrEqual(note.element().clientWidth)
	const chosen = range().element() as HTMLSelectElement
	expect(chosen.selectedOptions[0]?.textContent).toBe('Range')
	await range().selectOptions('Last year (365 days)')
	await expect.element(logs.root.getByText(/^Newest: /)).not.toBeInTheDocument()
})

test('a short log opens with all of its rows', async () => {
	window = await openWindow({ tables: [written(Date.UTC(2026, 4, 3, 12), 40)] })
	logs = await window.openTable('logs-app')
	await expect.element(logs.root.getByText('40 rows', { exact: true }).first()).toBeVisible()
	await expect.element(range()).toHaveValue('all')
})

test('another table shows all of its columns', async () => {
	const books = await window.openListedTable('books')
	await expect.poll(() => books.columns()).toContain('id')
})

test('words of levels and status codes are marked by how bad they are', async () => {
	await show('http.response.status_code')
	const marked = (row: number, column: string) =>
		['is-error', 'is-warning', 'quiet'].find(name => logs.cell(row, column).element().classList.contains(name))
	await expect
		.poll(() => [0, 1, 2, 3].map(row => marked(row, 'level')))
		.toEqual(['quiet', 'is-error', 'is-warning', 'quiet'])
	await logs.scrollTo('http.response.status_code')
	await expect
		.poll(() => [0, 1, 3, 4].map(row => marked(row, 'http.response.status_code')))
		.toEqual(['quiet', 'is-error', undefined, 'is-warning'])
})

test('letters at a cell find text, and Enter edits', async () => {
	await logs.cell(0, 'message').click()
	await type('retry')
	const found = logs.root.getByRole('textbox', { name: 'Find in the loaded rows' })
	await expect.element(found).toHaveValue('retry')
	await expect.element(logs.root.getByText(/^1 of \d+$/)).toBeVisible()
	await press('Escape')
	await press('w')
	await expect.element(found).toHaveValue('w')
	await press('Escape')
	await press('Enter')
	await expect.element(logs.root.getByLabelText('Edit message')).toBeVisible()
})

async function chooseLetters(use: 'find' | 'edit'): Promise<void> {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Appearance' }).click()
	await page.getByLabelText('Typing at a cell').selectOptions(use)
	await press('Escape')
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
}

test('letters begin an edit of a log where the user wants that, and of every other table', async () => {
	await chooseLetters('edit')
	await logs.cell(0, 'message').click()
	await press('r')
	await expect.element(logs.root.getByLabelText('Edit message')).toHaveValue('r')
	await press('Escape')
	const books = await window.openListedTable('books')
	await books.cell(0, 'title').click()
	await press('r')
	await expect.element(books.root.getByLabelText('Edit title')).toHaveValue('r')
	await press('Escape')
	await chooseLetters('find')
})

test('a message has one line or three, the row in view stays, and the next window has the same', async () => {
	const height = () => logs.cell(40, 'message').element().getBoundingClientRect().height
	const toggle = async () => {
		await logs.root.getByRole('button', { name: 'Columns', exact: true }).click()
		await page.getByRole('checkbox', { name: 'Three lines of message' }).click()
		await press('Escape')
	}
	logs.grid.element().scrollTo(0, 38 * 28)
	await expect.poll(height).toBe(27)
	await toggle()
	await expect.poll(height).toBe(63)
	await expect.poll(() => Math.round(logs.grid.element().scrollTop / 64)).toBe(38)
	await window.open()
	logs = await window.openTable('logs-app')
	await expect.poll(height).toBe(63)
	await press('ControlOrMeta+Shift+p')
	await type('three of message')
	await press('Enter')
	await expect.poll(height).toBe(27)
})

test('the buttons of a filter are beside the word of a level, which keeps its place', async () => {
	const word = () => {
		const range = document.createRange()
		range.selectNodeContents(logs.cell(1, 'level').element())
		return range.getBoundingClientRect()
	}
	const before = word()
	await logs.cell(1, 'level').hover()
	const buttons = () => document.querySelector('.hover-filter')?.getBoundingClientRect()
	await expect.poll(() => buttons()?.left ?? 0).toBeGreaterThanOrEqual(before.right)
	// At the word, not at the edge of its cell: there they would stand on the next value.
	expect(buttons()?.left).toBeLessThan(before.right + 4)
	expect(word()).toEqual(before)
})

test('beside an open row the message keeps 320 pixels, others give way, and times stay whole', async () => {
	await page.viewport(1440, 900)
	const width = (name: string) => logs.header(name).getBoundingClientRect().width
	await expect.poll(() => width('service.name')).toBeGreaterThan(100)
	const before = width('service.name')
	await logs.cell(1, 'message').click()
	await press('Space')
	await expect.element(page.getByRole('complementary', { name: 'Row' })).toBeVisible()
	await expect.poll(() => width('message')).toBeGreaterThanOrEqual(320)
	const headers = [...logs.grid.element().querySelectorAll('.grid-header')]
	expect(headers.filter(header => !header.querySelector('svg'))).toEqual([])
	expect(width('service.name')).toBeLessThan(before)
	const time = logs.cell(1, '@timestamp').element()
	expect(time.scrollWidth).toBe(time.clientWidth)
	const grid = logs.grid.element()
	expect(grid.scrollWidth).toBe(grid.clientWidth)
	await page.viewport(1280, 820)
})
