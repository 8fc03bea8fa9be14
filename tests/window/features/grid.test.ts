import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nothingLoads, SampleWindow, type TablePanel } from '../../support/window.ts'

/** Scrolls a grid aslant, and counts the cells that a step gives another node though they stay. */
const movedNodes = `(async () => {
	const grid = [...document.querySelectorAll('[role=grid]')].find(each => each.checkVisibility())
	const cells = () => [...grid.querySelectorAll('[data-row] [data-column]')].map(cell =>
		[cell.parentElement.dataset.row + ' ' + cell.dataset.column, cell])
	let [before, moved] = [new Map(), 0]
	for (let step = 0; step < 60; step++) {
		grid.scrollTo(step * 23, step * 41)
		await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
		const now = new Map(cells())
		for (const [place, cell] of now) if (before.has(place) && before.get(place) !== cell) moved++
		before = now
	}
	grid.scrollTo(0, 0)
	return moved
})()`

/** The grid's filters, sorts, keys, undo, and the end of a large index. */
describe('the grid', () => {
	let window: SampleWindow
	let places: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		places = await window.openTable('places')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('a filter by column narrows the rows, and removing it shows all rows', async () => {
		await places.root.getByText('2,500 documents').waitFor()
		await places.root.getByRole('button', { name: 'Filter' }).click()
		await places.root.getByLabel('Column', { exact: true }).selectOption('address.city')
		await places.root.getByLabel('Operator').selectOption('equals')
		await places.root.getByLabel('Value').fill('Lisbon')
		await places.root.getByRole('button', { name: 'Apply' }).click()
		await places.root.getByText('2,500 documents').waitFor({ state: 'detached' })
		const shown = async () => [...new Set(await (await places.cells('address.city')).allInnerTexts())]
		await expect.poll(shown).toEqual(['Lisbon'])
		// The answer had new columns, and the bar still shows its filtered column.
		expect(await places.root.getByLabel('Column', { exact: true }).inputValue()).toBe('address.city')
		// The bar closes, and the applied filter stays visible.
		await places.root.getByRole('button', { name: 'Filter', exact: true }).click()
		await places.root.getByRole('form', { name: 'Filters' }).waitFor({ state: 'detached' })
		await places.root.getByRole('button', { name: 'address.city is Lisbon', exact: true }).waitFor()
		await expect.poll(shown).toEqual(['Lisbon'])
		await places.root.getByRole('button', { name: 'Remove address.city is Lisbon' }).click()
		await places.root.getByText('2,500 documents').waitFor()
	})

	test('filters without a match show a message, and a click removes them', async () => {
		await places.root.getByRole('button', { name: 'Filter', exact: true }).click()
		await places.root.getByLabel('Column', { exact: true }).selectOption('rating')
		await places.root.getByLabel('Operator').selectOption('greater')
		await places.root.getByLabel('Value').fill('1000')
		await places.root.getByRole('button', { name: 'Apply' }).click()
		await places.root.getByText('No document fits.').waitFor()
		await places.root.getByRole('button', { name: 'Clear the filters' }).click()
		await places.root.getByText('2,500 documents').waitFor()
	})

	test('a filter can use a subfield, or a key without a column', async () => {
		await window.cluster('/tagged', {
			method: 'PUT',
			body: {
				mappings: {
					properties: {
						labels: { type: 'flattened' },
						title: { type: 'text', fields: { whole: { type: 'keyword' } } },
					},
				},
			},
		})
		for (const [id, title, team] of [
			['a', 'The Map', 'red'],
			['b', 'The Sea', 'blue'],
		] as const) {
			await window.cluster(`/tagged/_doc/${id}?refresh=true`, { method: 'PUT', body: { title, labels: { team } } })
		}
		await window.page.getByRole('button', { name: 'Reload' }).first().click()
		const tagged = await window.openTable('tagged')
		const shown = async () => (await tagged.cells('_id')).allInnerTexts()
		await tagged.root.getByRole('button', { name: 'Filter' }).click()
		await tagged.root.getByLabel('Column', { exact: true }).selectOption('title.whole')
		await tagged.root.getByLabel('Operator').selectOption('equals')
		await tagged.root.getByLabel('Value').fill('The Sea')
		await tagged.root.getByRole('button', { name: 'Apply' }).click()
		await expect.poll(shown).toEqual(['b'])
		await tagged.root.getByLabel('Column', { exact: true }).selectOption('labels.<key>')
		await tagged.root.getByLabel('Key').fill('team')
		await window.page.setViewportSize({ width: 900, height: 820 })
		expect((await tagged.root.getByLabel('Value').boundingBox())?.width).toBeGreaterThan(100)
		await window.page.setViewportSize({ width: 1280, height: 820 })
		await tagged.root.getByLabel('Operator').selectOption('equals')
		await tagged.root.getByLabel('Value').fill('red')
		await tagged.root.getByRole('button', { name: 'Apply' }).click()
		await expect.poll(shown).toEqual(['a'])
		await window.openTable('places')
	})

	test('a query in the engine’s language narrows the rows, and an invalid one shows its error', async () => {
		const query = places.root.getByRole('searchbox', { name: 'Query' })
		await query.fill('address.city:Lisbon AND wheelchair:true')
		await query.press('Enter')
		await places.root.getByText('2,500 documents').waitFor({ state: 'detached' })
		// The same query again reads the rows again, from the top.
		await places.grid.evaluate(grid => grid.scrollTo(0, 400))
		await window.cluster('/places/_doc/again?refresh=true', {
			method: 'PUT',
			body: { address: { city: 'Lisbon' }, wheelchair: true },
		})
		const count = () => places.root.getByText(/^[\d,]+ documents$/).innerText()
		const before = await count()
		await query.press('Enter')
		await expect.poll(count).not.toBe(before)
		expect(await places.grid.evaluate(grid => grid.scrollTop)).toBe(0)
		await window.cluster('/places/_doc/again?refresh=true', { method: 'DELETE', body: undefined })
		await query.fill('address.city:(Lisbon')
		await query.press('Enter')
		await places.root.getByRole('alert').waitFor()
		await query.fill('')
		await places.root.getByText('2,500 documents').waitFor()
	})

	test('a click on a header sorts, a second click reverses, and a third click removes the sort', async () => {
		const header = places.root.getByRole('columnheader', { name: 'address.city' })
		const first = async () => (await (await places.cells('address.city')).allInnerTexts())[0] ?? ''
		const asItCame = await first()
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('ascending')
		await expect.poll(first).toBe('Aarhus')
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('descending')
		await expect.poll(first).not.toBe('Aarhus')
		await header.click()
		expect(await header.getAttribute('aria-sort')).toBe('none')
		await expect.poll(first).toBe(asItCame)
	})

	test('a new sort or filter shows the top, and a reload keeps the place', async () => {
		const { page } = window
		const top = () => places.grid.evaluate(element => element.scrollTop)
		const row = (name: string) => places.root.getByRole('button', { name, exact: true }).waitFor()
		await places.grid.evaluate(element => element.scrollTo(0, 28 * 1000))
		await (await places.cell(1003, 'address.city')).click()
		await row('Row 1,004')
		await page.keyboard.press('F5')
		await nothingLoads(page)
		await expect.poll(top).toBe(28 * 1000)
		await row('Row 1,004')
		await places.header('address.city').click()
		await expect.poll(top).toBe(0)
		await row('Row 1')
		await places.grid.evaluate(element => element.scrollTo(0, 28 * 1000))
		const { count } = await window.cluster<{ count: number }>('/places/_count?q=wheelchair:true')
		await places.search('wheelchair:true', `${count.toLocaleString('en')} documents`)
		await expect.poll(top).toBe(0)
		await places.search('', '2,500 documents')
		for (let clicks = 0; clicks < 2; clicks++) await places.header('address.city').click()
	})

	test('the editor of a cell stays inside of the grid at its edges', async () => {
		const { page } = window
		const grid = await places.grid.boundingBox()
		for (const keys of ['ControlOrMeta+End', 'ControlOrMeta+Home', 'End', 'PageDown']) {
			await places.grid.press(keys)
			for (let step = 0; step < 3; step++) {
				await places.grid.press('F2')
				const editor = await page
					.locator('.cell-editor')
					.boundingBox({ timeout: 300 })
					.catch(() => null)
				if (editor && grid) {
					expect([keys, editor.x + editor.width <= grid.x + grid.width + 1]).toEqual([keys, true])
					expect([keys, editor.y + editor.height <= grid.y + grid.height + 1]).toEqual([keys, true])
					await page.keyboard.press('Escape')
				}
				await places.grid.press('ArrowLeft')
			}
		}
		await places.grid.press('ControlOrMeta+Home')
	})

	test('the keyboard reaches every cell, edits, undoes and redoes', async () => {
		const { page } = window
		await (await places.cells('_id')).first().click()
		await page.keyboard.press('ArrowDown')
		const steps = Number(await places.header('address.city').getAttribute('aria-colindex')) - 1
		for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowRight')
		const focused = await places.grid.getAttribute('aria-activedescendant')
		expect(focused).toBe(`cell-1-${steps}`)
		const before = await page.locator(`#${focused}`).innerText()
		await page.keyboard.type('Bergen')
		await page.keyboard.press('Enter')
		const edited = (await places.cells('address.city')).nth(1)
		await expect.poll(() => edited.innerText()).toBe('Bergen')
		await page.keyboard.press('ControlOrMeta+z')
		await expect.poll(() => edited.innerText()).toBe(before)
		await page.keyboard.press('ControlOrMeta+Shift+z')
		await expect.poll(() => edited.innerText()).toBe('Bergen')
		await page.getByRole('button', { name: 'Discard' }).click()
		await expect.poll(() => edited.innerText()).toBe(before)
	})

	test('one value is set in a selection as one step, and the selection is copied as it is shown', async () => {
		const { page } = window
		await places.grid.evaluate(element => element.scrollTo(0, 0))
		await (await places.cell(0, 'address.city')).click()
		await (await places.cell(4, 'address.city')).click({ modifiers: ['Shift'] })
		await places.root.getByText('5 cells', { exact: true }).waitFor()
		await page.keyboard.type('Bergen')
		await page.keyboard.press('ControlOrMeta+Enter')
		await places.root.getByText('5 changes not saved', { exact: true }).waitFor()
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await page.keyboard.press('ControlOrMeta+c')
		await expect
			.poll(() => page.evaluate('navigator.clipboard.readText()'))
			.toBe('Bergen\nBergen\nBergen\nBergen\nBergen')
		await page.keyboard.press('ControlOrMeta+z')
		await expect.poll(() => places.root.getByText('5 changes').count()).toBe(0)
	})

	test('the menu of a cell lists the possible actions, and runs them', async () => {
		const { page } = window
		const cell = await places.cell(1, 'address.city')
		await cell.click()
		await cell.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Set null' }).click()
		await expect.poll(() => cell.innerText()).toBe('null')
		await cell.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Copy as NDJSON' }).click()
		await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('{"address.city":null}')
		await places.root.getByRole('button', { name: 'Discard' }).click()
	})

	test('a hidden column stays hidden when the table is opened again', async () => {
		await places.root.getByRole('button', { name: 'Columns', exact: true }).click()
		await window.page.getByLabel('Search columns').fill('address.city')
		await window.page.getByRole('checkbox', { name: 'address.city' }).uncheck()
		await window.page.keyboard.press('Escape')
		const header = places.root.getByRole('columnheader', { name: 'address.city' })
		await header.waitFor({ state: 'detached' })
		await window.page.getByRole('button', { name: 'Close places' }).click()
		await window.openTable('places')
		await places.root.getByRole('columnheader', { name: 'address.country' }).waitFor()
		expect(await header.count()).toBe(0)
		await places.root.getByRole('button', { name: 'Columns', exact: true }).click()
		await window.page.getByRole('button', { name: 'Reset' }).click()
		await header.waitFor()
		await window.page.keyboard.press('Escape')
	})

	test('a cell that stays in view keeps its node, however far the grid is scrolled', async () => {
		expect(await window.page.evaluate(movedNodes)).toBe(0)
	})

	test('a search for several columns shows only these', async () => {
		const shown = () => places.root.getByRole('columnheader').locator('.grid-header-name').allInnerTexts()
		await places.root.getByRole('button', { name: 'Columns', exact: true }).click()
		const only = window.page.getByRole('button', { name: 'Only these' })
		expect(await only.isDisabled()).toBe(true)
		await window.page.getByLabel('Search columns').fill('address.city, rating, name')
		await only.click()
		await expect.poll(shown).toEqual(['name', 'address.city', 'rating'])
		await window.page.getByRole('button', { name: 'Reset' }).click()
		await expect.poll(shown).toContain('address.country')
		await window.page.keyboard.press('Escape')
	})

	test('a column keeps its width when the table is opened again, and a reset restores the default', async () => {
		const { page } = window
		const header = places.root.getByRole('columnheader', { name: 'address.city' })
		const width = async () => Math.round((await header.boundingBox())?.width ?? 0)
		await places.scrollTo('address.city')
		const asItCame = await width()
		const edge = await header.locator('.grid-resizer').boundingBox()
		const [x, y] = [(edge?.x ?? 0) + (edge?.width ?? 0) / 2, (edge?.y ?? 0) + 5]
		await page.mouse.move(x, y)
		await page.mouse.down()
		await page.mouse.move(x + 30, y)
		await page.mouse.move(x + 60, y)
		await page.mouse.up()
		await expect.poll(width).toBe(asItCame + 60)
		await page.getByRole('button', { name: 'Close places' }).click()
		await window.openTable('places')
		await expect.poll(width).toBe(asItCame + 60)
		await places.root.getByRole('button', { name: 'Columns', exact: true }).click()
		await page.getByRole('button', { name: 'Reset' }).click()
		await expect.poll(width).toBe(asItCame)
		await page.keyboard.press('Escape')
	})

	test('an invalid number is refused in the editor, and nothing is lost', async () => {
		const { page } = window
		await places.scrollTo('rating')
		const cell = (await places.cells('rating')).first()
		const before = await cell.innerText()
		await cell.dblclick()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.type('12,5')
		await page.keyboard.press('Enter')
		await page.getByText('This is not a number.').waitFor()
		await page.keyboard.press('Escape')
		expect(await cell.innerText()).toBe(before)
	})

	test('the request of the grid can be shown, and runs unchanged in the console', async () => {
		const { page } = window
		await places.root.getByRole('button', { name: 'Request' }).click()
		await page.getByRole('dialog', { name: 'Request' }).getByText('POST /places/_search').waitFor()
		await page.getByRole('button', { name: 'Open in the console' }).click()
		const console = page.getByRole('tabpanel', { name: 'Console' })
		await console.getByText('POST /places/_search').waitFor()
		await page.keyboard.press('ControlOrMeta+Enter')
		await console.getByRole('article').getByText('200 OK').waitFor()
		// The same request is in this console already. Another text has a separate one.
		const again = async () => {
			await page.getByRole('tab', { name: 'places', exact: true }).click()
			await places.root.getByRole('button', { name: 'Request' }).click()
			await page.getByRole('button', { name: 'Open in the console' }).click()
		}
		await again()
		await console.getByRole('textbox').getByText('POST /places/_search').waitFor()
		await page.getByRole('textbox', { name: 'Console' }).press('ControlOrMeta+End')
		await page.keyboard.insertText('\n\nGET /_cat/health')
		await again()
		const second = page.getByRole('tabpanel', { name: 'Console 2' })
		await second.getByText('POST /places/_search').waitFor()
		expect(await second.getByText('_cat/health').count()).toBe(0)
		await page.getByRole('button', { name: 'Close Console 2' }).click()
		await page.getByRole('button', { name: 'Close Console' }).click()
	})

	test('the bar of unsaved changes does not cover the focused cell in the last row of the view', async () => {
		const books = await window.openTable('books')
		const rowHeight = (await (await books.cell(0, 'title')).boundingBox())?.height ?? 0
		const bottomOf = (box: { readonly y: number; readonly height: number } | null) => (box ? box.y + box.height : 0)
		const seen = bottomOf(await books.grid.boundingBox())
		const first = (await (await books.cell(0, 'title')).boundingBox())?.y ?? 0
		// Its editor moves the focus to the row below, which is the last one in view.
		const last = Math.floor((seen - first) / rowHeight) - 2
		await books.edit(last, 'title', 'Covered')
		await books.root.getByText('1 change not saved').waitFor()
		const focused = books.root.locator('[role=gridcell][aria-selected="true"]').first()
		await expect
			.poll(async () => bottomOf(await focused.boundingBox()) <= bottomOf(await books.grid.boundingBox()))
			.toBe(true)
		await window.page.keyboard.press('ControlOrMeta+z')
		await books.root.getByText('1 change not saved').waitFor({ state: 'detached' })
	})

	test('scrolling reaches the last document of a large index', async () => {
		const events = await window.openTable('events')
		await events.grid.evaluate(element => element.scrollTo(0, element.scrollHeight))
		await events.root.getByText('ev-1', { exact: true }).waitFor()
		expect(window.faults).toEqual([])
	})
})
