import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeBooks } from '../../testing/books.ts'
import type { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow, type TablePanel } from '../../testing/fake-window.tsx'
import { press } from '../../testing/keys.ts'
import { fakeLogs } from '../../testing/logs.ts'

/** The statistics of a column beside the grid: its numbers and its top values, which filter. */

let table: FakeTable
let books: TablePanel

beforeEach(async () => {
	table = fakeBooks()
	books = await (await openWindow({ tables: [table] })).openTable('books')
})

const panel = (column: string) => page.getByRole('complementary', { name: `Statistics of ${column}` })
const chip = (name: string) => expect.element(books.root.getByRole('button', { name, exact: true })).toBeVisible()

test('statistics show the numbers and the top values of a column, and a value filters', async () => {
	await books.cell(0, 'country').click({ button: 'right' })
	await page.getByRole('menuitem', { name: /^Top values/ }).click()
	const country = panel('country')
	await expect.element(country.getByText('60', { exact: true }).first()).toBeVisible()
	const first = () => country.getByRole('list').getByRole('button').first()
	await expect.element(first().getByText(/\d+\.\d %$/)).toBeVisible()
	await expect.element(first().getByText('NG')).toBeVisible()
	const share = Number.parseFloat(first().element().querySelector('.statistics-count:last-child')?.textContent ?? '')
	const bar = first().element().querySelector<HTMLElement>('.statistics-bar')
	expect(Number.parseFloat(bar?.style.width ?? '')).toBeCloseTo(share, 0)
	await first().click()
	await chip('country is NG')
	await expect.poll(() => country.getByRole('list').getByRole('listitem').elements().length).toBe(1)
	await country.getByRole('button', { name: 'Close the statistics' }).click()
	await expect.element(country).not.toBeInTheDocument()
})

test('a reload of the table reads the statistics again', async () => {
	await books.cell(0, 'country').click()
	await press('Alt+t')
	await expect.element(panel('country').getByText('60', { exact: true }).first()).toBeVisible()
	table.add([61, 'Book 61', 'PE', 1950, null, '2026-01-01T00:00:00.000Z', null])
	await books.more('Reload')
	await expect.element(panel('country').getByText('61', { exact: true }).first()).toBeVisible()
})

test('the bars of a column of numbers filter by keys, and the filter is removed by a key', async () => {
	await books.cell(0, 'born').click()
	await press('Alt+t')
	await expect.element(panel('born').getByText('Smallest')).toBeVisible()
	const bars = panel('born').getByRole('slider', { name: 'rows by born' })
	await expect.element(bars).toBeVisible()
	bars.element().focus()
	await press('Home')
	const words = bars.element().getAttribute('aria-valuetext') ?? ''
	const [, from = '', to = ''] = /^([\d,]+) – ([\d,]+): /.exec(words) ?? []
	await press('Enter')
	await chip(`born is at least ${from.replace(',', '')}`)
	await chip(`born is less than ${to.replace(',', '')}`)
	bars.element().focus()
	await press('Backspace')
	await expect.element(books.root.getByText('60 rows', { exact: true })).toBeVisible()
})

test('values of a column by which the engine cannot group are counted in the loaded rows, which is said', async () => {
	const refusal = 'message cannot be aggregated: it is text.'
	const window = await openWindow({ tables: [fakeLogs()] })
	const logs = await window.openTable('logs-app')
	window.host.answer({
		'rows.aggregate': () => {
			throw new Error(refusal)
		},
	})
	await logs.cell(0, 'message').click()
	await press('Alt+t')
	const message = panel('message')
	await expect
		.element(message.getByText(/^Counted in the \d+ rows that are loaded\. message cannot be aggregated/))
		.toBeVisible()
	await expect.element(message.getByRole('alert')).not.toBeInTheDocument()
	await expect.element(message.getByRole('button', { name: /^POST \/login 401 in 95 ms.*20\.0 %$/ })).toBeVisible()
	const head = message.element().querySelector('.row-panel-head')
	expect(head?.scrollHeight).toBe(head?.clientHeight)
})
