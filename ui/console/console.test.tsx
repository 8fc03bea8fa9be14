import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleResult } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseMore } from '../testing/menu.ts'

/** A console runs the statements of its text, shows their results, and marks those that fail. */

let window: FakeWindow
let panel: ConsolePanel

/** `select bad` fails; `select {` cannot be read. */
const answerTo = (text: string): Partial<ConsoleResult> =>
	text.includes('bad')
		? {
				status: '404 Not Found',
				body: { view: 'json', json: '{"error":"no such thing"}' },
				fault: { code: 'query_failed', message: 'no such thing [bad]' },
			}
		: { body: rowsBody({ barcode: { kind: 'number' } }, [[{ number: '17144233728206122483' }]]) }

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		answers: consoleAnswers({
			run: answerTo,
			judge: text =>
				text.includes('{')
					? { fault: { code: 'invalid_argument', message: 'A brace is not closed.', at: text.indexOf('{') } }
					: {},
		}),
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const sent = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const marked = () =>
	[...panel.root.element().querySelectorAll<HTMLElement>('.cm-fault')].map(({ innerText }) => innerText)
const newConsole = async () => {
	await press('ControlOrMeta+k')
	await press('c')
}
const runAll = () => press('ControlOrMeta+Shift+Enter')

/** Places the cursor at the beginning of a line, counted from 1. */
async function goTo(line: number): Promise<void> {
	await press('ControlOrMeta+Home')
	for (let at = 1; at < line; at++) await press('ArrowDown')
}

test.each([
	[1, 'select 1'],
	[3, 'select 1'],
	[5, 'select 2'],
	[7, 'select 2'],
])('Ctrl+Enter at line %i runs the statement there, otherwise the next one below, otherwise the last', async (line, text) => {
	await panel.write('\n\nselect 1;\n\n\nselect 2;\n')
	await goTo(line)
	await press('ControlOrMeta+Enter')
	await expect.poll(sent).toEqual([text])
	await expect.element(panel.runs.getByText('OK', { exact: true })).toBeVisible()
})

test('rows have every digit', async () => {
	await panel.run('select 1')
	await expect.element(panel.runs.getByRole('columnheader', { name: 'barcode' })).toBeVisible()
	await expect.element(panel.runs.getByText('17144233728206122483')).toBeVisible()
})

test('Run all runs all statements in the order of the text', async () => {
	await panel.write('select 1; select 2; select 3')
	await panel.root.getByRole('button', { name: 'Run all' }).click()
	await expect.poll(sent).toEqual(['select 1', 'select 2', 'select 3'])
})

test('Run all stops at a failure and says what did not run, and the rest can be run', async () => {
	await panel.run('select 1; select bad; select 3; select 4')
	await expect.element(panel.root.getByText('2 of 4 not run: select bad failed.')).toBeVisible()
	expect(sent()).toEqual(['select 1', 'select bad'])
	await panel.root.getByRole('button', { name: 'Run the rest' }).click()
	await expect.poll(sent).toEqual(['select 1', 'select bad', 'select 3', 'select 4'])
	await expect.element(panel.root.getByText('2 of 4 not run')).not.toBeInTheDocument()
})

test('an error of the engine is complete: its status, its reason and its answer', async () => {
	await panel.run('select bad')
	await expect.element(panel.runs.getByText('404 Not Found')).toBeVisible()
	await expect.element(panel.runs.getByRole('alert').getByText('no such thing [bad]')).toBeVisible()
	await expect.element(panel.runs.getByText('"no such thing"')).toBeVisible()
})

test('an unreadable statement is named, and none of the others runs, even after a question', async () => {
	await panel.write('drop books; select {; select 1')
	await runAll()
	await expect.element(panel.root.getByText('3 of 3 not run: select { cannot be read.')).toBeVisible()
	await expect.element(panel.runs.getByText('A brace is not closed.')).toBeVisible()
	expect(page.getByRole('dialog').elements()).toEqual([])
	expect(sent()).toEqual([])
})

test('a statement that no console can run stops the script with its reason', async () => {
	const fault = { code: 'unsupported', message: 'COPY from STDIN needs its data.' } as const
	window.host.answer(consoleAnswers({ judge: text => (text.startsWith('copy') ? { fault } : {}) }))
	await panel.write('copy books from stdin; insert 1')
	await runAll()
	await expect.element(panel.runs.getByText('COPY from STDIN needs its data.')).toBeVisible()
	await expect
		.element(panel.root.getByText('2 of 2 not run: copy books from stdin does not run in a console.'))
		.toBeVisible()
	expect(sent()).toEqual([])
})

test('a failed statement is marked until its text changes', async () => {
	await panel.write('select 1;\n\nselect bad')
	await runAll()
	await expect.poll(marked).toEqual(['select bad'])
	await goTo(3)
	await press('End')
	await type(' ')
	await expect.poll(marked).toEqual([])
})

test('the place of an error is marked with its reason, and text above moves the mark', async () => {
	await panel.write('select 1;\nselect {')
	await runAll()
	await expect.poll(marked).toEqual(['{'])
	const mark = () => panel.root.element().querySelector('.cm-fault')
	expect(mark()?.getAttribute('title')).toContain('A brace is not closed.')
	expect(panel.root.element().querySelectorAll('.cm-fault-dot')).toHaveLength(1)
	await goTo(1)
	await press('Enter')
	await expect.poll(marked).toEqual(['{'])
})

test('a suggestion has a description and a link to its documentation', async () => {
	const url = 'https://docs.example/indices'
	window.host.answer({
		'console.complete': ({ text, offset }) => ({
			from: text.lastIndexOf(' ', offset - 1) + 1,
			options: [
				{ label: 'old', kind: 'endpoint', isDeprecated: true },
				{ label: 'indices', kind: 'endpoint', detail: 'GET', info: 'Get index information.', url },
			],
		}),
	})
	await panel.write('show ')
	await type('indi')
	const option = page.getByRole('option', { name: 'indices' })
	await expect.element(option.getByText('GET')).toBeVisible()
	const info = () => document.querySelector('.cm-completionInfo')
	// A list takes no key in its first 75 ms (`interactionDelay`): the arrow would move the cursor and close it.
	await new Promise(resolve => setTimeout(resolve, 150))
	await press('ArrowDown')
	await expect.poll(() => info()?.textContent ?? '').toContain('Get index information.')
	const link = info()?.querySelector('a')
	expect(link?.getAttribute('href')).toBe(url)
	// The link has the colour of the theme, not the default blue of the browser.
	expect(getComputedStyle(link ?? expect.unreachable()).color).not.toBe('rgb(0, 0, 238)')
	await option.click()
	await expect.poll(() => panel.text()).toBe('show indices')
	await panel.write('show ')
	await type('ol')
	await expect.poll(() => document.querySelector('li.cm-deprecated')?.textContent).toContain('old')
})

test('long lines wrap by Alt+Z, also in the next window', async () => {
	const isWrapped = () => panel.editor.query()?.classList.contains('cm-lineWrapping')
	await panel.write('select 1')
	expect(isWrapped()).toBe(false)
	await press('Alt+z')
	await expect.poll(isWrapped).toBe(true)
	await expect.poll(() => window.preferences).toMatchObject({ 'console-lines': 'wrapped' })
	await window.open()
	await panel.editor.click()
	await expect.poll(isWrapped).toBe(true)
	await press('Alt+z')
	await expect.poll(isWrapped).toBe(false)
})

test('the text is there when the console is opened again', async () => {
	await panel.write('select 1')
	await page.getByRole('button', { name: 'Close Console' }).click()
	await expect.element(tab('Console')).not.toBeInTheDocument()
	panel = await ConsolePanel.open()
	await expect.poll(() => panel.text()).toBe('select 1')
})

test('a new console is empty, also after one with text was closed, which can be reopened', async () => {
	await panel.write('select 1')
	await newConsole()
	const second = new ConsolePanel('Console 2')
	await second.write('select 2')
	await press('ControlOrMeta+k')
	await press('w')
	await expect.element(tab('Console 2')).not.toBeInTheDocument()
	await newConsole()
	const third = new ConsolePanel('Console 3')
	await expect.element(third.editor).toBeVisible()
	expect(third.text()).toBe('')
	await press('ControlOrMeta+k')
	await press('w')
	await expect.element(tab('Console 3')).not.toBeInTheDocument()
	for (const _ of ['Console 3', 'Console 2']) {
		await press('ControlOrMeta+k')
		await press('r')
	}
	await expect.poll(() => second.text()).toBe('select 2')
})

test('a console is renamed by a double click, F2 and its menu, and Escape keeps the old name', async () => {
	const name = (of: string) => page.getByRole('textbox', { name: `Name of ${of}` })
	await tab('Console').dblClick()
	await name('Console').fill('Health')
	await press('Enter')
	await expect.element(tab('Health')).toBeVisible()
	await new ConsolePanel('Health').editor.click()
	await press('F2')
	await name('Health').fill('Nothing')
	await press('Escape')
	await expect.element(tab('Health')).toBeVisible()
	await tab('Health').click({ button: 'right' })
	await page.getByRole('menuitem', { name: 'Rename' }).click()
	await name('Health').fill('Lists')
	await press('Enter')
	await expect.element(tab('Lists')).toBeVisible()
	await expect.poll(() => JSON.stringify(window.records)).toContain('Lists')
	await window.open()
	await expect.element(tab('Lists')).toBeVisible()
})

test('past runs are found by some of their letters with their outcome, and are appended', async () => {
	await panel.run('select bad')
	await panel.run('select 2')
	await press('ControlOrMeta+Alt+h')
	const list = page.getByRole('dialog', { name: 'History' })
	await list.getByRole('combobox').fill('slct bad')
	await expect
		.element(
			list
				.getByRole('option')
				.first()
				.getByText(/^404 Not Found · 1 ms · /),
		)
		.toBeVisible()
	await press('Enter')
	await expect.element(list).not.toBeInTheDocument()
	await expect.poll(() => panel.text()).toBe('select 2;\n\nselect bad')
})

test('a long run shows its time, and a key cancels it', async () => {
	window.host.hold('console.run')
	await panel.write('select 1')
	await press('ControlOrMeta+Enter')
	await expect.element(panel.root.getByText(/^Running … [1-9] s$/)).toBeVisible()
	await press('ControlOrMeta+.')
	await expect.element(panel.root.getByText('Running …')).not.toBeInTheDocument()
	await expect.element(panel.runs.getByText('Cancelled')).toBeVisible()
})

test('a write that was cancelled shows what it had done, as soon as the driver reports it', async () => {
	const { promise, reject } = Promise.withResolvers<never>()
	window.host.answer({ 'console.run': () => promise })
	await panel.write('update books set copies = 0')
	await press('ControlOrMeta+Enter')
	await panel.root.getByRole('button', { name: 'Cancel' }).click()
	await expect.element(panel.runs.getByText('Cancelled')).toBeVisible()
	const done = 'The task was cancelled: 800 of 1,936 documents: 800 deleted. Changes that it had made are kept.'
	reject(new Error(done))
	await expect.element(panel.runs.getByText(done)).toBeVisible()
	await expect.poll(() => window.host.callsOf('history.add').at(-1)?.run.status).toBe(done)
})

test('results stand below or beside the text, and the line between is moved by keys', async () => {
	const box = (part: string) => panel.root.element().querySelector(part)?.getBoundingClientRect() ?? new DOMRect()
	const isBelow = () => {
		const [text, results] = [box('.console-editor'), box('.console-results')]
		return results.y >= text.y + text.height && results.x === text.x
	}
	expect(isBelow()).toBe(true)
	const line = panel.root.getByRole('separator', { name: 'Height of the text' })
	const value = () => Number(line.element().getAttribute('aria-valuenow'))
	const before = value()
	line.element().focus()
	await press('ArrowDown')
	await expect.poll(value).toBeGreaterThan(before)
	await chooseMore(panel.root, 'Results beside the text')
	await expect.poll(isBelow).toBe(false)
	await chooseMore(panel.root, 'Results below the text')
	await expect.poll(isBelow).toBe(true)
})
