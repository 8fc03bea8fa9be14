import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someOf } from '../../support/cases.ts'
import { type Hand, hands } from '../../support/hands.ts'
import { SampleWindow, TablePanel } from '../../support/window.ts'

/**
 * The tasks of a user who explores data: once by mouse alone, except for texts, and once by keys alone. Each task starts
 * where the previous one ended, and needs only the texts of the window.
 */
describe.each(someOf<(typeof hands)[number]>(hands))('exploring %s', (_, handOf) => {
	let window: SampleWindow
	let page: Page
	let hand: Hand
	let books: TablePanel
	let events: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		for (const name of ['logs-2026.11.24', 'logs-2026.11.25'])
			await window.cluster(`/${name}`, { method: 'PUT', body: {} })
		page = window.page
		hand = handOf(page)
		await hand.use(button('Reload', page.locator('.tables-head')))
		await index('logs-2026.11.25').waitFor()
		const panel = (name: string) => new TablePanel(page.getByRole('tabpanel', { name, exact: true }))
		books = panel('books')
		events = panel('events')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const press = (keys: string) => page.keyboard.press(keys)
	const button = (name: string | RegExp, within: Page | Locator = page) =>
		within.getByRole('button', { name, exact: typeof name === 'string' })
	const tab = (name: string) => page.getByRole('tab', { name, exact: true })
	const index = (name: string) => page.getByRole('list', { name: 'Indices' }).getByRole('button', { name })
	const indexSearch = () => page.getByRole('searchbox', { name: 'Search indices' })
	const sheet = () => page.getByRole('dialog').last()
	const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
	const chips = () => books.root.getByRole('list', { name: 'Filters' })
	const chip = (words: string) => button(words, chips())
	const documents = (count: string, table = books) =>
		table.root.getByText(`${count} documents`, { exact: true }).first()
	const shown = async (column: string) => [...new Set(await (await books.cells(column)).allInnerTexts())]
	const query = () => books.root.getByRole('searchbox', { name: 'Query' })
	/** Runs what the query bar has, and clears it. */
	async function runForOneCountry(): Promise<void> {
		await press('Enter')
		await expect.poll(() => shown('author.country')).toEqual(['NG'])
		await hand.fill(query(), '')
		await press('Enter')
		await documents('3,003').waitFor()
	}
	async function removeFilters(): Promise<void> {
		while ((await button(/^Remove/, chips()).count()) > 0) await hand.use(button(/^Remove/, chips()).first())
		await documents('3,003').waitFor()
		await expect.poll(() => shown('author.country')).toContain('JP')
	}

	test('1: opens a pattern of indices as one table, and an alias', async () => {
		await hand.fill(indexSearch(), 'b*,places')
		await hand.use(button(/^b\*,places/, page.getByRole('list', { name: 'Found by name' })))
		const pattern = page.getByRole('tabpanel', { name: 'b*,places', exact: true })
		await pattern.getByText('5,503 documents').waitFor()
		expect(await button('New document', pattern).isDisabled()).toBe(true)
		await hand.fill(indexSearch(), 'librar')
		await hand.use(button(/^library/, page.getByRole('list', { name: 'Found by name' })))
		await page.getByRole('tabpanel', { name: 'library', exact: true }).getByText('3,003 documents').waitFor()
		await hand.fill(indexSearch(), '')
	})

	test('2: filters for the value of a cell, and filters another one out', async () => {
		await hand.use(index('books'))
		await books.root.getByRole('gridcell').first().waitFor()
		await hand.choose(await books.cell(0, 'author.country'), 'Filter for this')
		await chip('author.country is NG').waitFor()
		await expect.poll(() => shown('author.country')).toEqual(['NG'])
		await hand.choose(await books.cell(0, 'author.born'), 'Filter out')
		await chip('author.born is not 1863').waitFor()
	})

	test('3: changes a filter in place, and removes filters', async () => {
		await hand.use(chip('author.country is NG'))
		const form = chips().getByRole('form', { name: 'Change author.country is NG' })
		await hand.fill(form.getByLabel('Value'), 'DE')
		await hand.use(button('Apply', form))
		await chip('author.country is DE').waitFor()
		await removeFilters()
	})

	test('4: shows the rows that have a value', async () => {
		await hand.choose(await books.cell(0, 'author.country'), 'Has no value')
		await chip('author.country has no value').waitFor()
		await removeFilters()
	})

	test('5: copies a value as a filter, and pastes it into the query bar', async () => {
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await hand.choose(await books.cell(0, 'author.country'), 'Copy as filter')
		await page
			.getByText(/^Copied \{/)
			.first()
			.waitFor()
		await hand.fill(query(), '')
		await press('ControlOrMeta+v')
		expect(await query().inputValue()).toMatch(/^\{.*"author\.country".*"NG".*\}$/)
		await runForOneCountry()
	})

	test('6: sorts by the column of a cell', async () => {
		await hand.choose(await books.cell(0, 'author.born'), 'Sort descending')
		await books.root.locator('[data-header="author.born"][aria-sort="descending"]').waitFor()
	})

	test('7: reads the top values of a column, and filters by one', async () => {
		await hand.choose(await books.cell(0, 'author.country'), 'Top values')
		const panel = page.getByRole('complementary', { name: 'Statistics of author.country' })
		const first = panel.getByRole('list').getByRole('button').first()
		const value = await first.locator('.statistics-text').innerText()
		await hand.use(first)
		await chip(`author.country is ${value}`).waitFor()
		await hand.use(button('Close the statistics', panel))
		await removeFilters()
	})

	test('8: filters by values of a list that are typed', async () => {
		const bar = books.root.getByRole('form', { name: 'Filters' })
		await hand.use(button('Filter', books.root))
		await hand.pick(bar.getByLabel('Column'), 'author.country')
		await hand.pick(bar.getByLabel('Operator'), 'is one of')
		await hand.fill(bar.getByLabel('Value'), 'NG, AT')
		await hand.use(button('Apply', bar))
		await expect.poll(async () => (await shown('author.country')).toSorted()).toEqual(['AT', 'NG'])
		await hand.use(button('Filter', books.root))
		await removeFilters()
	})

	test('9: completes a field in the query bar', async () => {
		const option = books.root.getByRole('listbox', { name: 'Completions' }).getByRole('option')
		await hand.fill(query(), 'count')
		await option.getByText('author.country', { exact: true }).waitFor()
		await (hand.name === 'mouse' ? option.getByText('author.country', { exact: true }).click() : press('Tab'))
		await expect.poll(() => query().inputValue()).toBe('author.country:')
		await page.keyboard.type('NG')
		await runForOneCountry()
	})

	test('10: saves the view by name, and applies it', async () => {
		const menu = page.getByRole('dialog', { name: 'Saved views' })
		await hand.choose(await books.cell(0, 'author.country'), 'Filter for this')
		await expect.poll(() => button(/^Remove/, chips()).count()).toBe(1)
		await hand.use(button('Saved views', books.root))
		await hand.fill(menu.getByLabel('Name of the view'), 'One country')
		await hand.use(button('Save', menu))
		await button('One country', menu).waitFor()
		await press('Escape')
		await removeFilters()
		await hand.use(button('Saved views', books.root))
		await hand.use(button('One country', menu))
		await expect.poll(() => button(/^Remove/, chips()).count()).toBe(1)
		await removeFilters()
	})

	test('11: finds a text in the loaded rows', async () => {
		await hand.choose(await books.cell(1, 'title'), 'Find …')
		const bar = books.root.getByRole('search', { name: 'Find in the loaded documents' })
		await hand.fill(bar.getByRole('textbox'), 'the')
		const place = async () => Number(/^(\d+) of \d+$/.exec(await bar.getByRole('status').innerText())?.[1])
		await expect.poll(place).toBeGreaterThan(0)
		const first = await place()
		await hand.use(button('Next match', bar))
		await expect.poll(place).toBe(first + 1)
		await hand.use(button('Close the search', bar))
	})

	test('12: duplicates a document', async () => {
		await hand.choose(await books.cell(0, '_id'), 'Duplicate document')
		await hand.fill(sheet().getByLabel('_id'), `copy-${hand.name}`)
		await hand.use(button('Add', sheet()))
		await (hand.name === 'mouse' ? button('Review and save', books.root).click() : press('ControlOrMeta+s'))
		await hand.use(button(/^Save ?/, sheet()))
		await books.nothingStaged()
		expect(await window.cluster(`/books/_doc/copy-${hand.name}`)).toMatchObject({ found: true })
	})

	test('13: limits the rows to a range of time, relative and absolute', async () => {
		await hand.use(index('events'))
		await events.root.getByRole('gridcell').first().waitFor()
		const time = events.root.getByRole('group', { name: 'Time' })
		await hand.pick(time.getByLabel('Time range'), 'Last hour')
		await events.root.getByText('No documents', { exact: true }).waitFor()
		await hand.pick(time.getByLabel('Time range'), 'From … to …')
		await hand.fill(time.getByLabel('From', { exact: true }), '2024-01-02 00:00')
		await hand.fill(time.getByLabel('To', { exact: true }), '2024-01-03')
		await (hand.name === 'mouse'
			? events.root
					.getByText(/documents$/)
					.first()
					.click()
			: press('Enter'))
		const day = { range: { '@timestamp': { gte: '2024-01-02T00:00:00Z', lt: '2024-01-03T00:00:00Z' } } }
		const body = { query: day }
		const { count } = await window.cluster<{ count: number }>('/events/_count', { method: 'POST', body })
		await documents(`${count}`, events).waitFor()
	})

	test('14: brushes the histogram of time', async () => {
		const time = events.root.getByRole('group', { name: 'Time' })
		const bars = events.root.getByRole('slider', { name: 'documents by @timestamp' })
		await expect.poll(() => bars.locator('.histogram-bucket').count()).toBe(48)
		if (hand.name === 'mouse') {
			const box = await bars.boundingBox()
			if (!box) throw new Error('the histogram has no place')
			await page.mouse.move(box.x + 2, box.y + 20)
			await page.mouse.down()
			await page.mouse.move(box.x + box.width / 4, box.y + 20, { steps: 4 })
			await page.mouse.up()
		} else {
			await hand.use(bars)
			await press('Home')
			await press('Shift+ArrowRight')
			await press('Enter')
		}
		await expect.poll(() => time.getByLabel('To', { exact: true }).inputValue()).not.toBe('2024-01-03')
		await hand.pick(time.getByLabel('Time range'), 'All time')
	})

	test('15: reads the times in the zone of the computer', async () => {
		const client = await page.context().newCDPSession(page)
		await client.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
		await hand.use(button('Zone: UTC', events.root))
		await hand.use(button(/^Zone: (?!UTC)/, events.root))
		await button('Zone: UTC', events.root).waitFor()
	})

	test('16: refreshes the rows automatically, and pauses', async () => {
		const time = events.root.getByRole('group', { name: 'Time' })
		await hand.pick(time.getByLabel('Automatic refresh'), 'Every 5 s')
		await hand.use(button('Pause the refresh', time))
		await time.getByText('Paused: by you').waitFor()
		await hand.pick(time.getByLabel('Automatic refresh'), 'Refresh: off')
	})

	test('17: reads the list of all indices, sorted and grouped', async () => {
		await hand.use(button('All indices', page.locator('.tables-head')))
		const panel = page.getByRole('tabpanel', { name: 'Indices', exact: true })
		const names = () => panel.locator('.tables-grid-body .tables-grid-text').allInnerTexts()
		await hand.use(button('Documents', panel))
		await hand.use(button(/^Documents/, panel))
		expect((await names()).at(-1)).toMatch(/logs/)
		await hand.fill(panel.getByRole('searchbox'), '*s-*')
		await expect.poll(names).toHaveLength(2)
		await hand.use(panel.getByRole('checkbox', { name: 'Group by date' }))
		await expect.poll(names).toEqual(['logs-*'])
		await hand.use(panel.getByRole('checkbox', { name: 'Group by date' }))
		await expect.poll(names).toHaveLength(2)
	})

	test('18: deletes two indices after a question', async () => {
		const panel = page.getByRole('tabpanel', { name: 'Indices', exact: true })
		for (const name of ['logs-2026.11.24', 'logs-2026.11.25']) {
			await hand.use(panel.getByRole('row').filter({ hasText: name }).getByRole('checkbox'))
		}
		await panel.getByText('2 indices chosen').waitFor()
		await hand.use(button('Actions', panel))
		await choose('Delete 2 indices')
		await sheet().getByText('This deletes:').waitFor()
		await hand.use(button('Delete 2 indices', sheet()))
		await page.getByRole('dialog').waitFor({ state: 'detached' })
		await index('logs-2026.11.24').waitFor({ state: 'detached' })
	})
	async function choose(label: string): Promise<void> {
		await menuItem(label).waitFor()
		if (hand.name === 'mouse') return menuItem(label).click()
		for (let step = 0; step < 20 && !(await menuItem(label).evaluate(item => item.matches(':focus'))); step++)
			await press('ArrowDown')
		await press('Enter')
	}

	test('19: reads the mapping of an index, and drafts a change of its settings', async () => {
		await hand.choose(index('places'), 'Manage in the list of indices')
		const panel = page.getByRole('tabpanel', { name: 'Indices', exact: true })
		await panel.getByText('1 index chosen').waitFor()
		await hand.use(button('Actions', panel))
		await choose('Change settings …')
		const settings = page.getByRole('dialog', { name: 'Change settings' })
		await settings.getByLabel('Refresh interval').fill('5s')
		await hand.use(button('Open in the console', settings))
		const console = page.getByRole('tabpanel', { name: 'Console', exact: true })
		await console.getByText('PUT /places/_settings').waitFor()
		await console.getByText('"refresh_interval": "5s"').waitFor()
		expect(await console.getByText('number_of_replicas').count()).toBe(0)
	})

	test('20: exports what is filtered, and reads how many documents that are', async () => {
		await hand.use(tab('books'))
		await hand.choose(await books.cell(0, '_id'), 'Filter for this')
		await expect.poll(() => button(/^Remove/, chips()).count()).toBe(1)
		await hand.use(button('Export', books.root))
		await sheet()
			.getByText(/^1 document will be exported\./)
			.waitFor()
		const [file] = await Promise.all([page.waitForEvent('download'), hand.use(button('Export', sheet()))])
		expect(file.suggestedFilename()).toBe('books.ndjson')
		await hand.use(button('Close', sheet()).last())
	})

	test('21: starts again from an empty pane', async () => {
		for (const name of ['b*,places', 'library', 'books', 'events', 'Indices', 'Console']) {
			await hand.choose(tab(name), 'Close')
			await tab(name).waitFor({ state: 'detached' })
		}
		await hand.use(button(/^books/, page.getByRole('list', { name: 'Open in Sample' })))
		await books.root.getByRole('gridcell').first().waitFor()
		expect(window.faults).toEqual([])
	})
})
