import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** Exploring a table by clicks and by keys. */
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

test('the focus stays near a filter that is removed', async () => {
	await (await books.cell(0, 'author.country')).click()
	await press('=')
	const remove = chips().getByRole('button', { name: /^Remove/ })
	await remove.focus()
	await press('Enter')
	await count('3,003 documents')
	await expect.poll(() => page().evaluate<string>('document.activeElement.closest("main") ? "in" : "out"')).toBe('in')
})

test('the menu of a cell filters for its value, and filters it out', async () => {
	await (await books.cell(0, 'author.country')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Filter for this/ })
		.click()
	await chip('author.country is NG').waitFor()
	await expect.poll(() => shown('author.country')).toEqual(['NG'])
	await (await books.cell(0, 'author.born')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Filter out/ })
		.click()
	await chip('author.born is not 1863').waitFor()
	await expect.poll(() => shown('author.born')).not.toContain('1863')
	await removeAll()
})

test('keys filter by the focused cell, and a minus sign begins a number', async () => {
	await (await books.cell(1, 'author.country')).click()
	await press('=')
	await chip('author.country is AT').waitFor()
	// A row that is still loading has no value to filter by.
	await expect.poll(() => shown('author.country')).toEqual(['AT'])
	await press('-')
	await chip('author.country is not AT').waitFor()
	await count('No documents')
	await removeAll()
	await (await books.cell(1, 'author.born')).click()
	await press('-')
	expect(await books.root.getByRole('textbox', { name: 'Edit author.born' }).inputValue()).toBe('-')
	await press('Escape')
	await press('Alt+-')
	await chip('author.born is not 1931').waitFor()
	await removeAll()
})

test('a filter is changed in place, inverted and removed', async () => {
	await (await books.cell(0, 'author.country')).click()
	await press('=')
	await chip('author.country is NG').click()
	const fields = chips().getByRole('form', { name: 'Change author.country is NG' })
	await fields.getByLabel('Value').fill('DE')
	await press('Enter')
	await chip('author.country is DE').waitFor()
	await chip('author.country is DE').click()
	await press('Escape')
	await chip('author.country is DE').click({ modifiers: ['Alt'] })
	await chip('author.country is not DE').focus()
	await press('Delete')
	await count('3,003 documents')
	expect(window.faults).toEqual([])
})

test('the value of a filter is typed by its column: suggestions, two ends, a choice, and pasted lines', async () => {
	const bar = books.root.getByRole('form', { name: 'Filters' })
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await bar.getByLabel('Column').selectOption('author.country')
	await bar.getByLabel('Operator').selectOption('is')
	await bar.getByLabel('Value').fill('N')
	const suggested = bar.locator('datalist option')
	await expect.poll(() => suggested.evaluateAll(all => all.map(one => one.getAttribute('value')))).toEqual(['NG'])
	await bar.getByLabel('Operator').selectOption('is one of')
	const list = bar.getByLabel('Value')
	const offered = bar.getByRole('listbox', { name: 'Completions' }).getByRole('option')
	await list.fill('')
	await list.pressSequentially('N')
	await expect.poll(() => offered.allInnerTexts()).toEqual(['NG'])
	await page().setViewportSize({ width: 800, height: 600 })
	const box = await offered.first().boundingBox()
	expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThan(800)
	await page().setViewportSize({ width: 1280, height: 820 })
	await press('Tab')
	expect(await list.inputValue()).toBe('NG')
	await list.pressSequentially(', ')
	await expect.poll(() => offered.count()).toBeGreaterThan(5)
	expect(await offered.count()).toBeLessThan(20)
	expect(await offered.allInnerTexts()).not.toContain('NG')
	await list.pressSequentially('A')
	await offered.getByText('AT', { exact: true }).click()
	expect(await list.inputValue()).toBe('NG, AT')
	await press('Enter')
	await expect.poll(async () => (await shown('author.country')).toSorted()).toEqual(['AT', 'NG'])
	await list.pressSequentially(', ')
	await offered.first().waitFor()
	await press('Escape')
	await offered.first().waitFor({ state: 'detached' })
	await list.fill('')
	await page().keyboard.insertText('\nAT\n')
	await press('Control+Home')
	await page().keyboard.insertText('NG')
	await press('Enter')
	await expect.poll(async () => (await shown('author.country')).toSorted()).toEqual(['AT', 'NG'])
	await bar.getByLabel('Column').selectOption('in_print')
	await bar.getByLabel('Value').selectOption('true')
	await bar.getByRole('button', { name: 'Apply' }).click()
	const printed = { query: { term: { in_print: true } } }
	const { count: inPrint } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body: printed })
	await count(`${inPrint.toLocaleString('en')} documents`)
	await bar.getByLabel('Column').selectOption('published')
	await bar.getByLabel('Operator').selectOption('is between')
	await bar.getByLabel('From', { exact: true }).fill('2001-01-01')
	await bar.getByLabel('To', { exact: true }).fill('2003-12-31')
	await press('Enter')
	await books.root.getByRole('button', { name: 'Filter', exact: true }).click()
	await chip('published is between 2001-01-01 and 2003-12-31').waitFor()
	const body = { query: { range: { published: { gte: '2001-01-01', lte: '2003-12-31' } } } }
	const { count: between } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body })
	await count(`${between} documents`)
	await removeAll()
	expect(window.faults).toEqual([])
})

test('a pattern opens as one table from the search of the sidebar, and an alias from Ctrl+P', async () => {
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('b*,places')
	await page()
		.getByRole('list', { name: 'Found by name' })
		.getByRole('button', { name: /^b\*,places/ })
		.click()
	const both = page().getByRole('tabpanel', { name: 'b*,places', exact: true })
	await both.getByText('5,503 documents').waitFor()
	await both.getByRole('gridcell').first().waitFor()
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('')
	await press('ControlOrMeta+p')
	await page().keyboard.type('librar')
	await page()
		.getByRole('dialog', { name: 'Open' })
		.getByRole('option', { name: /^Open library/ })
		.click()
	await page().getByRole('tabpanel', { name: 'library', exact: true }).getByText('3,003 documents').waitFor()
	expect(window.faults).toEqual([])
})

test('Enter in the search of the sidebar opens the first hit, and the arrow leads to the hits', async () => {
	const search = page().getByRole('searchbox', { name: 'Search indices' })
	const open = (name: string) => page().getByRole('tabpanel', { name, exact: true }).waitFor()
	const focused = () => page().evaluate<string>('document.activeElement.textContent')
	await search.fill('plac')
	await search.press('Enter')
	await open('places')
	// Faster than the look-up of names beyond the list.
	await search.fill('eve*,boo*')
	await search.press('Enter')
	await open('eve*,boo*')
	await search.fill('librar')
	await page().getByRole('list', { name: 'Found by name' }).getByRole('button').first().waitFor()
	await search.press('ArrowDown')
	await expect.poll(focused).toMatch(/^library/)
	await press('ArrowUp')
	await press('ControlOrMeta+a')
	await page().keyboard.type('e')
	await page().getByRole('list', { name: 'Found by name' }).waitFor({ state: 'detached' })
	await search.press('ArrowDown')
	await expect.poll(focused).toMatch(/^events/)
	await search.fill('')
})

test('a pattern of indices with a time opens with the newest first, and another order is kept', async () => {
	const times = page().getByRole('tabpanel', { name: 'event*', exact: true })
	const header = times.locator('[data-header="@timestamp"]')
	const openPattern = async () => {
		await page().getByRole('searchbox', { name: 'Search indices' }).fill('event*')
		await page().getByRole('list', { name: 'Found by name' }).getByRole('button').first().click()
		await page().getByRole('searchbox', { name: 'Search indices' }).fill('')
	}
	await openPattern()
	await times.locator('[data-header="@timestamp"][aria-sort="descending"]').waitFor()
	await header.click()
	await times.locator('[data-header="@timestamp"][aria-sort="ascending"]').waitFor()
	await page().getByRole('button', { name: 'Close event*' }).click()
	await openPattern()
	await times.locator('[data-header="@timestamp"][aria-sort="ascending"]').waitFor()
	await header.click()
	await times.locator('[data-header="@timestamp"][aria-sort="none"]').waitFor()
	await header.click()
	await times.locator('[data-header="@timestamp"][aria-sort="descending"]').waitFor()
	await page().getByRole('button', { name: 'Close event*' }).click()
	expect(window.faults).toEqual([])
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

test('a document is duplicated without its id, and saved as a new one', async () => {
	await (await books.cell(0, 'title')).click()
	const title = await (await books.cell(0, 'title')).innerText()
	await press('ControlOrMeta+Shift+d')
	const sheet = page().getByRole('dialog', { name: 'New document' })
	await sheet.getByText('As JSON').click()
	expect(await sheet.getByLabel('Document as JSON').inputValue()).toContain(JSON.stringify(title))
	expect(await sheet.getByLabel('_id').inputValue()).toBe('')
	await sheet.getByLabel('_id').fill('a-copy')
	await sheet.getByRole('button', { name: 'Add', exact: true }).click()
	await books.save()
	await books.nothingStaged()
	// The list of indices counts it too.
	const list = page().getByRole('list', { name: 'Indices' })
	await list.getByRole('button', { name: 'books' }).getByText('3,004').waitFor()
	const copy = await window.cluster<{ _source: unknown }>('/books/_doc/a-copy')
	const original = await window.cluster<{ _source: unknown }>('/books/_doc/1')
	expect(copy._source).toEqual(original._source)
	expect(window.faults).toEqual([])
})

test('a time range filters the rows, a histogram brushes it by mouse and keys, and a double click resets it', async () => {
	const events = await window.openTable('events')
	const all = await events.root.getByText(/^[\d,]+ documents$/).innerText()
	const time = events.root.getByRole('group', { name: 'Time' })
	const range = time.getByLabel('Time range')
	await range.selectOption('Last hour')
	await events.root.getByText('No documents', { exact: true }).waitFor()
	await range.selectOption('From … to …')
	// The range that was shown, as absolute times.
	expect(await time.getByLabel('From', { exact: true }).inputValue()).toMatch(/^\d{4}-\d\d-\d\d \d\d:/)
	await time.getByLabel('From', { exact: true }).fill('soon')
	await time.getByLabel('From', { exact: true }).press('Enter')
	await time.getByRole('alert').waitFor()
	await time.getByLabel('From', { exact: true }).fill('2024-01-02 00:00')
	await time.getByLabel('To', { exact: true }).fill('2024-01-03')
	await time.getByLabel('To', { exact: true }).press('Enter')
	const day = { range: { '@timestamp': { gte: '2024-01-02T00:00:00Z', lt: '2024-01-03T00:00:00Z' } } }
	const { count: within } = await window.cluster<{ count: number }>('/events/_count', {
		method: 'POST',
		body: { query: day },
	})
	await events.root.getByText(`${within} documents`, { exact: true }).waitFor()

	await time.getByRole('button', { name: 'Histogram of time' }).click()
	const bars = events.root.getByRole('slider', { name: 'documents by @timestamp' })
	await expect.poll(() => bars.locator('.histogram-bucket').count()).toBe(48)
	const words = events.root.getByText('Tallest bar: ')
	expect(await words.innerText()).toMatch(/^Tallest bar: \d+ documents in 30 minutes$/)
	await bars.focus()
	await press('Home')
	await press('Shift+ArrowRight')
	expect(await bars.getAttribute('aria-valuetext')).toMatch(/^2024-01-02 – 2024-01-02 01:00:00: \d+ documents$/)
	await press('Enter')
	await expect.poll(() => time.getByLabel('To', { exact: true }).inputValue()).toBe('2024-01-02 01:00:00')
	await expect.poll(() => bars.locator('.histogram-bucket').count()).not.toBe(48)
	expect(await bars.evaluate(element => element.matches(':focus'))).toBe(true)
	await bars.dblclick()
	await events.root.getByText(all, { exact: true }).waitFor()
	expect(await range.inputValue()).toBe('all')
	await expect.poll(() => bars.locator('.histogram-bucket').first().getAttribute('title')).not.toMatch(/^2024-01-02 –/)
	const box = await bars.boundingBox()
	if (!box) throw new Error('the histogram has no place')
	await page().mouse.move(box.x + 2, box.y + 20)
	await page().mouse.down()
	await page().mouse.move(box.x + box.width / 4, box.y + 20, { steps: 4 })
	await page().mouse.up()
	await time.getByLabel('From', { exact: true }).waitFor()
	await expect.poll(() => events.root.getByText(all, { exact: true }).count()).toBe(0)
	await time.getByRole('button', { name: 'Zone: UTC' }).click()
	expect(window.faults).toEqual([])
})

test('the automatic refresh shows new rows, and waits while a row is selected', async () => {
	const places = await window.openTable('places')
	const time = places.root.getByRole('group', { name: 'Time' })
	await time.getByLabel('Automatic refresh').selectOption('Every 5 s')
	await window.cluster('/places/_doc/refreshed?refresh=true', { method: 'PUT', body: { name: 'Here' } })
	await places.root.getByText('2,501 documents', { exact: true }).waitFor()
	await (await places.cell(1, 'name')).click()
	await time.getByText('Paused: cells are selected').waitFor()
	await time.getByRole('button', { name: 'Refresh from the first row' }).click()
	await time.getByRole('button', { name: 'Pause the refresh' }).click()
	await time.getByText('Paused: by you').waitFor()
	expect(window.faults).toEqual([])
})

test('the time bar is one line in a window of 1024 pixels, and whole in one of 800', async () => {
	const events = await window.openTable('events')
	const time = events.root.getByRole('group', { name: 'Time' })
	const size = page().viewportSize()
	/** Returns what is wrong with the places of its parts. */
	const faults = (areOnOneLine: boolean) =>
		time.evaluate((bar, areOnOneLine) => {
			const parts = [...bar.querySelectorAll('select, input[type="text"], button, .time-rest')]
			const edge = bar.getBoundingClientRect()
			const boxes = parts.map(part => ({ part, box: part.getBoundingClientRect() }))
			return boxes.flatMap(({ part, box }, index) => {
				const name = part.getAttribute('aria-label') ?? part.textContent
				const isCut = part.matches('input, button') && part.scrollWidth > part.clientWidth
				const others = boxes
					.slice(index + 1)
					.filter(
						({ part: other }) =>
							!part.parentElement?.matches('.date-input') || other.parentElement !== part.parentElement,
					)
				const over = others.filter(
					other =>
						other.box.left < box.right &&
						other.box.right > box.left &&
						other.box.top < box.bottom &&
						other.box.bottom > box.top,
				)
				return [
					...(box.left < edge.left || box.right > edge.right ? [`${name} is outside`] : []),
					...(isCut ? [`${name} is cut`] : []),
					...(over.length > 0 ? [`${name} is covered`] : []),
					...(areOnOneLine && (box.top + box.bottom) / 2 - edge.top > 30 ? [`${name} is on another line`] : []),
				]
			})
		}, areOnOneLine)
	const fits = async (state: string) => {
		await page().setViewportSize({ width: 1024, height: 768 })
		expect(await faults(true), `${state} at 1024`).toEqual([])
		await page().setViewportSize({ width: 800, height: 600 })
		expect(await faults(false), `${state} at 800`).toEqual([])
	}
	await time.getByLabel('Time range').selectOption('Last year (365 days)')
	await fits('a relative range')
	await time.getByLabel('Time range').selectOption('From … to …')
	await fits('an open range')
	await time.getByLabel('From', { exact: true }).fill('2024-01-02 13:45:56')
	await time.getByLabel('To', { exact: true }).fill('2024-12-23 13:45:56')
	await time.getByLabel('To', { exact: true }).press('Enter')
	await fits('an absolute range')
	await time.getByLabel('Automatic refresh').selectOption('Every 5 min')
	await (await events.cell(2, '_id')).click()
	await time.getByText('Paused: cells are selected').waitFor()
	await fits('a paused refresh')
	await time.getByLabel('Automatic refresh').selectOption('Refresh: off')
	await time.getByLabel('Time range').selectOption('All time')
	if (size) await page().setViewportSize(size)
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
	await menu.getByText('Save filters, range').waitFor()
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

test('Enter searches for what a query in the language of Kibana means, and offers the text as it was typed', async () => {
	const bar = books.root.getByRole('searchbox', { name: 'Query' })
	const literal = books.root.getByRole('button', { name: /as it was typed/ })
	const body = {
		query: { bool: { must: { term: { 'author.country': 'NG' } }, must_not: { term: { in_print: true } } } },
	}
	const { count } = await window.cluster<{ count: number }>('/books/_count', { method: 'POST', body })
	const isAnswered = () => books.root.getByText(`${count} documents`, { exact: true }).waitFor()

	await bar.fill('author.country : "NG" and not in_print: true')
	await books.root.getByText('Enter reads it as author.country:"NG" AND NOT in_print:true').waitFor()
	await press('Enter')
	await isAnswered()
	await expect.poll(() => bar.inputValue()).toBe('author.country:"NG" AND NOT in_print:true')
	await literal.waitFor()

	// Faster than the driver reads it. The number of documents is that of the query before.
	await bar.fill('not in_print: true and author.country: NG')
	await press('Enter')
	await isAnswered()
	await expect.poll(() => bar.inputValue()).toBe('NOT in_print:true AND author.country:NG')
	await literal.click()
	await expect.poll(() => bar.inputValue()).toBe('not in_print: true and author.country: NG')
	await expect.poll(() => books.root.getByText(`${count} documents`, { exact: true }).count()).toBe(0)
	// It stays as it was typed.
	await press('Enter')
	await expect.poll(() => literal.count()).toBe(0)
	expect(await bar.inputValue()).toBe('not in_print: true and author.country: NG')
	// The keys after Escape are for the text, not for the rows.
	await press('Escape')
	await press('Control+a')
	await press('Delete')
	expect(await bar.inputValue()).toBe('')
	await expect.poll(() => books.root.getByText(/not saved/).count()).toBe(0)
	expect(window.faults).toEqual([])
})
