import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Explained } from '../../host/api/api.ts'
import { violations } from '../testing/axe.ts'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** The plan of a statement stands beside the results: as a tree, by time, by rows and as text. */

let window: FakeWindow
let panel: ConsolePanel

const measured: Explained = {
	wasRun: true,
	tookMs: 704,
	notices: [],
	steps: [
		{ name: 'Sort', detail: 'revenue', depth: 0, rows: 120, estimatedRows: 240, tookMs: 704, share: 1, loops: 1 },
		{ name: 'Join', depth: 1, rows: 266_400, estimatedRows: 3_318, tookMs: 700, share: 0.99, loops: 1 },
		{ name: 'Scan', detail: 'order_items', depth: 2, rows: 600_000, estimatedRows: 600_000, tookMs: 212, share: 0.3 },
		{ name: 'Scan', detail: 'orders', depth: 2, rows: 15, estimatedRows: 1_500, tookMs: 121, share: 0.17, loops: 3 },
	],
}
const planned: Explained = {
	wasRun: false,
	notices: ['A statement that may change data is not run to explain it.'],
	steps: [{ name: 'Delete', detail: 'books', depth: 0, estimatedRows: 60, estimatedCost: 12 }],
}

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ canExplain: true, canPlan: true, canRehearse: true }) },
		answers: {
			...consoleAnswers({ run: () => ({ body: rowsBody({ n: { kind: 'number' } }, [[1]]) }) }),
			'console.explain': ({ isPlanOnly }) => (isPlanOnly ? planned : measured),
			'console.try': () => ({ unrehearsed: 'It calls a function.' }),
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})
afterEach(() => page.viewport(1280, 820))

const plan = () => panel.root.getByRole('region', { name: 'Plan' })
const rows = () =>
	plan()
		.getByRole('row')
		.elements()
		.slice(1)
		.map(row => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
const see = (view: string) => plan().getByText(view, { exact: true }).click()

async function explain(): Promise<void> {
	await panel.run('select 1')
	await press('ControlOrMeta+e')
	await expect.element(plan().getByText('704 ms run', { exact: true })).toBeVisible()
}

test('the plan is beside the result, with own times and by how much the rows are off', async () => {
	await explain()
	expect(rows()).toEqual([
		['Sortrevenue', '4.0', '', '240', '120', '÷ 2'],
		['Join', '367', '', '3,318', '266,400', '× 80'],
		['Scanorder_items', '212', '', '600,000', '600,000', ''],
		['Scanorders', '121', '', '1,500', '15', '÷ 100'],
	])
	const box = (element: Element) => element.getBoundingClientRect()
	const grid = panel.runs.getByRole('grid')
	await expect.element(grid).toBeVisible()
	expect(box(grid.element()).right).toBeLessThanOrEqual(box(plan().element()).left + 1)
	await expect.element(panel.editor).toHaveFocus()
	expect(await violations()).toEqual([])
})

test('steps are shown by time, by rows and as text, which is copied', async () => {
	const clipboard = new FakeClipboard()
	await explain()
	await see('By time')
	await expect
		.poll(() => rows().map(([step]) => step))
		.toEqual(['Join', 'Scanorder_items', 'Scanorders', 'Sortrevenue'])
	await see('By rows')
	await expect
		.poll(() => rows().map(([step]) => step))
		.toEqual(['Scanorder_items', 'Join', 'Sortrevenue', 'Scanorders'])
	await see('Text')
	await expect.element(plan().getByText(/^The statement was run.*\nSort: revenue \(/)).toBeVisible()
	expect(await violations()).toEqual([])
	await plan().getByRole('button', { name: 'Copy the plan' }).click()
	await expect.poll(() => clipboard.text).toMatch(/\n {2}Join \(/)
})

test('arrow keys go through the tree and fold it, and the chosen step shows all that is known', async () => {
	await explain()
	plan().getByRole('row').nth(1).element().focus()
	await press('ArrowDown')
	await press('ArrowLeft')
	await expect.poll(() => rows().map(([step]) => step)).toEqual(['Sortrevenue', 'Join'])
	await press('ArrowRight')
	await press('End')
	const chosen = plan().getByRole('complementary', { name: 'Chosen step' })
	await expect.element(chosen.getByText('121 ms own, 121 ms with the steps below it, run 3 times')).toBeVisible()
	await press('ArrowLeft')
	await expect.element(plan().getByRole('row', { name: /^Join/ })).toHaveFocus()
})

test('a plan of estimates of a read is measured by a button, which a write does not have', async () => {
	await panel.write('select 1')
	await press('ControlOrMeta+Shift+e')
	await plan().getByRole('button', { name: 'Run and measure' }).click()
	await expect.element(plan().getByText('704 ms run', { exact: true })).toBeVisible()
	const calls = window.host.callsOf('console.explain').map(({ statement, isPlanOnly }) => [statement, isPlanOnly])
	expect(calls).toEqual([
		['select 1', true],
		['select 1', false],
	])
	expect(plan().getByRole('button', { name: 'Run and measure' }).elements()).toEqual([])
	await panel.write('delete books')
	await press('ControlOrMeta+Shift+e')
	await expect.element(plan().getByRole('button', { name: 'Try' })).toBeVisible()
	expect(plan().getByRole('button', { name: 'Run and measure' }).elements()).toEqual([])
})

test('a plan of estimates offers Try for a statement that writes, and runs the statement that was explained', async () => {
	await panel.write('delete books')
	await press('ControlOrMeta+Shift+e')
	await expect.element(plan().getByRole('columnheader', { name: 'Cost' })).toBeVisible()
	await expect.element(plan().getByText('By time')).not.toBeInTheDocument()
	await panel.write('select 1; select 2')
	await plan().getByRole('button', { name: 'Try' }).click()
	await expect.element(page.getByRole('dialog').getByText('It calls a function.')).toBeVisible()
	expect(window.host.callsOf('console.try')).toMatchObject([{ statement: { text: 'delete books' } }])
	await page.getByRole('dialog').getByRole('button', { name: 'Run it' }).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Run it' }).click()
	await expect
		.poll(() => window.host.callsOf('console.run').map(({ statement }) => statement.text))
		.toEqual(['delete books'])
	await panel.write('select 1')
	await press('ControlOrMeta+Shift+e')
	await expect.element(plan().getByTitle('select 1', { exact: true })).toBeVisible()
	expect(plan().getByRole('button', { name: 'Try' }).elements()).toEqual([])
})

test('a row of the plan shows the object alone, and no column where no estimate is off', async () => {
	const detail = 'orders o · Filter: (total > 2) · Buffers: hit 4'
	const steps = [{ name: 'Scan', detail, depth: 0, rows: 2, estimatedRows: 2, share: 1, tookMs: 0.5, loops: 1 }]
	window.host.answer({ 'console.explain': () => ({ wasRun: true, tookMs: 0.77, notices: [], steps }) })
	await panel.run('select 1')
	await press('ControlOrMeta+e')
	await expect.element(plan().getByText('0.77 ms run', { exact: true })).toBeVisible()
	expect(rows()).toEqual([['Scanorders o', '0.50', '', '2', '2']])
	await expect.element(plan().getByRole('complementary', { name: 'Chosen step' }).getByText(detail)).toBeVisible()
})

test('a profile without rows has no order by rows', async () => {
	const steps = [{ name: 'BooleanQuery', depth: 0, share: 1 }]
	window.host.answer({ 'console.explain': () => ({ wasRun: true, notices: [], steps }) })
	await panel.run('select 1')
	await press('ControlOrMeta+e')
	await expect.element(plan().getByText('By time')).toBeVisible()
	await expect.element(plan().getByText('By rows')).not.toBeInTheDocument()
	await expect.poll(rows).toEqual([['BooleanQuery', '100 %', '']])
})

test('the plan stays beside later results until Escape or its button closes it', async () => {
	await explain()
	await panel.run('select 2')
	await expect.element(plan().getByTitle('select 1', { exact: true })).toBeVisible()
	plan().getByRole('row').nth(1).element().focus()
	await press('Escape')
	await expect.element(plan()).not.toBeInTheDocument()
	await expect.element(panel.editor).toHaveFocus()
	await press('ControlOrMeta+e')
	await plan().getByRole('button', { name: 'Close the plan' }).click()
	await expect.element(plan()).not.toBeInTheDocument()
	await expect.element(panel.runs.getByRole('grid')).toBeVisible()
})

test('an explanation that takes long can be cancelled', async () => {
	window.host.hold('console.explain')
	await panel.run('select 1')
	await press('ControlOrMeta+e')
	await expect.element(plan().getByText('Explaining …')).toBeVisible()
	await plan().getByRole('button', { name: 'Cancel' }).click()
	await expect.element(plan()).not.toBeInTheDocument()
})

test('the width of the plan is moved by keys and kept', async () => {
	await explain()
	const line = panel.root.getByRole('separator', { name: 'Width of the plan' })
	line.element().focus()
	await press('Shift+ArrowLeft')
	await expect.poll(() => JSON.stringify(window.preferences)).toContain('"console/plan":56')
})
