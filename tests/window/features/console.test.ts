import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The console runs several requests in one text, shows results as rows or JSON, and asks before destructive ones. */
describe('the console', () => {
	let window: SampleWindow
	const root = () => window.page.getByRole('tabpanel', { name: 'Console' })
	const runs = () => root().getByRole('article')

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.getByRole('button', { name: 'Console', exact: true }).click()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	async function write(text: string): Promise<void> {
		await root().getByRole('textbox', { name: 'Console' }).click()
		await window.page.keyboard.press('ControlOrMeta+a')
		await window.page.keyboard.press('Delete')
		await window.page.keyboard.insertText(text)
	}

	test('runs the request at the cursor, and shows hits as rows with every digit', async () => {
		await write('GET /_cluster/health\n\n# one book\nGET /books/_search\n{ "size": 1, "_source": ["barcode"] }')
		await window.page.keyboard.press('ControlOrMeta+Enter')
		await runs().first().getByText('200 OK').waitFor()
		expect(await runs().count()).toBe(1)
		expect(await runs().first().locator('th button').allInnerTexts()).toContain('barcode')
		await runs().first().getByText('17144233728206122483').waitFor()
	})

	test('runs all requests in order, and shows results without rows as JSON', async () => {
		await root().getByRole('button', { name: 'Run all' }).click()
		await expect.poll(() => runs().count()).toBe(3)
		await root().getByText('"cluster_name"').waitFor()
	})

	test('shows the whole request line beside its result in a small window', async () => {
		const wide = window.page.viewportSize() ?? { width: 1280, height: 820 }
		await window.page.setViewportSize({ width: 800, height: 600 })
		const statement = runs().filter({ hasText: 'in total' }).first().getByText('GET /books/_search')
		expect(await statement.evaluate(element => element.scrollWidth - element.clientWidth)).toBe(0)
		await window.page.setViewportSize(wide)
	})

	test('shows an error of the engine unchanged', async () => {
		await write('GET /nothing/_search')
		await root().getByRole('button', { name: 'Run', exact: true }).click()
		await runs().first().getByText('index_not_found_exception').first().waitFor()
	})

	test('names an invalid request, and runs none of the others', async () => {
		const before = await runs().count()
		await write(
			'POST /places/_delete_by_query\n{"query": {"match_all": {}}}\n\nPUTT /books/_doc/y1\n{"size": 1}\n\nPUT /books/_doc/y2\n{}',
		)
		await root().getByRole('button', { name: 'Run all' }).click()
		await root().getByText('3 of 3 not run: PUTT /books/_doc/y1 cannot be read.').waitFor()
		await expect.poll(() => runs().count()).toBe(before + 1)
		expect(await window.page.getByRole('dialog').count()).toBe(0)
		expect(await window.cluster('/places/_count')).toMatchObject({ count: 2500 })
		expect(await window.cluster('/books/_doc/y2')).toMatchObject({ found: false })
	})

	test('asks before a destructive request, and Cancel runs nothing', async () => {
		await write('DELETE /places')
		await root().getByRole('button', { name: 'Run', exact: true }).click()
		await window.page.getByRole('dialog').getByText('DELETE /places').waitFor()
		await window.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
		expect(await window.cluster('/places/_count')).toMatchObject({ count: 2500 })
	})

	test('describes a suggestion, and links to its documentation', async () => {
		await write('GET /_cat/')
		await window.page.keyboard.type('indi')
		const option = window.page.getByRole('option', { name: 'indices' })
		await option.getByText('GET').waitFor()
		await window.page.waitForTimeout(150)
		await window.page.keyboard.press('ArrowDown')
		const info = window.page.locator('.cm-completionInfo')
		await info.getByText('Get index information.').waitFor()
		const link = info.getByRole('link', { name: 'Documentation' })
		expect(await link.getAttribute('href')).toMatch(/^https:\/\/www\.elastic\.co\//)
		// The link has the colour of the theme, not the default blue of the browser.
		const colour = await window.page.evaluate('getComputedStyle(document.querySelector(".cm-completionInfo a")).color')
		expect(colour).not.toBe('rgb(0, 0, 238)')
		await option.click()
		await root().getByText('GET /_cat/indices').waitFor()
		await write('PUT /_')
		await window.page.keyboard.type('te')
		await window.page.locator('li.cm-deprecated').getByText('_template').waitFor()
		await window.page.keyboard.press('Escape')
	})

	test('wraps long lines by Alt+Z, and a reload keeps that', async () => {
		const { page } = window
		const editor = root().getByRole('textbox', { name: 'Console' })
		const isWrapped = () => editor.evaluate(content => content.classList.contains('cm-lineWrapping'))
		await write('GET /_cat/indices')
		expect(await isWrapped()).toBe(false)
		await page.keyboard.press('Alt+z')
		await expect.poll(isWrapped).toBe(true)
		// The choice is stored a moment later.
		await expect
			.poll(() => window.roundhouse.withHost(host => host.call('preferences.read', {})))
			.toMatchObject({ 'console-lines': 'wrapped' })
		await page.reload()
		await editor.click()
		await expect.poll(isWrapped).toBe(true)
		await page.keyboard.press('Alt+z')
		await expect.poll(isWrapped).toBe(false)
	})

	test('restores the text when the console is opened again', async () => {
		await write('GET /_cat/indices?format=json')
		await window.page.getByRole('button', { name: 'Close Console' }).click()
		await window.page.getByRole('button', { name: 'Console', exact: true }).click()
		await root().getByText('GET /_cat/indices?format=json').waitFor()
		expect(window.faults).toEqual([])
	})
})
