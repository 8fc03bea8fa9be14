import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** Facts of the driver about the cluster, an index and an answer. */
describe('facts', () => {
	let window: SampleWindow
	const tab = (name: string) => window.page.getByRole('tabpanel', { name, exact: true })

	beforeAll(async () => {
		window = await SampleWindow.open()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('the list of tables opens the overview of a connection', async () => {
		await window.page.getByRole('button', { name: 'Overview', exact: true }).click()
		const health = tab('Overview').getByRole('region', { name: 'Health' })
		await health.getByText('green').waitFor()
		await tab('Overview').getByRole('region', { name: 'Nodes' }).getByText('sample-node').waitFor()
		await tab('Overview').getByRole('region', { name: 'Tasks' }).getByText('Nothing runs.').waitFor()
	})

	test('a narrow window breaks a list between words, not inside them', async () => {
		const wide = window.page.viewportSize() ?? { width: 1280, height: 820 }
		await window.page.setViewportSize({ ...wide, width: 700 })
		const nodes = tab('Overview').getByRole('region', { name: 'Nodes' })
		const heightOf = async (role: 'cell' | 'columnheader', name: string) =>
			(await nodes.getByRole(role, { name }).boundingBox())?.height ?? Number.NaN
		// "sample-", "node", "(master)", below a header with one line.
		expect(await heightOf('cell', 'sample-node (master)')).toBeLessThan(3 * (await heightOf('columnheader', 'Name')))
		await window.page.setViewportSize(wide)
	})

	test('a section opens its request in the console', async () => {
		await tab('Overview').getByRole('button', { name: 'Health: open the request in the console' }).click()
		await tab('Console').getByRole('textbox', { name: 'Console' }).getByText('GET /_cluster/health').waitFor()
	})

	test('an index shows its fields and settings', async () => {
		await window.openTable('books')
		await tab('books').getByRole('button', { name: 'About this index' }).click()
		const about = tab('About books')
		expect(await tab('Overview').isVisible()).toBe(false)
		const fields = about.getByRole('region', { name: 'Fields' })
		await fields.getByRole('cell', { name: 'author.name', exact: true }).waitFor()
		await about.getByRole('region', { name: 'Settings' }).getByText('index.number_of_shards').waitFor()
		await about.getByRole('button', { name: 'Reload' }).click()
		await fields.getByRole('cell', { name: 'author.name', exact: true }).waitFor()
		expect(await window.page.getByRole('alert').count()).toBe(0)
	})

	test('facts are read again when their tab is shown again', async () => {
		const settings = tab('About books').getByRole('region', { name: 'Settings' })
		await settings.getByText('index.number_of_shards').waitFor()
		expect(await settings.getByText('index.refresh_interval').count()).toBe(0)
		await window.page.getByRole('tab', { name: 'books', exact: true }).click()
		await tab('About books').waitFor({ state: 'hidden' })
		const change = (interval: string | null) =>
			window.cluster('/books/_settings', { method: 'PUT', body: { index: { refresh_interval: interval } } })
		await change('9s')
		await window.page.getByRole('tab', { name: 'About books' }).click()
		await settings.getByText('index.refresh_interval').waitFor()
		await change(null)
	})

	test('an answer shows its timing beside its rows', async () => {
		await window.page.getByRole('tab', { name: 'Console' }).click()
		await tab('Console').getByRole('textbox', { name: 'Console' }).click()
		await window.page.keyboard.press('ControlOrMeta+a')
		await window.page.keyboard.insertText('GET /books/_search\n{"profile": true, "size": 2}')
		await tab('Console').getByRole('button', { name: 'Run', exact: true }).click()
		const panel = tab('Console').getByRole('region', { name: 'Time spent in shard [books][0]' })
		await panel.getByRole('cell', { name: 'MatchAllDocsQuery' }).waitFor()
		await tab('Console').getByRole('columnheader', { name: 'title' }).waitFor()
	})
})
