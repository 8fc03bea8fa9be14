import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** Typing in a console as in an editor, and what the results offer. */
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

test('Tab accepts a completion with the shape of its value, and Enter after a bracket indents', async () => {
	await write('GET /books/_search\n')
	await type('{')
	await press('Enter')
	await type('"quer')
	await offered('query')
	await press('Tab')
	// Between the braces the list is open, and Enter begins a line all the same.
	await offered('bool')
	await press('Enter')
	await type('"rang')
	await offered('range')
	await press('Tab')
	await type('"page')
	await offered('pages')
	await press('Tab')
	expect(await text()).toBe('GET /books/_search\n{\n  "query": {\n    "range": {"pages": {}}\n  }\n}')
	await press('Escape')
	await press('Escape')
	await press('ControlOrMeta+End')
	await press('Enter')
	await press('Tab')
	expect((await text()).endsWith('}\n')).toBe(true)
	expect(await editor().locator('.cm-line').last().textContent()).toBe('  ')
})

test('an opening quote or brace that a completion has inserted is not doubled', async () => {
	await write('GET /books/_search\n{')
	await type('"quer')
	await offered('query')
	await press('Tab')
	await type('{"ter')
	await offered('term')
	await press('Tab')
	await type('"author.coun')
	await offered('author.country')
	await press('Tab')
	await type('"DE')
	expect(await text()).toBe('GET /books/_search\n{"query": {"term": {"author.country": "DE"}}')
	await press('Escape')
})

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

test('a text is replaced once or everywhere, as one step of undo, and the next occurrence joins the selection', async () => {
	const before = 'GET /books/_search\n\nGET /books/_count\n\nGET /books'
	await write(before)
	await press('ControlOrMeta+h')
	const bar = page().getByRole('search', { name: 'Find in the text' })
	await bar.getByRole('textbox', { name: 'Find in the text' }).fill('books')
	await bar.getByText('1 of 3').waitFor()
	await bar.getByRole('textbox', { name: 'Replace with' }).fill('places')
	await bar.getByRole('button', { name: 'Replace', exact: true }).click()
	await bar.getByText('1 of 2').waitFor()
	await bar.getByRole('button', { name: 'Replace all' }).click()
	expect(await text()).toBe(before.replaceAll('books', 'places'))
	await press('Escape')
	await press('ControlOrMeta+z')
	expect(await text()).toBe(before.replace('books', 'places'))
	await write('books books')
	await press('ControlOrMeta+Home')
	await press('ControlOrMeta+d')
	await press('ControlOrMeta+d')
	await type('x')
	expect(await text()).toBe('x x')
})

test('a table of text is shown as rows that sort, with the text beside it', async () => {
	await write('GET /_cat/indices?v&h=index,docs.count')
	await press('ControlOrMeta+Enter')
	const run = results().getByRole('article', { name: 'GET /_cat/indices' })
	const names = () => run.locator('tbody tr td:nth-child(2)').allInnerTexts()
	const header = run.getByRole('columnheader', { name: 'docs.count' })
	await header.getByRole('button').click()
	expect((await names()).slice(-3)).toEqual(['places', 'books', 'events'])
	await header.getByRole('button').click()
	expect((await names())[0]).toBe('events')
	expect(await header.getAttribute('aria-sort')).toBe('descending')
	await run
		.getByRole('radio', { name: 'Text' })
		.or(run.getByText('Text', { exact: true }))
		.first()
		.click()
	await run.getByText('docs.count').first().waitFor()
})

test('a result folds, and all results can be removed', async () => {
	const fold = results().getByRole('button', { name: /^Result of GET/ })
	await fold.click()
	expect(await results().getByRole('button', { name: 'Copy the answer' }).count()).toBe(0)
	expect(await fold.getAttribute('aria-expanded')).toBe('false')
	// A result of an earlier run says when that was.
	const since = (place: number) => results().getByRole('article').nth(place).getByTitle('Statements were run since')
	expect(await since(0).count()).toBe(0)
	await write('GET /')
	await press('ControlOrMeta+Enter')
	await since(1).waitFor()
	expect(await since(0).count()).toBe(0)
	await results().getByRole('button', { name: 'Clear' }).click()
	await results().getByText('Results show here.').waitFor()
	expect(window.faults).toEqual([])
})
