import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleResult } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'

/** The results of a console are tabs: a run replaces those of the run before, except pinned ones. */

let window: FakeWindow
let panel: ConsolePanel

const number = { kind: 'number' } as const

function run(text: string): Partial<ConsoleResult> {
	const message = 'There is no table bad.\nIt was dropped.'
	if (text.includes('bad'))
		return { status: 'failed', fault: { code: 'query_failed', message, at: text.indexOf('bad'), engineCode: '42P01' } }
	if (text.includes('aggs')) {
		const aggregations = { title: 'Aggregations', status: '200 OK', notices: ['An estimate.'] }
		const more = [{ ...aggregations, body: rowsBody({ level: {}, count: number }, [['error', 7]]) }]
		return { title: 'Hits', status: '200 OK', body: rowsBody({ n: number }, [[1], [2]]), more }
	}
	if (text.includes('levels')) {
		const rows = ['trace', 'debug', 'info', 'notice', 'warning', 'error', 'fatal'].map((level, at) => [
			at % 2,
			level,
			9,
		])
		return { status: 'SELECT 7', body: rowsBody({ host: {}, level: {}, count: number }, rows) }
	}
	if (text.includes('500')) return { status: '500 rows', body: rowsBody({ n: number }, [[1], [2]]) }
	if (text.startsWith('insert')) return { status: 'INSERT', affected: 3, notices: ['A trigger ran.'] }
	const origins = text.includes('books') ? [{ table: 'books', key: [{ column: 'n', at: 0 }], columns: [0] }] : []
	return { status: 'SELECT 2', body: rowsBody({ n: number }, [[1], [2]], { origins }) }
}

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ canExport: true, transaction: { commit: 'commit', rollback: 'rollback' } }) },
		answers: consoleAnswers({ run }),
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})
afterEach(() => page.viewport(1280, 820))

/** The tabs by their text. The one in front is marked. */
const tabs = () =>
	panel.root
		.getByRole('tab')
		.elements()
		.map(
			tab => `${tab.getAttribute('aria-selected') === 'true' ? '> ' : ''}${tab.textContent.replace(/\d+:\d+.*/, '')}`,
		)
const menu = (name: string) => page.getByRole('menuitem', { name })

test('a run replaces the results of the run before, and a tab is named by its table or its statement', async () => {
	await panel.run('select * from books')
	expect(tabs()).toEqual(['> books2 rows'])
	await panel.run('select 2')
	expect(tabs()).toEqual(['> select 22 rows'])
})

test('a script has a tab for each result with rows, one for all messages, and the last result in front', async () => {
	await panel.run('select 1; insert 1; select 2; insert 2')
	expect(tabs()).toEqual(['select 12 rows', '> select 22 rows', 'Messages2'])
	await panel.choose('Messages')
	const messages = panel.runs.elements().map(message => message.textContent)
	expect(messages).toEqual([
		expect.stringMatching(/^insert 1INSERT3 rows affected1 ms.*A trigger ran\.$/),
		expect.stringMatching(/^insert 2INSERT3 rows affected1 ms/),
	])
	expect(await violations()).toEqual([])
})

test('an error is a tab in front with one line, whose rest unfolds, and says the line of the text', async () => {
	await panel.run('select 1;\ninsert 1;\nselect\n bad')
	expect(tabs()).toEqual(['select 12 rows', '> selectfailed at line 4', 'Messages1'])
	const alert = panel.runs.getByRole('alert')
	await expect.element(alert.getByText('There is no table bad.')).toBeVisible()
	await expect.element(alert.getByText('42P01')).toBeVisible()
	await expect.element(alert.getByText('It was dropped.')).not.toBeVisible()
	await alert.getByText('There is no table bad.').click()
	await expect.element(alert.getByText('It was dropped.')).toBeVisible()
	expect(await violations()).toEqual([])
})

test.each([
	['a button', () => panel.root.getByRole('button', { name: 'Pin select 1' }).click()],
	['a key of the window', () => press('ControlOrMeta+k').then(() => press('p'))],
	[
		'a key on the tab',
		async () => {
			await panel.tab('select 1').click()
			await press('p')
		},
	],
	[
		'its menu',
		async () => {
			await panel.tab('select 1').click({ button: 'right' })
			await menu('Pin').click()
		},
	],
])('a result that is pinned by %s is kept by the next run until it is unpinned', async (_, pin) => {
	await panel.run('select 1')
	await pin()
	await panel.run('select 2')
	await panel.run('select 3')
	expect(tabs()).toEqual([expect.stringMatching(/^select 12 rows/), '> select 32 rows'])
	await panel.root.getByRole('button', { name: 'Clear', exact: true }).click()
	await expect.poll(tabs).toEqual([expect.stringMatching(/^> select 12 rows/)])
	await panel.root.getByRole('button', { name: 'Unpin select 1' }).click()
	await panel.run('select 4')
	expect(tabs()).toEqual(['> select 42 rows'])
})

test('arrow keys and Alt+Page keys go from tab to tab, and Delete closes one', async () => {
	await panel.run('select 1; select 2; select 3')
	await panel.choose('select 2')
	await press('ArrowLeft')
	await expect.element(panel.tab('select 1')).toHaveFocus()
	await expect.element(panel.root.getByRole('article', { name: 'select 1' })).toBeVisible()
	await press('Alt+PageDown')
	await press('Alt+PageDown')
	await press('Alt+PageDown')
	await expect.poll(() => tabs()[0]).toBe('> select 12 rows')
	await press('Alt+PageUp')
	await panel.choose('select 3')
	await press('Delete')
	await expect.poll(tabs).toEqual(['select 12 rows', '> select 22 rows'])
	await expect.element(panel.tab('select 2')).toHaveFocus()
	await panel.root.getByRole('button', { name: 'Close select 2' }).click()
	await expect.poll(tabs).toEqual(['> select 12 rows'])
	await expect.element(panel.tab('select 1')).toHaveFocus()
	await panel.root.getByRole('button', { name: 'Close select 1' }).click()
	await expect.element(panel.editor).toHaveFocus()
})

test('a result keeps its order and its filters while another one is in front', async () => {
	await panel.run('select 1; select 2')
	await panel.choose('select 1')
	await panel.runs.getByRole('gridcell', { name: '1', exact: true }).click()
	await press('-')
	await expect.element(panel.runs.getByText('1 of the 2 rows')).toBeVisible()
	await panel.choose('select 2')
	await expect.element(panel.runs.getByText('1 of the 2 rows')).not.toBeInTheDocument()
	await panel.choose('select 1')
	await expect.element(panel.runs.getByText('1 of the 2 rows')).toBeVisible()
})

test('the result that was shown stays while the next statement runs, and if that is cancelled', async () => {
	await panel.run('select 1')
	const release = window.host.hold('console.run')
	await panel.write('select 2')
	await press('ControlOrMeta+Enter')
	await expect.element(panel.root.getByRole('list', { name: 'Running' }).getByText('select 2')).toBeVisible()
	await expect.element(panel.root.getByRole('article', { name: 'select 1' })).toBeVisible()
	await panel.root.getByRole('button', { name: 'Cancel' }).click()
	await expect.poll(tabs).toEqual(['select 12 rows', '> Messages1'])
	await expect.element(panel.runs.getByText('Cancelled')).toBeVisible()
	release()
})

test('a script with more results keeps the latest 20 and says so', async () => {
	const words = panel.root.getByText('The latest 20 results are kept.')
	await panel.run(Array.from({ length: 20 }, (_, index) => `select ${index}`).join('; '))
	await expect.element(words).not.toBeInTheDocument()
	await panel.run(Array.from({ length: 22 }, (_, index) => `select ${index}`).join('; '))
	await expect.element(words).toBeVisible()
	expect(tabs()).toHaveLength(20)
	expect(tabs()[0]).toBe('select 22 rows')
	await panel.run('select 1')
	await expect.element(words).not.toBeInTheDocument()
})

test('no name of a tab and no number is cut, and the data begins at most 40 pixels below the text', async () => {
	await page.viewport(1280, 720)
	await panel.run('select 1; insert 1; select * from books')
	const cut = [...panel.root.element().querySelectorAll('.result-tab-words')].filter(
		words => words.scrollWidth > words.clientWidth,
	)
	expect(cut).toEqual([])
	const box = (part: string) =>
		panel.root.element().querySelector(`.console-results ${part}`)?.getBoundingClientRect() ?? expect.unreachable()
	const grid = panel.runs.getByRole('grid').element().getBoundingClientRect()
	expect(grid.top - box('.result-strip').top).toBeLessThanOrEqual(40)
	expect(Math.abs(box('.result-strip').top - box('.run:not(.hidden) > .result-bar').top)).toBeLessThan(2)
})

test('a status that begins with a number of rows is not coloured as the code of an error', async () => {
	await panel.run('select 500')
	await expect.element(panel.runs.getByText('500 rows')).not.toHaveClass('refused')
})

test('a list has all results, also those whose tabs are out of sight', async () => {
	await panel.run('select 1; select 2; insert 1; select 3')
	await panel.root.getByRole('button', { name: 'All results' }).click()
	await page.getByRole('option', { name: /^select 1/ }).click()
	await expect.poll(() => tabs()[0]).toBe('> select 12 rows')
	await panel.run('select 1')
	await expect.element(panel.root.getByRole('button', { name: 'All results' })).not.toBeInTheDocument()
})

test('the commands of results are in the palette with their keys', async () => {
	await panel.run('select 1; select 2')
	await press('ControlOrMeta+Shift+p')
	await type('result in front')
	await expect.element(page.getByRole('option', { name: /Pin the result in front, or unpin it/ })).toBeVisible()
	await expect.element(page.getByRole('option', { name: /Close the result in front/ })).toBeVisible()
})

test('a chart has the height of the pane, and its text keeps its size', async () => {
	await page.viewport(1280, 900)
	await panel.run('select levels')
	await panel.root.getByText('Chart', { exact: true }).click()
	const drawing = panel.root.getByRole('img', { name: /^count by host, level/ })
	await expect.poll(() => drawing.element().getBoundingClientRect().height).toBeGreaterThan(300)
	const [width, height] = [drawing.element().clientWidth, drawing.element().clientHeight]
	await expect.poll(() => drawing.element().getAttribute('viewBox')).toBe(`0 0 ${width} ${height}`)
	// At 200 %, its words take what they need, and the rest is scrolled to.
	await page.viewport(640, 410)
	const words = () => panel.root.element().querySelector('.chart-head')
	await expect
		.poll(() => drawing.element().getBoundingClientRect().top)
		.toBeGreaterThanOrEqual(words()?.lastElementChild?.getBoundingClientRect().bottom ?? Number.NaN)
})

test('what is said of an answer with parts has one line, also beside the text', async () => {
	await page.viewport(1280, 800)
	await panel.run('search with aggs')
	const facts = panel.root.element().querySelector('.run:not(.hidden) .run-facts') ?? expect.unreachable()
	await expect.poll(() => facts.textContent).toMatch(/^200 OK.*ms/)
	const [bar, box] = [facts.parentElement?.getBoundingClientRect(), facts.getBoundingClientRect()]
	expect(box.height).toBeLessThan(24)
	expect(facts.scrollWidth).toBeLessThanOrEqual(facts.clientWidth)
	expect(bar?.height).toBeLessThan(68)
})

test('named parts of one answer are shown one at a time, and the choice keeps the focus', async () => {
	await panel.run('search with aggs')
	const parts = panel.root.getByRole('radiogroup', { name: 'Part of the answer' })
	const heads = () => {
		const found = panel.root.getByRole('columnheader').elements()
		return found.map(head => head.textContent.match(/^(?:n|level|count)(?=integer|text|$)/)?.[0]).filter(Boolean)
	}
	await expect.element(parts.getByRole('radio', { name: 'Hits' })).toBeChecked()
	expect(heads()).toEqual(['n'])
	parts.getByRole('radio', { name: 'Hits' }).element().focus()
	await press('ArrowRight')
	await expect.element(parts.getByRole('radio', { name: 'Aggregations' })).toBeChecked()
	await expect.poll(heads).toEqual(['level', 'count'])
	await expect.element(panel.root.getByText('An estimate.')).toBeVisible()
	expect(document.activeElement).toBe(parts.getByRole('radio', { name: 'Aggregations' }).element())
	expect(await violations()).toEqual([])
	await press('ArrowLeft')
	await expect.poll(heads).toEqual(['n'])
})
