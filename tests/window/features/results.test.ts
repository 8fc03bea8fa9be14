import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The result of a statement as rows, as a chart and as the complete answer. */
describe('results', () => {
	let window: SampleWindow
	const root = () => window.page.getByRole('tabpanel', { name: 'Console' })
	const result = () => root().getByRole('article').first()
	const json = () => result().getByRole('textbox', { name: 'the answer', exact: true })
	const see = (view: string) => result().getByText(view, { exact: true }).click()

	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await window.page.getByRole('button', { name: 'Console', exact: true }).click()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	async function run(text: string): Promise<void> {
		const before = await root().getByRole('article').count()
		await root().getByRole('textbox', { name: 'Console' }).click()
		await window.page.keyboard.press('ControlOrMeta+a')
		await window.page.keyboard.press('Delete')
		await window.page.keyboard.insertText(text)
		await window.page.keyboard.press('ControlOrMeta+Enter')
		await expect.poll(() => root().getByRole('article').count()).toBe(before + 1)
		await result().getByText(/ ms$/).waitFor()
	}

	test('a search opens as rows, and its JSON is the complete answer with every digit', async () => {
		await run('GET /books/_search?scroll=1m\n{ "size": 1, "_source": ["barcode"], "sort": ["_doc"] }')
		await result().getByRole('columnheader', { name: 'barcode' }).waitFor()
		await result().getByRole('region', { name: 'Scroll' }).getByText('_scroll_id').waitFor()
		await see('JSON')
		await json().getByText('"_scroll_id":').waitFor()
		await json().getByText('17144233728206122483').waitFor()
		expect(await result().locator('.cm-foldGutter span[title="Fold line"]').count()).toBeGreaterThan(2)
	})

	test('the JSON can be searched and folded, and is copied and saved unchanged', async () => {
		await json().click()
		await window.page.keyboard.press('ControlOrMeta+f')
		await window.page.keyboard.type('barcode')
		await result().getByRole('search', { name: 'Find in the text' }).getByText('1 of 1').waitFor()
		await window.page.keyboard.press('Escape')
		await result().locator('.cm-foldGutter span[title="Fold line"]').first().click()
		await result().locator('.cm-foldPlaceholder').waitFor()
		expect(await json().getByText('17144233728206122483').count()).toBe(0)
		await result().getByRole('button', { name: 'Copy the answer' }).click()
		const copied = await window.page.evaluate<string>('navigator.clipboard.readText()')
		expect(copied).toMatch(/^\{"_scroll_id":.*"barcode":17144233728206122483/)
		const saving = window.page.waitForEvent('download')
		await result().getByRole('button', { name: 'Save the answer to a file' }).click()
		const saved = await saving
		expect(saved.suggestedFilename()).toBe('answer.json')
		expect(await readFile((await saved.path()) ?? '', 'utf8')).toBe(copied)
	})

	test('an expression returns a part of the JSON with all digits, or shows its error', async () => {
		const filter = result().getByRole('textbox', { name: /^Filter of the answer/ })
		await filter.fill('hits.hits[*]._source')
		await expect.poll(() => json().innerText()).toBe('[\n  {\n    "barcode": 17144233728206122483\n  }\n]')
		await filter.fill('hits[')
		await result().getByRole('alert').waitFor()
		await filter.fill('')
		await json().getByText('"_scroll_id":').waitFor()
	})

	test('values over all buckets are separate, and buckets have a chart', async () => {
		await run(
			'POST /events/_search\n{ "size": 0, "aggs": { "slowest": { "max": { "field": "duration_ns" } }, "by_level": { "terms": { "field": "level" } } } }',
		)
		await result().getByRole('region', { name: 'Over all rows' }).getByText('slowest').waitFor()
		expect(await result().locator('th button').allInnerTexts()).toEqual(['by_level', 'doc_count'])
		await see('Chart')
		await result()
			.getByRole('img', { name: /^doc_count by by_level, \d values$/ })
			.waitFor()
		expect(await result().locator('.chart-bar').count()).toBeGreaterThan(2)
		await result()
			.getByRole('table', { name: 'doc_count by by_level' })
			.getByRole('rowheader', { name: 'info' })
			.waitFor()
		await run(
			'POST /events/_search\n{ "size": 0, "aggs": { "by_month": { "date_histogram": { "field": "@timestamp", "calendar_interval": "month" } } } }',
		)
		await see('Chart')
		await result().locator('.chart-curve').waitFor()
	})

	test('cells over which the mouse is dragged are copied', async () => {
		const { page } = window
		await run('GET /books/_search\n{ "size": 40, "_source": ["title", "price"], "sort": ["_doc"] }')
		const cell = (row: number, column: number) => result().getByRole('row').nth(row).getByRole('gridcell').nth(column)
		const titles = [await cell(1, 3).innerText(), await cell(2, 3).innerText()]
		const [from, to] = [await cell(1, 3).boundingBox(), await cell(2, 3).boundingBox()]
		await page.mouse.move((from?.x ?? 0) + 12, (from?.y ?? 0) + 8)
		await page.mouse.down()
		await page.mouse.move((to?.x ?? 0) + 40, (to?.y ?? 0) + 8, { steps: 4 })
		await page.mouse.up()
		await page.keyboard.press('ControlOrMeta+c')
		await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(titles.join('\n'))
	})

	test('a refusal shows its status and the complete error of the engine', async () => {
		await run('GET /nothing/_search')
		await result().getByText('404 Not Found').waitFor()
		await result().getByRole('alert').getByText('no such index [nothing]').waitFor()
		await json().getByText('"resource.id": "nothing"').or(json().getByText('"status": 404')).first().waitFor()
	})

	test('plain text is shown unchanged', async () => {
		await run('GET /_cat/indices?h=index')
		await expect.poll(() => json().innerText()).toMatch(/^books/)
		expect(await result().getByRole('radiogroup').count()).toBe(0)
		expect(window.faults).toEqual([])
	})
})
