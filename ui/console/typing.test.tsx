import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ParamsOf, ResultOf } from '../../host/api/api.ts'
import { consoleEnter } from '../state/appearance.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** Typing in a console as in an editor, and what the results offer. */

let window: FakeWindow
let panel: ConsolePanel

const unkept = { get: () => undefined, set: () => {} }

/** Keys with the brackets or quotes of their values. */
const shapes = { query: '{}', bool: '{}', range: '{}', rank: '{}', pages: '{}', term: '{}', country: '""' }

/** A driver that completes keys of JSON with the shape of their value. */
function complete({ text, offset }: ParamsOf<'console.complete'>): ResultOf<'console.complete'> {
	const before = text.slice(0, offset)
	const word = /\w*$/.exec(before)?.[0] ?? ''
	const from = offset - word.length
	const isQuoted = before[from - 1] === '"'
	const options = Object.entries(shapes).map(([label, shape]) => {
		const insert = `${isQuoted ? '' : '"'}${label}": ${shape}`
		const replacesAfter = isQuoted && text[offset] === '"' ? 1 : 0
		return { label, kind: 'parameter' as const, insert, cursor: insert.length - 1, replacesAfter }
	})
	return { from, options: options.filter(({ label }) => label.startsWith(word)) }
}

beforeEach(async () => {
	const table = rowsBody({ name: {}, count: { kind: 'number' } }, [
		['places', 2_500],
		['books', 3_003],
		['old', 0],
	])
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ completesBehind: ['on', '('], textBlocks: ["'", '$$'] }) },
		answers: { ...consoleAnswers({ run: () => ({ body: table }) }), 'console.complete': complete },
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const results = () => page.getByRole('region', { name: 'Results' })
const text = () =>
	panel
		.text()
		.split('\n')
		.map(line => line.trimEnd())
		.join('\n')

/** Waits until an option is offered and the list takes keys, and accepts the first one. */
async function accept(label: string): Promise<void> {
	await offered(label)
	const before = panel.text()
	await listTakesKeys()
	await press('Tab')
	await expect.poll(() => panel.text()).not.toBe(before)
}
/** The editor takes no key for a list in its first 75 ms (`interactionDelay`); Tab would indent. */
const listTakesKeys = () => new Promise(resolve => setTimeout(resolve, 150))
const offered = (label: string) =>
	expect.poll(() => document.querySelector('.cm-tooltip-autocomplete')?.textContent ?? '').toContain(label)

test('Tab accepts a completion with the shape of its value, and Enter begins a line in it', async () => {
	await panel.write('select ')
	await type('{')
	await press('Enter')
	await type('"quer')
	await accept('query')
	// Between the braces the list is open, and Enter begins a line all the same.
	await offered('bool')
	await press('Enter')
	await type('"rang')
	await accept('range')
	await type('"page')
	await accept('pages')
	expect(text()).toBe('select {\n  "query": {\n    "range": {"pages": {}}\n  }\n}')
})

test('Enter accepts an option that begins with what is typed, unless the user has chosen that it begins a line', async () => {
	const marked = () => document.querySelector('.cm-certain')?.textContent
	await panel.write('select ')
	await type('{"quer')
	await offered('query')
	await expect.poll(marked).toContain('query')
	await listTakesKeys()
	await press('Enter')
	await expect.poll(text).toBe('select {"query": {}}')
	consoleEnter.choose('line', unkept)
	await panel.write('select ')
	await type('{"quer')
	await offered('query')
	await listTakesKeys()
	await press('Enter')
	await expect.poll(text).not.toContain('query')
	consoleEnter.choose('accepts', unkept)
})

test('the arrow goes from the marked first option to the second', async () => {
	const options = () => [...document.querySelectorAll('.cm-tooltip-autocomplete li')]
	const chosen = () => options().findIndex(option => option.ariaSelected === 'true')
	await panel.write('select ')
	await type('{"ra')
	await offered('range')
	await expect.poll(() => options().length).toBeGreaterThan(1)
	await expect.poll(() => options()[0]?.className).toContain('cm-certain')
	await listTakesKeys()
	await press('ArrowDown')
	await expect.poll(chosen).toBe(1)
	await press('Escape')
})

test('the list opens at once behind the words and signs that the driver names, where Enter begins a line', async () => {
	await panel.write('')
	await type('select query(')
	await offered('query')
	await panel.write('')
	await type('select query on ')
	await offered('query')
	await press('Enter')
	await expect.poll(() => panel.text()).toBe('select query on \n')
})

test('each option of the list has a picture of what it is, and its foot says the keys', async () => {
	await panel.write('select ')
	await type('{"quer')
	await offered('query')
	expect(document.querySelector('.cm-tooltip-autocomplete li')?.textContent).toBe('query')
	expect(document.querySelector('.cm-tooltip-autocomplete li .cm-kind > svg')).not.toBeNull()
	const list = document.querySelector('.cm-tooltip-autocomplete') ?? expect.unreachable()
	expect(getComputedStyle(list, '::after').content).toMatch(/Enter or Tab accepts.*Esc closes/)
})

test('Tab without a list indents', async () => {
	await panel.write('select 1')
	await press('Enter')
	await press('Tab')
	await expect.poll(() => panel.text()).toBe('select 1\n  ')
})

test('Tab behind a star writes the columns that it stands for', async () => {
	window.host.answer({
		'console.complete': ({ offset }) => ({
			from: offset - 1,
			options: [{ label: '* id, name', insert: 'id, name', kind: 'column' }],
		}),
	})
	await panel.write('select * from books')
	await press('Home')
	for (let at = 0; at < 'select *'.length; at++) await press('ArrowRight')
	await press('Tab')
	await expect.poll(text).toBe('select id, name from books')
})

test('an opening quote or brace that a completion has inserted is not doubled', async () => {
	await panel.write('select {')
	await type('"quer')
	await accept('query')
	await type('{"ter')
	await accept('term')
	await type('"coun')
	await accept('country')
	await type('"DE')
	expect(text()).toBe('select {"query": {"term": {"country": "DE"}}')
})

test('a text is replaced once or everywhere, as one step of undo', async () => {
	const before = 'select books\n\nshow books\n\ncount books'
	await panel.write(before)
	await press('ControlOrMeta+h')
	await page.getByRole('textbox', { name: 'Find in the text' }).fill('books')
	await expect.element(page.getByText('1 of 3', { exact: true })).toBeVisible()
	await page.getByRole('textbox', { name: 'Replace with' }).fill('places')
	await page.getByRole('button', { name: 'Replace', exact: true }).click()
	await expect.element(page.getByText('1 of 2', { exact: true })).toBeVisible()
	await page.getByRole('button', { name: 'Replace all' }).click()
	await expect.poll(text).toBe(before.replaceAll('books', 'places'))
	await press('Escape')
	await press('ControlOrMeta+z')
	await expect.poll(text).toBe(before.replace('books', 'places'))
})

test('the next occurrence joins the selection by a key', async () => {
	await panel.write('books books')
	await press('ControlOrMeta+Home')
	await press('ControlOrMeta+d')
	await press('ControlOrMeta+d')
	await type('x')
	await expect.poll(text).toBe('x x')
})

test('the rows of a result sort by a click', async () => {
	await panel.run('select 1')
	const run = results().getByRole('article', { name: 'select 1' })
	const header = run.getByRole('columnheader', { name: 'count' })
	const names = () =>
		[...document.querySelectorAll('article [data-row] [data-column="0"]')]
			.filter(cell => cell.checkVisibility())
			.map(cell => cell.textContent)
	await header.click()
	await expect.poll(names).toEqual(['old', 'places', 'books'])
	await header.click()
	await expect.poll(names).toEqual(['books', 'places', 'old'])
	await expect.element(header).toHaveAttribute('aria-sort', 'descending')
})

test('all results are removed by a button', async () => {
	await panel.run('select 1')
	await results().getByRole('button', { name: 'Clear' }).click()
	await expect.element(results().getByText('The result of what you run is shown here.')).toBeVisible()
})

test('a mark of a text is closed as a bracket is, and typed over', async () => {
	await panel.write('')
	await panel.editor.click()
	await type("select 'a")
	await expect.poll(text).toBe("select 'a'")
	await type("' as b")
	await expect.poll(text).toBe("select 'a' as b")
	await panel.write('')
	await type("-- it's")
	await expect.poll(text).toBe("-- it's")
})
