import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, TablePanel } from '../../support/window.ts'

/** Filters by clicks, by keys and by the query bar, the statistics of a column, and saved views. */
let window: SampleWindow
let books: TablePanel
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)
const chips = () => books.root.getByRole('list', { name: 'Filters' })
const chip = (words: string) => chips().getByRole('button', { name: words, exact: true })
const count = (text: string) => books.root.getByText(text, { exact: true }).first().waitFor()
const removeAll = async () => {
	for (
		let left = await chips()
			.getByRole('button', { name: /^Remove/ })
			.count();
		left > 0;
		left--
	)
		await chips()
			.getByRole('button', { name: /^Remove/ })
			.first()
			.click()
	await count('3,003 documents')
	// The rows of the last query may still be shown.
	await expect.poll(() => shown('author.country')).toContain('JP')
}
/** The different values of a column in view. */
const shown = async (column: string) => [...new Set(await (await books.cells(column)).allInnerTexts())]

beforeAll(async () => {
	window = await SampleWindow.open()
	books = await window.openTable('books')
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('the rows with one value open in another tab, in the order and with the columns of this one', async () => {
	const hide = async (panel: TablePanel, name: string) => {
		await panel.header(name).click({ button: 'right' })
		await page().getByRole('menuitem', { name: 'Hide', exact: true }).click()
		await expect.poll(() => panel.header(name).count()).toBe(0)
	}
	await hide(books, 'title')
	await (await books.cell(0, 'author.country')).click()
	await press('=')
	await chip('author.country is NG').waitFor()
	await expect.poll(() => shown('author.country')).toEqual(['NG'])
	const born = await (await books.cell(0, 'author.born')).innerText()
	await (await books.cell(0, 'author.born')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Only this, in another tab/ })
		.click()
	const apart = page().getByRole('tabpanel', { name: 'books', exact: true }).filter({ visible: true })
	await apart.getByRole('button', { name: `author.born is ${born}`, exact: true }).waitFor()
	expect(await apart.getByRole('button', { name: 'author.country is NG', exact: true }).count()).toBe(0)
	await expect.poll(() => page().getByRole('tab').allInnerTexts()).toEqual(['books', 'books (2)'])
	const second = new TablePanel(apart)
	expect(await second.header('title').count()).toBe(0)
	// From then on each has its own columns.
	await hide(second, 'author.name')
	await page().getByRole('tab', { name: 'books', exact: true }).click()
	await books.header('author.name').waitFor()
	await books.root.getByRole('button', { name: 'Columns', exact: true }).click()
	await page().getByRole('button', { name: 'Reset', exact: true }).click()
	await press('Escape')
	await books.header('title').waitFor()
	await page().reload()
	await books.header('title').waitFor()
	await page().getByRole('tab', { name: 'books (2)' }).click()
	await second.header('author.born').waitFor()
	expect(await Promise.all(['title', 'author.name'].map(name => second.header(name).count()))).toEqual([0, 0])
	await press('ControlOrMeta+w')
	await chip('author.country is NG').waitFor()
	await removeAll()
})

test('statistics show the numbers of a column and its top values, which filter', async () => {
	await page().getByRole('tab', { name: 'books', exact: true }).click()
	await (await books.cell(0, 'author.country')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Top values/ })
		.click()
	const panel = page().getByRole('complementary', { name: 'Statistics of author.country' })
	await panel.getByText('3,003').first().waitFor()
	// A reload of the table reads them again.
	for (const [method, rows] of [
		['PUT', '3,004'],
		['DELETE', '3,003'],
	] as const) {
		await window.cluster('/books/_doc/counted?refresh=true', { method, body: method === 'PUT' ? {} : undefined })
		await books.root.getByRole('button', { name: 'Reload', exact: true }).click()
		await panel.getByText(rows).first().waitFor()
	}
	const first = panel.getByRole('list').getByRole('button').first()
	expect(await first.innerText()).toMatch(/\d+\.\d%$/)
	const value = await first.locator('.statistics-text').innerText()
	await first.click()
	await chip(`author.country is ${value}`).waitFor()
	await expect.poll(() => panel.getByRole('list').getByRole('listitem').count()).toBe(1)
	await removeAll()
	await panel.getByRole('button', { name: 'Close the statistics' }).click()
	expect(await panel.count()).toBe(0)
	await (await books.cell(0, 'author.born')).click()
	await press('Alt+t')
	const born = page().getByRole('complementary', { name: 'Statistics of author.born' })
	await born.getByText('Smallest').waitFor()
	// Two decades, by keys.
	const bars = born.getByRole('slider', { name: 'documents by author.born' })
	await bars.focus()
	await press('Home')
	const words = await bars.getAttribute('aria-valuetext')
	const [, from, to] = /^([\d,]+) – ([\d,]+): /.exec(words ?? '') ?? []
	await press('Enter')
	await chip(`author.born is at least ${from?.replace(',', '')}`).waitFor()
	await chip(`author.born is less than ${to?.replace(',', '')}`).waitFor()
	await bars.press('Backspace')
	await count('3,003 documents')
	await born
		.getByText('1832')
		.or(born.getByText(/^18\d\d$/))
		.first()
		.waitFor()
	expect(window.faults).toEqual([])
})

test('a view is saved by name, applied, renamed, copied, deleted and pasted again', async () => {
	const open = () => books.root.getByRole('button', { name: 'Saved views' }).click()
	const menu = page().getByRole('dialog', { name: 'Saved views' })
	await page().getByRole('tab', { name: 'books', exact: true }).click()
	const all = await books.root.getByText(/^[\d,]+ documents$/).innerText()
	await (await books.cell(0, 'author.country')).click()
	await press('=')
	await chip('author.country is NG').waitFor()
	await books.root.getByRole('group', { name: 'Time' }).getByLabel('Time range').selectOption('This year')
	await books.root.getByRole('group', { name: 'Time' }).getByLabel('Time range').selectOption('All time')
	await open()
	await menu.getByLabel('Name of the view').fill('Nigeria')
	await press('Enter')
	await menu.getByRole('button', { name: 'Rename Nigeria' }).click()
	await menu.getByLabel('New name of Nigeria').fill('From Nigeria')
	await press('Enter')
	await page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await menu.getByRole('button', { name: 'Copy From Nigeria as JSON' }).click()
	await press('Escape')
	await chips()
		.getByRole('button', { name: /^Remove/ })
		.click()
	await count(all)
	await press('ControlOrMeta+Shift+p')
	await page().keyboard.type('View: From')
	await press('Enter')
	await chip('author.country is NG').waitFor()
	await open()
	await menu.getByRole('button', { name: 'Delete From Nigeria' }).click()
	await menu.getByText('Save query, filters').waitFor()
	await menu.getByLabel('Name of the view').focus()
	await press('ControlOrMeta+v')
	await menu.getByRole('button', { name: 'From Nigeria', exact: true }).waitFor()
	await press('Escape')
	await chips()
		.getByRole('button', { name: /^Remove/ })
		.click()
	await open()
	await menu.getByRole('button', { name: 'From Nigeria', exact: true }).click()
	await chip('author.country is NG').waitFor()
	// Also while the table is closed.
	for (const isOpen of [true, false]) {
		await chips()
			.getByRole('button', { name: /^Remove/ })
			.click()
		await count(all)
		if (!isOpen) await page().getByRole('button', { name: 'Close books' }).click()
		await press('ControlOrMeta+p')
		await page().keyboard.type('From Nig')
		await page().getByRole('option', { name: 'From Nigeria — books' }).waitFor()
		await press('Enter')
		await chip('author.country is NG').waitFor()
		await expect.poll(() => shown('author.country')).toEqual(['NG'])
	}
	expect(window.faults).toEqual([])
})

test('the query bar completes fields and values, takes a clause as JSON, and says what it understood', async () => {
	await page().getByRole('tab', { name: 'books', exact: true }).click()
	await books.root.getByLabel('Time range').waitFor()
	if ((await chips().count()) > 0)
		await chips()
			.getByRole('button', { name: /^Remove/ })
			.click()
	const bar = books.root.getByRole('searchbox', { name: 'Query' })
	const options = books.root.getByRole('listbox', { name: 'Completions' }).getByRole('option')
	await bar.pressSequentially('count')
	await options.getByText('author.country', { exact: true }).waitFor()
	await press('Tab')
	await expect.poll(() => bar.inputValue()).toBe('author.country:')
	// The values replace the names of fields when they are there.
	await options
		.getByText(/^[A-Z]{2}$/)
		.first()
		.waitFor()
	const value = await options.first().locator('span').first().innerText()
	await options.first().click()
	await bar.pressSequentially(' AND titel:x')
	await books.root.getByText('There is no field titel.').waitFor()
	await bar.fill(`author.country:${value}`)
	await books.root.getByText('Lucene syntax. Fields: author.country.').waitFor()
	await press('Enter')
	const body = { query: { term: { 'author.country': value } } }
	const { count: found } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body })
	await books.root.getByText(`${found} documents`, { exact: true }).waitFor()
	await expect.poll(() => options.count()).toBe(0)
	await bar.fill('{"bool": {"must_not": {"exists": {"field": "author.country"}}}}')
	await books.root.getByText('A query clause as JSON: bool (must_not: exists author.country)').waitFor()
	await press('Escape')
	await press('Enter')
	await books.root.getByText(/^(?:No documents|\d+ documents?)$/).waitFor()
	await expect.poll(() => books.root.getByText(`${found} documents`, { exact: true }).count()).toBe(0)
	await bar.fill('')
	expect(window.faults).toEqual([])
})

test('a query in the language of Kibana stays as it was typed, and a note shows what was searched for', async () => {
	const bar = books.root.getByRole('searchbox', { name: 'Query' })
	const note = (text: string) => books.root.getByRole('status').getByText(text, { exact: true })
	const button = (name: string) => books.root.getByRole('button', { name, exact: true })
	const body = {
		query: { bool: { must: { term: { 'author.country': 'NG' } }, must_not: { term: { in_print: true } } } },
	}
	const { count } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body })
	const isAnswered = () => books.root.getByText(`${count} documents`, { exact: true }).waitFor()
	const typed = 'author.country : "NG" and not in_print: true'
	const meant = 'author.country:"NG" AND NOT in_print:true'

	await bar.fill(typed)
	await books.root.getByText(`Enter reads it as ${meant}`).waitFor()
	await press('Enter')
	await isAnswered()
	await note(`Read as ${meant}`).waitFor()
	expect(await bar.inputValue()).toBe(typed)

	// A saved view keeps both.
	await books.root.getByRole('button', { name: 'Saved views' }).click()
	const menu = page().getByRole('dialog', { name: 'Saved views' })
	await menu.getByLabel('Name of the view').fill('As typed')
	for (const key of ['Enter', 'Escape']) await press(key)

	// The empty field offers the last queries as they were typed, the newest first.
	await bar.fill('')
	await expect.poll(() => note(`Read as ${meant}`).count()).toBe(0)
	await press('ArrowDown')
	const options = books.root.getByRole('listbox', { name: 'Completions' }).getByRole('option')
	await books.root.getByText('Recent queries.').waitFor()
	expect(await options.first().innerText()).toContain(typed)
	for (const key of ['ArrowDown', 'Enter']) await press(key)
	await isAnswered()
	await note(`Read as ${meant}`).waitFor()
	expect(await bar.inputValue()).toBe(typed)

	const range = { query: { range: { 'author.born': { gte: 1950 } } } }
	const { count: younger } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body: range })
	await bar.fill('author.born >= "1950"')
	await press('Enter')
	await books.root.getByText(`${younger.toLocaleString('en')} documents`, { exact: true }).waitFor()
	await note('Read as author.born:["1950" TO *]').waitFor()
	// A query that became JSON is continued as text.
	await bar.fill('reviews.stars > 4')
	await books.root.getByText('reviews.stars is in the nested object reviews.').waitFor()
	await press('Enter')
	await books.root.getByText(/^Read as \{"nested":\{"path":"reviews"/).waitFor()
	expect(await bar.inputValue()).toBe('reviews.stars > 4')
	await press('End')
	await page().keyboard.type(' and author.born >= 1950')
	await press('Enter')
	await books.root.getByText(/^Read as \{"bool":\{"must":\[/).waitFor()
	expect(await bar.inputValue()).toBe('reviews.stars > 4 and author.born >= 1950')

	// Faster than the driver reads it.
	const swapped = 'not in_print: true and author.country: NG'
	await bar.fill(swapped)
	await press('Enter')
	await isAnswered()
	await note('Read as NOT in_print:true AND author.country:NG').waitFor()
	await button('Search as typed').click()
	await note('Searched exactly as typed.').waitFor()
	await expect.poll(() => books.root.getByText(`${count} documents`, { exact: true }).count()).toBe(0)
	// The choice is kept, also by another Enter.
	await bar.focus()
	await press('Enter')
	await page().reload()
	await note('Searched exactly as typed.').waitFor()
	expect(await bar.inputValue()).toBe(swapped)
	await button('Search for its meaning').click()
	await isAnswered()
	await bar.focus()
	await press('Alt+Enter')
	await note('Searched exactly as typed.').waitFor()
	await press('ControlOrMeta+Shift+p')
	await page().keyboard.type('View: As typed')
	await press('Enter')
	await note(`Read as ${meant}`).waitFor()
	await isAnswered()
	expect(await bar.inputValue()).toBe(typed)
	// The keys after Escape are for the text, not for the rows.
	await bar.focus()
	await press('Escape')
	await press('Control+a')
	await press('Delete')
	expect(await bar.inputValue()).toBe('')
	await expect.poll(() => books.root.getByText(/not saved/).count()).toBe(0)
	expect(window.faults).toEqual([])
})
