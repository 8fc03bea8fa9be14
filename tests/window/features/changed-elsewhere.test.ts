import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { SampleWindow, TablePanel } from '../../support/window.ts'

/** What another client or another window changes while a table is open. */
let window: SampleWindow
const page = () => window.page
const put = (path: string, body: unknown) => window.cluster(path, { method: 'PUT', body })

beforeAll(async () => {
	window = await SampleWindow.open()
})
afterAll(() => window?.[Symbol.asyncDispose]())

test('a range and a sort stay in view, and can be removed, after their column is no date any more', async () => {
	const now = Date.now()
	const dates = { mappings: { properties: { '@timestamp': { type: 'date' }, name: { type: 'keyword' } } } }
	await put('/shift-1', dates)
	for (const [id, hoursAgo] of [1, 2, 100, 200].entries()) {
		const at = new Date(now - hoursAgo * 3_600_000).toISOString()
		await put(`/shift-1/_doc/${id}?refresh=true`, { '@timestamp': at, name: `n${id}` })
	}
	const search = page().getByRole('searchbox', { name: 'Search indices' })
	await search.fill('shift-*')
	await page().getByRole('list', { name: 'Found by name' }).getByRole('button').first().click()
	await search.fill('')
	const panel = new TablePanel(page().getByRole('tabpanel', { name: 'shift-*', exact: true }))
	const time = panel.root.getByRole('group', { name: 'Time' })
	await panel.root.locator('[data-header="@timestamp"][aria-sort="descending"]').waitFor()
	await time.getByLabel('Time range').selectOption('Last 24 hours')
	await panel.root.getByText('2 documents', { exact: true }).waitFor()
	await put('/shift-2', { mappings: { properties: { '@timestamp': { type: 'keyword' } } } })
	await panel.root.getByRole('button', { name: 'Reload' }).click()
	const sorts = panel.root.getByRole('list', { name: 'Sorts' })
	await sorts.getByText('Not sorted by @timestamp').waitFor()
	await panel.root.locator('[data-header="@timestamp"][aria-sort="none"]').waitFor()
	const column = time.getByLabel('Time column')
	await expect.poll(() => column.locator('option:checked').innerText()).toBe('@timestamp (no date)')
	await sorts.getByRole('button', { name: 'Remove the sort by @timestamp' }).click()
	await sorts.waitFor({ state: 'detached' })
	await time.getByLabel('Time range').selectOption('All time')
	await panel.root.getByText('4 documents', { exact: true }).waitFor()
	await time.waitFor({ state: 'detached' })
	expect(window.faults).toEqual([])
})

test('what another window or tab saves is shown, without a reload and without losing what is typed', async () => {
	const places = await window.openTable('places')
	await (await places.cell(0, 'name')).click({ button: 'right' })
	await page()
		.getByRole('menuitem', { name: /^Only this, in another tab/ })
		.click()
	const apart = new TablePanel(page().getByRole('tabpanel', { name: 'places', exact: true }).visible())
	await apart.root
		.getByRole('button', { name: /^name is / })
		.first()
		.waitFor()
	await page().getByRole('tab', { name: 'places', exact: true }).click()
	const browser = page().context().browser()
	if (!browser) throw new Error('the page has no browser')
	const other = await openPage(browser, window.roundhouse, [])
	const others = new TablePanel(other.getByRole('tabpanel', { name: 'places', exact: true }))
	await others.root.getByText('2,500 documents').waitFor()

	await places.edit(0, 'name', 'Renamed Here')
	await others.root.getByText('1 change not saved').waitFor()
	await places.save()
	await places.nothingStaged()
	await others.root.getByText('not saved').waitFor({ state: 'detached' })
	await expect.poll(async () => (await others.cell(0, 'name')).innerText()).toBe('Renamed Here')
	await page().getByRole('tab', { name: 'places (2)' }).click()
	await expect.poll(async () => (await apart.cell(0, 'name')).innerText()).toBe('Renamed Here')
	await page().getByRole('tab', { name: 'places', exact: true }).click()

	await (await others.cell(3, 'name')).dblclick()
	await other.keyboard.press('ControlOrMeta+a')
	await other.keyboard.type('Typed Meanwhile')
	await (await places.cell(1, 'name')).click()
	await page().keyboard.press('Delete')
	await places.save()
	await places.root.getByText('2,499 documents').waitFor()
	await others.root.getByText('not saved').waitFor({ state: 'detached' })
	expect(await others.root.getByRole('textbox', { name: 'Edit name' }).inputValue()).toBe('Typed Meanwhile')
	// The editor stays over its row, so the rows are read again after it.
	await other.keyboard.press('Enter')
	await others.root.getByText('2,499 documents').waitFor()
	await others.root.getByText('1 change not saved').waitFor()
	await others.root.getByText('Typed Meanwhile').waitFor()
	await places.root.getByText('1 change not saved').waitFor()
	await places.root.getByRole('button', { name: 'Discard' }).click()
	await page().getByRole('button', { name: 'Close places (2)' }).click()
	await other.close()
	expect(window.faults).toEqual([])
})
