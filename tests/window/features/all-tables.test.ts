import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../../support/axe.ts'
import { type Answers, alterAnswers } from '../../support/host-answers.ts'
import { SampleWindow } from '../../support/window.ts'

/** The page of all tables: found, grouped, sorted and chosen, with actions of the driver. */
let window: SampleWindow
const answers: Answers = {}
const page = () => window.page
const panel = () => page().getByRole('tabpanel', { name: 'Indices', exact: true })
const names = () => panel().locator('.tables-grid-body .tables-grid-text').allInnerTexts()
const row = (name: string) => panel().getByRole('row').filter({ hasText: name })
const press = (keys: string) => page().keyboard.press(keys)
const menuItem = (name: string) => page().getByRole('menuitem', { name, exact: true })

beforeAll(async () => {
	window = await SampleWindow.open()
	for (const name of ['logs-2026.11.24', 'logs-2026.11.25', 'old']) {
		await window.cluster(`/${name}`, { method: 'PUT', body: {} })
	}
	await page().locator('.tables-head').getByRole('button', { name: 'Reload' }).click()
	await page().locator('.tables-head').getByRole('button', { name: 'All indices' }).click()
	await row('books').waitFor()
	await alterAnswers(page(), answers)
	await page().reload()
	await prepareForAxe(page())
	await row('books').waitFor()
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('lists documents, size, shards and creation, sorted by a click on a header', async () => {
	for (const text of ['3,003', 'Created']) await panel().getByText(text, { exact: true }).waitFor()
	await panel().getByRole('button', { name: 'Documents', exact: true }).click()
	await panel()
		.getByRole('button', { name: /^Documents/ })
		.click()
	expect((await names()).at(-1)).toMatch(/logs|old/)
	await panel().getByRole('button', { name: 'Name', exact: true }).click()
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
})

test('finds names by a pattern, and shows names with dates as one group', async () => {
	await panel().getByRole('searchbox').fill('*s-*')
	await expect.poll(names).toEqual(['logs-2026.11.24', 'logs-2026.11.25'])
	await panel().getByRole('checkbox', { name: 'Group by date' }).check()
	await expect.poll(names).toEqual(['logs-*'])
	await row('logs-*').getByRole('button').click()
	await expect.poll(names).toEqual(['logs-*', 'logs-2026.11.24', 'logs-2026.11.25'])
	await panel().getByRole('checkbox', { name: 'Group by date' }).uncheck()
	await panel().getByRole('searchbox').fill('')
})

test('grouping by date is remembered', async () => {
	const grouped = () => panel().getByRole('checkbox', { name: 'Group by date' })
	await grouped().check()
	await page().getByRole('button', { name: 'Close Indices' }).click()
	await page().locator('.tables-head').getByRole('button', { name: 'All indices' }).click()
	expect(await grouped().isChecked()).toBe(true)
	await grouped().uncheck()
})

test('the focus stays on its line while a reload adds and removes lines', async () => {
	const focused = () => page().evaluate<string>("document.activeElement?.textContent ?? ''")
	await row('old').focus()
	for (const method of ['PUT', 'DELETE'] as const) {
		await window.cluster('/a-first', { method, body: {} })
		await press('F5')
		await expect.poll(names).toHaveLength(method === 'PUT' ? 7 : 6)
		await expect.poll(focused).toMatch(/^old/)
	}
})

test('by keys: choose, act on all that are chosen after a question, open', async () => {
	await row('logs-2026.11.24').focus()
	await press('Space')
	await press('Shift+ArrowDown')
	await panel().getByText('2 indices chosen').waitFor()
	await panel().getByRole('button', { name: 'Actions' }).focus()
	await press('Enter')
	await menuItem('Delete 2 indices').waitFor()
	await press('End')
	await press('Enter')

	const dialog = page().getByRole('dialog', { name: 'Delete 2 indices on Sample' })
	await dialog.getByText('DELETE /logs-2026.11.24,logs-2026.11.25').waitFor()
	await dialog.getByText('This deletes:').waitFor()
	await dialog.getByRole('button', { name: 'Delete 2 indices' }).click()
	await expect.poll(names).not.toContain('logs-2026.11.25')
	await expect
		.poll(() => page().getByRole('list', { name: 'Indices' }).getByRole('button', { name: /^logs/ }).count())
		.toBe(0)
	await row('old').focus()
	await press('Enter')
	await page().getByRole('tabpanel', { name: 'old', exact: true }).waitFor()
})

test('a request names the chosen indices in the order of the list, whatever order they were chosen in', async () => {
	await page().getByRole('tab', { name: 'Indices' }).click()
	await row('old').getByRole('checkbox').uncheck()
	for (const name of ['places', 'books']) await row(name).getByRole('checkbox').check()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem('Delete 2 indices').click()
	const dialog = page().getByRole('dialog', { name: 'Delete 2 indices on Sample' })
	await dialog.getByText('DELETE /books,places').waitFor()
	await press('Escape')
	await dialog.waitFor({ state: 'detached' })
	for (const name of ['places', 'books']) await row(name).getByRole('checkbox').uncheck()
})

test('the menu of a table chooses it there, and a draft opens in the console', async () => {
	await page().getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'old' }).click({ button: 'right' })
	await menuItem('Manage in the list of indices').click()
	await panel().getByText('1 index chosen').waitFor()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem('Import documents by _bulk …').click()
	await page().getByRole('tabpanel', { name: 'Console', exact: true }).getByText('POST /old/_bulk').waitFor()
	expect(await window.cluster('/old/_count')).toMatchObject({ count: 0 })
})

/** Distance of a line from the top of the grid, in pixels. */
async function offsetOf(name: string): Promise<number | undefined> {
	const [line, grid] = [row(name).first(), panel().getByRole('grid')]
	const [inner, outer] = (await line.count()) > 0 ? [await line.boundingBox(), await grid.boundingBox()] : []
	const isInView = inner && outer && inner.y > outer.y && inner.y + inner.height <= outer.y + outer.height
	return isInView ? inner.y - outer.y : undefined
}
const lineCount = () => panel().getByRole('grid').getAttribute('aria-rowcount')

test('a line that is chosen from outside is shown, also far down, below a search, and in a list that is read later', async () => {
	await page().getByRole('tab', { name: 'Indices' }).click()
	await panel().getByRole('searchbox').fill('books')
	for (let at = 0; at < 60; at++) await window.cluster(`/many-${at}`, { method: 'PUT', body: {} })
	const late = Promise.withResolvers<void>()
	answers['tables.list'] = result => late.promise.then(() => result)
	await press('F5')
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('places')
	await page()
		.getByRole('list', { name: 'Indices' })
		.getByRole('button', { name: /^places/ })
		.click({ button: 'right' })
	await menuItem('Manage in the list of indices').click()
	await panel().getByText('1 index chosen').waitFor()
	await expect.poll(() => offsetOf('places')).toBeGreaterThan(0)
	delete answers['tables.list']
	late.resolve()
	await expect.poll(lineCount).toBe('65')
	await expect.poll(() => offsetOf('places')).toBeGreaterThan(0)
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('')
})

test('a reload keeps the place: of the current line, or else of the first one in view', async () => {
	const grid = panel().getByRole('grid')
	const [before, scroller] = [await offsetOf('places'), await grid.elementHandle()]
	await window.cluster('/a-first', { method: 'PUT', body: {} })
	await press('F5')
	await expect.poll(lineCount).toBe('66')
	expect(await offsetOf('places')).toBe(before)
	await row('places').first().click()
	await press('Home')
	await expect.poll(() => offsetOf('a-first')).toBeGreaterThan(0)
	await scroller?.evaluate(element => element.scrollTo(0, 900))
	await expect.poll(() => offsetOf('many-40')).toBeGreaterThan(0)
	const scrolled = await offsetOf('many-40')
	const shown = await names()
	const offsets = await Promise.all(shown.map(async name => ({ name, offset: (await offsetOf(name)) ?? Infinity })))
	const [{ name: top } = { name: '' }] = offsets.toSorted((one, other) => one.offset - other.offset)
	for (const gone of ['a-first', top]) await window.cluster(`/${gone}`, { method: 'DELETE', body: undefined })
	await press('F5')
	await expect.poll(lineCount).toBe('64')
	expect(await offsetOf('many-40')).toBe(scrolled)
	await window.cluster('/many-*', { method: 'DELETE', body: undefined })
	await press('F5')
	await expect.poll(lineCount).toBe('5')
})

test('a right click on a line opens the actions for it, or for all chosen lines', async () => {
	await row('books').click({ button: 'right' })
	await menuItem('Delete').waitFor()
	await press('Escape')
	await panel().getByText('1 index chosen').waitFor()
	await row('places').getByRole('checkbox').check()
	await row('books').click({ button: 'right' })
	await menuItem('Delete 2 indices').click()
	const dialog = page().getByRole('dialog', { name: 'Delete 2 indices on Sample' })
	await dialog.getByText('DELETE /books,places').waitFor()
	await press('Escape')
	await dialog.waitFor({ state: 'detached' })
	for (const name of ['books', 'places']) await row(name).getByRole('checkbox').uncheck()
})

test('a choice that the search hides stays, is counted, and is named by what acts on it', async () => {
	for (const name of ['old', 'places']) await row(name).getByRole('checkbox').check()
	await panel().getByRole('searchbox').fill('book')
	await panel().getByText('2 indices chosen, 2 of them hidden by the search').waitFor()
	await row('books').focus()
	await press('ControlOrMeta+a')
	await panel().getByText('3 indices chosen, 2 of them hidden by the search').waitFor()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await page().getByRole('menu').getByText('For 3 indices, 2 of them hidden by the search.').waitFor()
	await menuItem('Delete 3 indices').waitFor()
	await press('Escape')
	await panel().getByRole('button', { name: 'Drop the hidden' }).click()
	await panel().getByText('1 index chosen', { exact: true }).waitFor()
	await panel().getByRole('searchbox').fill('places')
	await row('places').click({ button: 'right' })
	await menuItem('Delete').waitFor()
	await press('Escape')
	await page().getByText('No longer chosen: 1 index that the search hides.').waitFor()
	await page().getByRole('button', { name: 'Undo' }).click()
	await panel().getByText('2 indices chosen, 1 of them hidden by the search').waitFor()
	await panel().getByRole('searchbox').fill('')
	await panel().getByText('2 indices chosen', { exact: true }).waitFor()
	for (const name of ['books', 'places']) await row(name).getByRole('checkbox').uncheck()
})

test('a closed group with some chosen tables shows it', async () => {
	for (const day of ['24', '25']) await window.cluster(`/day-2026.11.${day}`, { method: 'PUT', body: {} })
	await panel().getByRole('button', { name: 'Reload' }).click()
	await row('day-2026.11.24').getByRole('checkbox').check()
	await panel().getByRole('checkbox', { name: 'Group by date' }).check()
	const isPartly = () => row('day-*').locator(':indeterminate').count()
	await expect.poll(isPartly).toBe(1)
	await panel().getByRole('checkbox', { name: 'Group by date' }).uncheck()
	await row('day-2026.11.24').getByRole('checkbox').uncheck()
	await window.cluster('/day-*', { method: 'DELETE', body: undefined })
})

test('the page follows what the console does', async () => {
	const tab = page().getByRole('tab', { name: 'Console' })
	await page().getByRole('tab', { name: 'Indices' }).click()
	await row('old').waitFor()
	await tab.click()
	const editor = page().getByRole('textbox', { name: 'Console' })
	await editor.click()
	await press('ControlOrMeta+a')
	await page().keyboard.insertText('PUT /by-console')
	await press('ControlOrMeta+Enter')
	await page().getByRole('region', { name: 'Results' }).getByText('200 OK').first().waitFor()
	await page().getByRole('tab', { name: 'Indices' }).click()
	await row('by-console').waitFor()
	await window.cluster('/by-console', { method: 'DELETE', body: undefined })
})

test('an alias is added by a form, and its request is shown before it is sent', async () => {
	await page().getByRole('tab', { name: 'Indices' }).click()
	for (const name of ['books', 'places']) await row(name).getByRole('checkbox').check()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem('Add an alias …').click()
	const dialog = page().getByRole('dialog', { name: 'Add an alias' })
	await dialog.getByLabel('Alias', { exact: true }).fill('two words')
	await press('Enter')
	await dialog.getByText('A name of an alias has no spaces').waitFor()
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
	await dialog.getByLabel('Alias', { exact: true }).fill('reading')
	await dialog.getByLabel('Index that takes the writes').selectOption('books')
	await press('Enter')
	await dialog.waitFor({ state: 'detached' })
	await page().getByText('"is_write_index": true').waitFor()
	expect(await window.cluster('/reading')).toMatchObject({ status: 404 })
	await page().getByRole('textbox', { name: 'Console' }).focus()
	await press('ControlOrMeta+Enter')
	for (const name of ['books', 'places']) {
		await expect.poll(() => window.cluster(`/${name}/_alias`)).toMatchObject({ [name]: { aliases: { reading: {} } } })
	}
	const remove = ['books', 'places'].map(index => ({ remove: { index, alias: 'reading' } }))
	await window.cluster('/_aliases', { method: 'POST', body: { actions: remove } })
	await page().getByRole('tab', { name: 'Indices' }).click()
	for (const name of ['books', 'places']) await row(name).getByRole('checkbox').uncheck()
})

test('a form creates an index, and another one fills the request that copies documents into it', async () => {
	const fill = async (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text)
	const dialog = () => page().getByRole('dialog')
	const open = () => dialog().getByRole('button', { name: 'Open in the console' }).click()
	await page().getByRole('tab', { name: 'Indices' }).click()
	await panel().getByRole('button', { name: 'New', exact: true }).click()
	await menuItem('Create an index …').click()
	await fill('Name', 'of-nigeria')
	await fill('Fields', 'title')
	await press('Enter')
	await dialog().getByText('"title" is not a name and a type, such as year: integer.').waitFor()
	await fill('Fields', 'title: text, author.country: keyword')
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
	await open()
	await page().getByText('PUT /of-nigeria', { exact: true }).waitFor()
	await page().getByRole('textbox', { name: 'Console' }).focus()
	await press('ControlOrMeta+Enter')
	await expect.poll(() => window.cluster('/of-nigeria/_count')).toMatchObject({ count: 0 })

	await page().getByRole('tab', { name: 'Indices' }).click()
	await row('books').getByRole('checkbox').check()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem('Reindex …').click()
	await fill('Copy into', 'of-nigeria')
	await fill('Only documents that fit', 'author.country: NG')
	await open()
	await page().getByText('"index": "of-nigeria",').waitFor()
	await page().getByText('"query": "author.country: NG",').waitFor()
	// The request before has run, so its console takes this one.
	expect(await page().getByRole('textbox', { name: 'Console' }).innerText()).not.toContain('PUT')
	await page().getByRole('tab', { name: 'Indices' }).click()
	await row('books').getByRole('checkbox').uncheck()
	await window.cluster('/of-nigeria', { method: 'DELETE', body: undefined })
})

test('an action with a form fills a request for the console', async () => {
	const mappings = { properties: { v: { type: 'dense_vector', dims: 2 } } }
	await window.cluster('/vectors', { method: 'PUT', body: { mappings } })
	await page().getByRole('tab', { name: 'Indices' }).click()
	await press('F5')
	// The rows move when an index appears or goes.
	await row('vectors').waitFor()
	await row('by-console').waitFor({ state: 'detached' })
	await row('old').getByRole('checkbox').uncheck()
	await row('vectors').getByRole('checkbox').check()
	await panel().getByRole('button', { name: 'Actions' }).click()
	await menuItem('Search by vector …').click()

	const dialog = page().getByRole('dialog', { name: 'Search by vector' })
	await dialog.getByLabel('Vector', { exact: true }).fill('0.5 1 2')
	await press('Enter')
	await dialog.getByText('The vectors of v have 2 numbers. This one has 3.').waitFor()
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
	await dialog.getByLabel('Vector', { exact: true }).fill('0.5 1.25')
	await dialog.getByRole('button', { name: 'Open in the console' }).click()
	await page().getByText('"query_vector": [0.5, 1.25],').waitFor()
})

test('in the sidebar, a long name is cut in the middle and keeps its accessible name', async () => {
	const name = 'logs-shop-of-the-whole-warehouse-in-europe-2026.10.30'
	await window.cluster(`/${name}`, { method: 'PUT', body: {} })
	await page().locator('.tables-head').getByRole('button', { name: 'Reload' }).click()
	await page().getByRole('searchbox', { name: 'Search indices' }).fill('whole-warehouse')
	const line = page().getByRole('list', { name: 'Indices' }).getByRole('button', { name })
	await line.waitFor()
	expect(await line.getAttribute('title')).toBe(name)
	const [head, tail] = [line.locator('.table-text-head'), line.locator('.table-text-tail')]
	expect(await tail.innerText()).toBe('2026.10.30')
	const [whole, end] = [await line.boundingBox(), await tail.boundingBox()]
	expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThan((whole?.x ?? 0) + (whole?.width ?? 0))
	expect(await head.evaluate(element => element.scrollWidth > element.clientWidth)).toBe(true)
})
