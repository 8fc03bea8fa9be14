import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The values that Elasticsearch offers behind a quote, and its tables of text. Else see ui/console/typing.test.tsx. */
let window: SampleWindow
const page = () => window.page
const press = (keys: string) => page().keyboard.press(keys)
const type = (text: string) => page().keyboard.type(text)
const editor = () => page().getByRole('textbox', { name: 'Console' })
const text = async () => (await editor().locator('.cm-line').allInnerTexts()).map(line => line.trimEnd()).join('\n')
/** Waits until an option is offered and the list takes keys, which it does not in its first moment. */
async function offered(label: string): Promise<void> {
	await page().locator('.cm-tooltip-autocomplete').getByText(label, { exact: true }).first().waitFor()
	await page().waitForTimeout(150)
}
const results = () => page().getByRole('region', { name: 'Results' })

beforeAll(async () => {
	window = await SampleWindow.open()
	await page().getByRole('list', { name: 'Indices' }).getByRole('button').first().waitFor()
	await page().getByRole('button', { name: 'Console', exact: true }).click()
	await editor().waitFor()
})
afterAll(() => window?.[Symbol.asyncDispose]())

async function write(text: string): Promise<void> {
	await editor().click()
	await press('ControlOrMeta+a')
	await press('Delete')
	await page().keyboard.insertText(text)
}

test('a completed key of a text takes the value in quotes, and its values are offered', async () => {
	await write('GET /books/_search\n{"sort": [{"pages": {')
	await type('"ord')
	await offered('order')
	await press('Tab')
	await offered('desc')
	await press('ArrowDown')
	await press('Tab')
	expect(await text()).toMatch(/"order": "(asc|desc)"/)
})

test('a table of text is shown as rows that sort, with the text beside it', async () => {
	await write('GET /_cat/indices?v&h=index,docs.count')
	await press('ControlOrMeta+Enter')
	const run = results().getByRole('article', { name: 'GET /_cat/indices' })
	const names = () => run.locator('[data-row]:visible [data-column="0"]').allInnerTexts()
	const header = run.getByRole('columnheader', { name: 'docs.count' })
	await header.click()
	expect((await names()).slice(-3)).toEqual(['places', 'books', 'events'])
	await header.click()
	expect((await names())[0]).toBe('events')
	expect(await header.getAttribute('aria-sort')).toBe('descending')
	await run
		.getByRole('radio', { name: 'Text' })
		.or(run.getByText('Text', { exact: true }))
		.first()
		.click()
	await run.getByText('docs.count').first().waitFor()
	expect(window.faults).toEqual([])
})
