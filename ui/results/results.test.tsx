import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Cell, ConsoleResult } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { FakeDownloads } from '../testing/downloads.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { FakeTable } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseEntry } from '../testing/menu.ts'

/** The result of a statement: its rows, charts and whole answer, and what a user copies from it and opens. */

let window: FakeWindow
let panel: ConsolePanel
let clipboard: FakeClipboard

const number = { kind: 'number' } as const
const json = '{"hits":{"hits":[{"_source":{"barcode":17144233728206122483}}]},"took":1}'
const raw = new TextEncoder().encode(json)
const numbered = (count: number) =>
	Array.from({ length: count }, (_, n): readonly Cell[] => [
		n + 1,
		{ number: `${(1.1 * (n + 1)).toFixed(2)}` },
		`row ${n + 1}`,
	])

/** So many that they are sorted in several slices. */
const many = Array.from({ length: 60_000 }, (_, n): readonly Cell[] => [n, `${(n * 7919) % 60_000}`])

/** Results by statement. */
const answers: Readonly<Record<string, () => Partial<ConsoleResult>>> = {
	'select barcode': () => ({
		body: rowsBody({ barcode: number }, [[{ number: '17144233728206122483' }]]),
		raw,
	}),
	'select words': () => ({
		body: rowsBody({ id: number, note: {}, word: {} }, [
			[1, null, 'a'],
			[2, '', 'b'],
		]),
	}),
	'select lines': () => ({
		body: rowsBody({ at: { isKey: false }, message: {}, _id: { isKey: true } }, [['08:00', 'Read timed out', 'a1']]),
	}),
	'select numbers': () => ({
		body: rowsBody({ n: number, price: { kind: 'number', type: 'numeric' }, name: {} }, numbered(1500)),
	}),
	'select many': () => ({ body: rowsBody({ n: number, word: {} }, many) }),
	'select wide': () => ({
		body: rowsBody(
			Object.fromEntries([...'abcdefg'].map(name => [name, {}])),
			Array.from({ length: 1500 }, (_, row) => [...'abcdefg'].map((__, at) => `${at} of ${row}`)),
		),
	}),
	'select groups': () => ({
		body: rowsBody(
			{ level: {}, count: number },
			[
				['info', 3],
				['warn', 2],
				['error', 1],
			],
			{ chart: { by: 'level', isTime: false, values: ['count'] }, totals: [{ name: 'slowest', value: 12 }] },
		),
	}),
	'select months': () => ({
		body: rowsBody(
			{ month: { kind: 'date' }, count: number },
			[1, 2, 3].map(month => [`2026-0${month}-01T00:00:00.000Z`, month]),
			{ chart: { by: 'month', isTime: true, values: ['count'] } },
		),
	}),
	'select days': () => ({
		body: rowsBody({ day: { kind: 'date' }, count: { kind: 'number' } }, [
			['2026-01-01', 3],
			['2026-01-02', 5],
		]),
	}),
	'select long': () => ({
		body: rowsBody({ long: {}, cut: {} }, [[`${'long '.repeat(300)}end`, { text: 'x'.repeat(100), cutFrom: 20_000 }]]),
	}),
	'select first': () => ({ status: 'SELECT', body: rowsBody({ n: number }, [[1]], { isTruncated: true }) }),
	'select books': () => ({
		body: rowsBody(
			{ title: {}, id: number },
			[1, 2, 3, 4, 5].map(id => [`Book ${id}`, id]),
			{ origins: [{ table: 'books', key: [{ column: 'id', at: 1 }], columns: [0, 1], names: ['name', 'id'] }] },
		),
	}),
	'select orders': () => ({
		body: rowsBody({ id: number, book: number }, [[1, 7]], {
			origins: [{ table: 'orders', key: [{ column: 'id', at: 0 }], columns: [0, 1] }],
			references: [{ table: 'books', key: [{ column: 'id', at: 1 }], columns: [1] }],
		}),
	}),
	'select twice': () => {
		const body = rowsBody({ id: number, other: number }, [[1, 2]])
		if (body.view !== 'rows') expect.unreachable()
		return { body: { ...body, columns: body.columns.map(column => ({ ...column, name: 'id' })) } }
	},
	'show text': () => ({ body: { view: 'text', text: 'books\nplaces' } }),
}

beforeEach(async () => {
	clipboard = new FakeClipboard()
	const orders = new FakeTable('orders', { columns: { id: number }, rows: [[1]] })
	window = await openWindow({
		tables: [fakeBooks(), orders],
		manifest: { console: fakeLanguage({ canExport: true, transaction: { commit: 'commit', rollback: 'rollback' } }) },
		answers: consoleAnswers({
			run: text => answers[text]?.() ?? { body: rowsBody({ [text.slice(7)]: number }, [[1]]) },
		}),
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const result = () => panel.runs.first()
const answer = () => result().getByRole('textbox', { name: 'the answer', exact: true })
const answerText = () => (answer().query() as HTMLElement | null)?.innerText
const see = (view: string) => result().getByText(view, { exact: true }).click()
const cell = (name: string) => result().getByRole('gridcell', { name, exact: true })
const choose = chooseEntry
const dialog = () => page.getByRole('dialog')
const isCopied = (text: string | RegExp) => expect.poll(() => clipboard.text).toMatch(text)
const copied = (text: string) => expect.poll(() => clipboard.text).toBe(text)
/** The text of the focused cell. */
const current = () => result().element().querySelector('.grid-cell.current')?.textContent
const summary = () => result().getByRole('status').filter({ hasText: 'cells' }).query()?.textContent

test('a key that does not come first stays in its place', async () => {
	await panel.run('select lines')
	const headers = () => [...result().element().querySelectorAll('.grid-header-name')]
	await expect.poll(() => headers().map(({ textContent }) => textContent)).toEqual(['at', 'message', '_id'])
})

test('a result opens as rows, and its JSON is the complete answer with every digit', async () => {
	await panel.run('select barcode')
	await expect.element(result().getByRole('columnheader', { name: 'barcode' })).toBeVisible()
	await see('JSON')
	await expect.poll(answerText).toContain('"took"')
	expect(answerText()).toContain('17144233728206122483')
	expect(result().element().querySelectorAll('.cm-foldGutter span[title="Fold line"]').length).toBeGreaterThan(2)
})

test('the name of a single column is whole above a short value', async () => {
	await panel.run('select total_count')
	const name = panel.runs.getByText('total_count', { exact: true }).element()
	expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth)
})

test('the JSON is searched and folded', async () => {
	await panel.run('select barcode')
	await see('JSON')
	await answer().click()
	await press('ControlOrMeta+f')
	await type('barcode')
	await expect.element(result().getByText('1 of 1')).toBeVisible()
	await press('Escape')
	const fold = result().element().querySelector('.cm-foldGutter span[title="Fold line"]')
	await page.elementLocator(fold ?? expect.unreachable()).click()
	await expect.poll(() => result().element().querySelector('.cm-foldPlaceholder')).not.toBeNull()
	expect(answerText()).not.toContain('17144233728206122483')
})

test('the answer is copied and saved unchanged', async () => {
	const downloads = new FakeDownloads()
	await panel.run('select barcode')
	await result().getByRole('button', { name: 'Copy the answer' }).click()
	await copied(json)
	await result().getByRole('button', { name: 'Save the answer to a file' }).click()
	await expect.poll(() => downloads.names).toEqual(['answer.json'])
	expect(await downloads.text()).toBe(json)
})

test('plain text is shown unchanged', async () => {
	await panel.run('show text')
	await expect.poll(answerText).toBe('books\nplaces')
	expect(result().getByRole('radiogroup').elements()).toEqual([])
})

test('values over all rows are separate, and groups have a chart of bars', async () => {
	await panel.run('select groups')
	await expect.element(result().getByRole('region', { name: 'Over all rows' }).getByText('slowest')).toBeVisible()
	await see('Chart')
	await expect.element(result().getByRole('img', { name: /^count by level, \d values$/ })).toBeVisible()
	expect(result().element().querySelectorAll('.chart-bar')).toHaveLength(3)
	const table = result().getByRole('table', { name: 'count by level' })
	await expect.element(table.getByRole('rowheader', { name: 'info' })).toBeInTheDocument()
})

test('values over time have a chart of a curve', async () => {
	await panel.run('select months')
	await see('Chart')
	await expect.poll(() => result().element().querySelector('.chart-curve')).not.toBeNull()
})

test('two columns have a chart that the driver did not name', async () => {
	await panel.run('select days')
	await see('Chart')
	await expect.element(result().getByRole('img', { name: /^count by day/ })).toBeVisible()
})

test('a cell has a menu that copies it, its row and all rows, and tells NULL from an empty text', async () => {
	await panel.run('select words')
	await cell('a').click({ button: 'right' })
	await choose('Copy as TSV Ctrl+C')
	await copied('a')
	for (const [entry, text] of [
		['Copy with column names', 'word\nb'],
		['Copy the row with column names', 'id\tnote\tword\n2\t\tb'],
		['Copy the rows as CSV', 'id,note,word\r\n1,,a\r\n2,"",b'],
		['Copy the rows as NDJSON', '{"id":1,"note":null,"word":"a"}\n{"id":2,"note":"","word":"b"}'],
	] as const) {
		await cell('b').click({ button: 'right' })
		await choose(entry)
		await copied(text)
	}
	await cell('a').click()
	await press('ArrowLeft')
	await press('Enter')
	await expect.element(dialog().getByText('There is no value here (null).')).toBeVisible()
})

test('a cell is reached and copied by keys', async () => {
	await panel.run('select words')
	await cell('1').click()
	await press('ArrowDown')
	await press('End')
	await press('ControlOrMeta+c')
	await copied('b')
	await press('Shift+F10')
	await choose('Copy the row')
	await copied('2\t\tb')
	await expect.element(result().getByRole('grid')).toHaveFocus()
	expect(current()).toBe('b')
	await press('ControlOrMeta+Home')
	await press('ControlOrMeta+c')
	await copied('1')
})

test('a copied row keeps NULL and an empty text apart in a table of the window', async () => {
	const target = await window.openListedTable('books')
	for (const [of, title] of [
		['b', '""'],
		['a', 'null'],
	] as const) {
		await page.getByRole('tab', { name: 'Console' }).click()
		await panel.run('select words')
		await cell(of).click({ button: 'right' })
		await choose('Copy the row')
		await isCopied(/\t/)
		await page.getByRole('tab', { name: 'books' }).click()
		await target.cell(0, 'id').click()
		clipboard.paste()
		await expect.poll(() => target.texts('title')[0]).toBe(title)
	}
})

test('a long value opens whole, and a cut one says how much of it was read', async () => {
	await panel.run('select long')
	await result().getByRole('gridcell').first().click()
	await press('Enter')
	await expect.element(dialog().getByText(/end$/)).toBeVisible()
	await press('Escape')
	await expect.element(dialog()).not.toBeInTheDocument()
	await result().getByRole('gridcell').last().click({ button: 'right' })
	await choose('Show the whole value Enter')
	await expect.element(dialog().getByText('Only the first 100 of 20,000 characters were read.')).toBeVisible()
	await press('Escape')
	await expect.element(dialog()).not.toBeInTheDocument()
	await result().getByRole('gridcell').last().click({ button: 'right' })
	await choose('Copy as TSV Ctrl+C')
	await expect.element(page.getByText('Some values are cut. Only their first characters were copied.')).toBeVisible()
})

test('a range is selected by Shift, is summed up, and is copied as text and as CSV', async () => {
	await panel.run('select numbers')
	await cell('2.20').click()
	await press('Shift+ArrowDown')
	await press('Shift+ArrowLeft')
	await expect.poll(summary).toBe('4 cellssum 10.5, average 2.625, least 2, greatest 3.3')
	await press('ControlOrMeta+c')
	await copied('2\t2.20\n3\t3.30')
	await cell('2').click({ button: 'right' })
	await choose('Copy as CSV')
	await copied('n,price\r\n2,2.20\r\n3,3.30')
})

test('a range that is too large for a sum says so', async () => {
	await panel.run('select wide')
	await expect.element(cell('0 of 0')).toBeVisible()
	await cell('0 of 0').click()
	await press('ControlOrMeta+a')
	await expect.poll(summary).toBe('10,500 cellsno sum of more than 10,000')
})

test('a range is selected by dragging, and a row by its number', async () => {
	await panel.run('select numbers')
	const [from, to] = [cell('row 1'), cell('4.40')]
	await expect.element(to).toBeVisible()
	const send = (type: string, { left, top }: DOMRect, on: Element) =>
		on.dispatchEvent(new MouseEvent(type, { clientX: left + 8, clientY: top + 8, bubbles: true, buttons: 1 }))
	for (const [type, locator] of [
		['mousedown', from],
		['mousemove', to],
		['mouseup', to],
	] as const)
		send(type, locator.element().getBoundingClientRect(), locator.element())
	await expect.poll(summary).toBe('8 cells4 numbers: sum 11, average 2.75, least 1.1, greatest 4.4')
	await result().getByRole('rowheader', { name: '5', exact: true }).click()
	await press('ControlOrMeta+c')
	await copied('5\t5.50\trow 5')
})

test('keys reach rows that are far away, of which only those in view are drawn', async () => {
	await panel.run('select numbers')
	await cell('2.20').click()
	await press('ControlOrMeta+End')
	await expect.poll(current).toBe('row 1500')
	expect(result().getByRole('row').elements().length).toBeLessThan(100)
	await press('Shift+ControlOrMeta+Home')
	await expect.poll(summary).toMatch(/^4,500 cells3,000 numbers: /)
	await expect
		.element(result().getByRole('columnheader', { name: /^price/ }))
		.toHaveAttribute('title', expect.stringContaining('numeric'))
})

test('a single result fills the height of the pane', async () => {
	await panel.run('select numbers')
	const box = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
	const table = () => box(result().getByRole('grid').query()?.parentElement)
	await expect.poll(() => table().height).toBeGreaterThan(300)
	const pane = panel.root.getByRole('region', { name: 'Results' })
	expect(box(result().element()).bottom).toBeLessThanOrEqual(box(pane.element()).bottom + 1)
})

test('a sorted column of a cut result says that its order is of the first rows', async () => {
	await panel.run('select first')
	await result().getByRole('columnheader', { name: /^n/ }).click()
	await expect
		.element(
			result()
				.getByRole('columnheader')
				.getByText(/of the .*first/),
		)
		.toBeVisible()
	await panel.run('select words')
	await result().getByRole('columnheader', { name: /^id/ }).click()
	expect(
		result()
			.getByRole('columnheader')
			.getByText(/of the .*first/)
			.elements(),
	).toEqual([])
})

test('all rows of a statement that reads can be exported, and a failed export shows why', async () => {
	window.host.answer({ 'exports.beginStatement': () => ({ id: 'e1' }), 'exports.cancel': () => null })
	await panel.run('select first')
	await expect.element(result().getByText('SELECT, first 1 row')).toBeVisible()
	await result().getByRole('button', { name: 'Export all rows' }).click()
	await expect.element(dialog().getByText('It runs in the session of this console')).toBeVisible()
	expect(dialog().getByText('It sees the open transaction').elements()).toEqual([])
	await dialog().getByLabelText('Format').selectOptions('ndjson')
	await dialog().getByRole('button', { name: 'Export', exact: true }).click()
	await expect
		.poll(() => window.host.callsOf('exports.beginStatement'))
		.toMatchObject([{ session: 1, statement: { text: 'select first' }, options: { format: 'ndjson' } }])
	window.host.emit('export.changed', { id: 'e1', state: 'failed', rows: 0, message: 'It may only read.' })
	await expect.element(dialog().getByText('It may only read.')).toBeVisible()
})

test('an export in an open transaction says that it sees it', async () => {
	await panel.run('begin; select words')
	await panel.tab('select words').click({ button: 'right' })
	await choose('Export all rows')
	await expect.element(dialog().getByText('It sees the open transaction, which stays open.')).toBeVisible()
})

test('the rows of a write are not offered for export', async () => {
	await panel.run('insert words')
	await panel.tab('insert words').click({ button: 'right' })
	await expect.element(page.getByRole('menuitem', { name: 'Remove' })).toBeVisible()
	expect(page.getByRole('menuitem', { name: 'Export all rows' }).elements()).toEqual([])
})

test('rows of a result open in their table', async () => {
	await panel.run('select books')
	await cell('2').click()
	await press('Shift+ArrowDown')
	await press('F12')
	const books = page.getByRole('tabpanel', { name: 'books', exact: true })
	await expect.element(books.getByRole('button', { name: /^id is one of 2, 3$/ })).toBeVisible()
	await expect.element(books.getByText('2 rows', { exact: true })).toBeVisible()
	await page.getByRole('tab', { name: 'Console' }).click()
	await cell('5').click()
	await press('Alt+Enter')
	await dialog().getByRole('button', { name: 'Edit in books' }).click()
	await expect.element(books.getByRole('button', { name: /^id is 5$/ })).toBeVisible()
})

test('rows of one table are copied as the statements that insert them, by the names of its columns', async () => {
	await panel.run('select books')
	await cell('2').click()
	await press('Shift+ArrowDown')
	await cell('3').click({ button: 'right' })
	await choose('Copy as inserts into books')
	await copied('insert into books {"name":"Book 2","id":2};\ninsert into books {"name":"Book 3","id":3};')
	await expect.element(page.getByText('Copied 2 statements.')).toBeVisible()
	// Most drivers of SQL end each statement themselves.
	window.host.answer({ 'changes.copy': () => ['insert into books (id) values (3);'] })
	await cell('3').click({ button: 'right' })
	await choose('Copy as inserts into books')
	await copied('insert into books (id) values (3);')
	await panel.run('select orders')
	await cell('7').click({ button: 'right' })
	await expect.element(page.getByRole('menuitem', { name: 'Edit in orders' })).toBeVisible()
	expect(page.getByRole('menuitem', { name: /inserts into/ }).elements()).toEqual([])
})

test('a value that refers to a row leads there, and the table opens whole afterwards', async () => {
	await panel.run('select orders')
	await cell('7').click()
	await press('F12')
	const books = page.getByRole('tabpanel', { name: 'books', exact: true })
	await expect.element(books.getByRole('button', { name: 'id is 7', exact: true })).toBeVisible()
	await expect.element(books.getByText('1 row', { exact: true })).toBeVisible()
	await page.getByRole('tab', { name: 'Console' }).click()
	await cell('7').click({ button: 'right' })
	for (const name of ['Go to books', 'Edit in orders'])
		await expect.element(page.getByRole('menuitem', { name })).toBeVisible()
	await press('Escape')
	await page.getByRole('button', { name: /^Close books/ }).click()
	const whole = await window.openListedTable('books')
	await expect.element(whole.root.getByText('60 rows', { exact: true })).toBeVisible()
})

test('rows are filtered by the value of a cell, and the chip says of how many rows', async () => {
	await panel.run('select groups')
	await cell('warn').click()
	await press('-')
	await expect.poll(() => result().getByRole('gridcell', { name: 'warn', exact: true }).elements()).toHaveLength(0)
	await expect.element(result().getByText('2 of the 3 rows')).toBeVisible()
	await cell('info').click()
	await press('=')
	await expect.element(result().getByText('1 of the 3 rows')).toBeVisible()
	await result().getByRole('button', { name: 'Remove the filter level is not warn' }).click()
	await result().getByRole('button', { name: 'Remove the filter level is info' }).click()
	await expect.element(cell('warn')).toBeVisible()
})

test('of several orders of many rows the last one counts, and they are filtered', async () => {
	await panel.run('select many')
	const header = (name: RegExp) => result().getByRole('columnheader', { name })
	const first = () => result().getByRole('gridcell').first().element().textContent
	await header(/^word/).click()
	await header(/^n/).click()
	await header(/^n/).click()
	await expect.poll(first).toBe('59999')
	await expect.element(result().getByText('sorted by this window')).toBeVisible()
	await expect.element(result().getByText('arranging rows…')).not.toBeInTheDocument()
	await result().getByRole('gridcell').nth(1).click()
	await press('=')
	await expect.element(result().getByText('1 of the 60,000 rows')).toBeVisible()
	expect(first()).toBe('59999')
})

test('a text is found in the rows of a result, and columns are sorted one within the other, moved and hidden', async () => {
	await panel.run('select numbers')
	await cell('2.20').click()
	await press('ControlOrMeta+f')
	await type('row 1400')
	await expect.poll(current).toBe('row 1400')
	await press('Escape')
	const header = (name: RegExp) => result().getByRole('columnheader', { name })
	await header(/^name/).click({ button: 'right' })
	await choose('Sort descending')
	await expect.element(cell('row 1500')).toBeVisible()
	await header(/^price/).click({ button: 'right' })
	await choose('Hide column')
	await expect.element(header(/^price/)).not.toBeInTheDocument()
})

test('two columns of one name are two columns, and are copied with their names', async () => {
	await panel.run('select twice')
	await cell('1').click()
	await press('ControlOrMeta+a')
	await cell('1').click({ button: 'right' })
	await choose('Copy with column names')
	await copied('id\tid\n1\t2')
})
