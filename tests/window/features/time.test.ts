import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** Tables of events: the rows around one, the order, the range of time, its histogram and the automatic refresh. */
let window: SampleWindow
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)

beforeAll(async () => {
	window = await SampleWindow.open()
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('the rows around one in time open in another tab, with the row selected', async () => {
	const errors = await window.openTable('events')
	const level = await (await errors.cell(1, 'level')).innerText()
	await (await errors.cell(1, 'level')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Filter for this/ })
		.click()
	// The rows of the filter, not those of before.
	await expect.poll(async () => new Set(await (await errors.cells('level')).allInnerTexts())).toEqual(new Set([level]))
	const id = await (await errors.cell(12, '_id')).innerText()
	await (await errors.cell(12, '_id')).click()
	await press('Alt+Shift+A')
	const tab = page().getByRole('tabpanel', { name: 'events', exact: true }).visible()
	await tab.getByLabel('Time range').and(page().locator('.is-set')).waitFor()
	expect(await tab.getByRole('list', { name: 'Filters' }).count()).toBe(0)
	const selected = tab.locator('[aria-selected="true"]').first()
	await expect.poll(() => selected.innerText()).toBe(id)
	await expect.poll(() => tab.getByText(level, { exact: true }).count()).toBeGreaterThan(0)
	// Another row has a separate tab: what was found around the first one stays.
	await page().getByRole('tab', { name: 'events', exact: true }).click()
	const other = await (await errors.cell(3, '_id')).innerText()
	await (await errors.cell(3, '_id')).click()
	await press('Alt+Shift+A')
	await page().getByRole('tab', { name: 'events (3)' }).waitFor()
	await expect.poll(() => selected.innerText()).toBe(other)
	await press('ControlOrMeta+w')
	await page().getByRole('tab', { name: 'events (2)' }).click()
	await expect.poll(() => selected.innerText()).toBe(id)
	await press('ControlOrMeta+w')
	await page().getByRole('tab', { name: 'events', exact: true }).click()
	await errors.root.getByRole('button', { name: /^Remove level is/ }).click()
	expect(window.faults).toEqual([])
})

test('the row around which others open is selected among those of the same time', async () => {
	for (const id of ['t1', 't2', 't3', 't4'])
		await window.cluster(`/ties/_doc/${id}?refresh=true`, {
			method: 'PUT',
			body: { '@timestamp': '2026-01-02T03:04:05Z' },
		})
	await page().getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
	const ties = await window.openTable('ties')
	const id = await (await ties.cell(2, '_id')).innerText()
	await (await ties.cell(2, '_id')).click()
	await press('Alt+Shift+A')
	await page().getByRole('tab', { name: 'ties (2)' }).waitFor()
	const tab = page().getByRole('tabpanel', { name: 'ties', exact: true }).visible()
	await expect.poll(() => tab.locator('[aria-selected="true"]').first().innerText()).toBe(id)
	await window.cluster('/ties', { method: 'DELETE', body: undefined })
	await press('ControlOrMeta+w')
	await press('ControlOrMeta+w')
	// Of many rows, it is one that is loaded with the first of them, or one further down. It is in view.
	const source = { '@timestamp': '2026-01-02T03:04:05.000Z' }
	const actions = Array.from({ length: 500 }, (_, at) => ({ index: { _index: 'crowd', _id: `t${at}` } }))
	const body = actions.flatMap(action => [JSON.stringify(action), JSON.stringify(source)]).join('\n')
	const headers = { 'content-type': 'application/x-ndjson' }
	await fetch(`${window.clusterUrl}/_bulk?refresh=true`, { method: 'POST', body: `${body}\n`, headers })
	await page().getByRole('navigation').getByRole('button', { name: 'Reload' }).click()
	await window.openTable('crowd')
	const crowd = page().getByRole('tabpanel', { name: 'crowd', exact: true }).visible()
	for (const row of [250, 480]) {
		await press('Control+g')
		await page().keyboard.type(String(row))
		await press('Enter')
		await expect.poll(() => crowd.getByText(`Row ${row}`, { exact: true }).count()).toBe(1)
		await expect.poll(() => crowd.locator('[aria-selected="true"]').first().innerText()).toMatch(/./)
		const sought = await crowd.locator('[aria-selected="true"]').first().innerText()
		await press('Alt+Shift+A')
		await page().getByRole('tab', { name: 'crowd (2)' }).waitFor()
		await expect.poll(() => crowd.getByText(`Row ${row}`, { exact: true }).count()).toBe(1)
		const selected = crowd.locator('[aria-selected="true"]').first()
		await expect.poll(() => selected.innerText()).toBe(sought)
		const [cell, grid] = [await selected.boundingBox(), await crowd.getByRole('grid').boundingBox()]
		expect(cell && grid && cell.y > grid.y && cell.y + cell.height <= grid.y + grid.height).toBe(true)
		expect(await page().getByText('Another one of them').count()).toBe(0)
		await press('ControlOrMeta+w')
		await crowd.getByRole('gridcell').first().click()
	}
	await window.cluster('/crowd', { method: 'DELETE', body: undefined })
	await press('ControlOrMeta+w')
})

test('an index or a pattern with a time opens with the newest first, and another order is kept', async () => {
	const events = await window.openTable('events')
	await events.root.locator('[data-header="@timestamp"][aria-sort="descending"]').waitFor()
	await page().getByRole('button', { name: 'Close events' }).click()
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
	await times.getByRole('slider', { name: 'documents by @timestamp' }).waitFor()
	await header.click()
	await times.locator('[data-header="@timestamp"][aria-sort="none"]').waitFor()
	await header.click()
	await times.locator('[data-header="@timestamp"][aria-sort="descending"]').waitFor()
	await page().getByRole('button', { name: 'Close event*' }).click()
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

	const bars = events.root.getByRole('slider', { name: 'documents by @timestamp' })
	await expect.poll(() => bars.locator('.histogram-bucket').count()).toBe(48)
	const words = events.root.getByText('Tallest bar: ')
	expect(await words.innerText()).toMatch(/^Tallest bar: \d+ documents in 30 minutes$/)
	await bars.focus()
	await press('Home')
	await press('Shift+ArrowRight')
	expect(await bars.getAttribute('aria-valuetext')).toMatch(
		/^2024-01-02 – 2024-01-02 01:00:00: \d+ documents \(info \d+/,
	)
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

test('the histogram of a log is open and split by level; a value filters, and both choices are kept', async () => {
	const events = await window.openTable('events')
	const bars = events.root.getByRole('slider', { name: 'documents by @timestamp' })
	const parts = bars.locator('.histogram-bucket').first().locator('.histogram-part')
	await expect.poll(() => parts.count()).toBe(4)
	const split = events.root.getByLabel('Split by')
	expect(await split.inputValue()).toBe('level')
	await events.root.getByTitle('Filter for level error', { exact: true }).click()
	await events.root.getByRole('button', { name: 'level is error', exact: true }).waitFor()
	await expect.poll(() => parts.count()).toBe(1)
	await split.selectOption('service')
	await expect.poll(() => parts.count()).toBeGreaterThan(3)
	await split.selectOption('nothing')
	await expect.poll(() => parts.count()).toBe(0)
	await events.root.getByRole('button', { name: 'Histogram of time' }).click()
	await bars.waitFor({ state: 'detached' })
	await page().reload()
	const again = await window.openTable('events')
	await again.root.getByRole('button', { name: 'level is error', exact: true }).waitFor()
	expect(await again.root.getByLabel('Split by').count()).toBe(0)
	await again.root.getByRole('button', { name: 'Histogram of time' }).click()
	await again.root.getByRole('slider').waitFor()
	expect(await again.root.getByLabel('Split by').inputValue()).toBe('')
	// A saved view has its own.
	await again.root.getByLabel('Split by').selectOption('service')
	await again.root.getByRole('button', { name: 'Saved views' }).click()
	await page().getByLabel('Name of the view').fill('By service')
	await press('Enter')
	await press('Escape')
	await again.root.getByLabel('Split by').selectOption('level')
	await again.root.getByRole('button', { name: 'Saved views' }).click()
	await page().getByRole('dialog', { name: 'Saved views' }).locator('.views-name').click()
	await expect.poll(() => again.root.getByLabel('Split by').inputValue()).toBe('service')
	await again.root.getByRole('button', { name: 'Remove level is error' }).click()
	expect(window.faults).toEqual([])
})

test('the automatic refresh shows new rows, and waits while a row is selected', async () => {
	const places = await window.openTable('places')
	const time = places.root.getByRole('group', { name: 'Time' })
	await time.getByLabel('Automatic refresh').selectOption('Every 5 s')
	await window.cluster('/places/_doc/refreshed?refresh=true', { method: 'PUT', body: { name: 'Here' } })
	await places.root.getByText('2,501 documents', { exact: true }).waitFor()
	await (await places.cell(1, 'name')).click()
	await time.getByText('Paused: a cell is selected').waitFor()
	await time.getByRole('button', { name: 'Refresh from the first row' }).click()
	await time.getByRole('button', { name: 'Pause the refresh' }).click()
	await time.getByText('Paused: by you').waitFor()
	await (await places.cell(1, 'name')).click()
	await time.getByLabel('Automatic refresh').selectOption('Every 10 s')
	await time.getByText('Paused:').waitFor({ state: 'detached' })
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
	await press('Alt+Shift+Z')
	await expect.poll(() => time.getByLabel('Time range').inputValue()).toBe('all')
	expect(await time.getByRole('button', { name: 'Zoom out' }).isDisabled()).toBe(true)
	await time.getByLabel('Time range').selectOption('Last 30 days')
	await time.getByRole('button', { name: 'Zoom out' }).click()
	await expect.poll(() => time.getByLabel('Time range').inputValue()).toBe('1y')
	await time.getByLabel('Time range').selectOption('From … to …')
	await fits('an open range')
	await time.getByLabel('From', { exact: true }).fill('2024-01-02 13:45:56')
	await time.getByLabel('To', { exact: true }).fill('2024-12-23 13:45:56')
	await time.getByLabel('To', { exact: true }).press('Enter')
	await fits('an absolute range')
	await time.getByLabel('Automatic refresh').selectOption('Every 5 min')
	await (await events.cell(2, '_id')).click()
	await time.getByText('Paused: a cell is selected').waitFor()
	await fits('a paused refresh')
	await time.getByLabel('Automatic refresh').selectOption('Refresh: off')
	await time.getByLabel('Time range').selectOption('All time')
	if (size) await page().setViewportSize(size)
	expect(window.faults).toEqual([])
})
