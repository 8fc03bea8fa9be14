import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleResult } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press, type } from '../testing/keys.ts'
import { chooseMore } from '../testing/menu.ts'

/** A console of an engine with transactions and explanations. */

let window: FakeWindow
let panel: ConsolePanel

const plan = {
	wasRun: false,
	notices: ['A statement that may change data is not run to explain it.'],
	steps: [
		{ name: 'Delete', detail: 'books', depth: 0, estimatedRows: 1, estimatedCost: 12.5 },
		{ name: 'Seq Scan', detail: 'books', depth: 1, estimatedRows: 60, estimatedCost: 10 },
	],
}

function run(text: string): Partial<ConsoleResult> {
	if (text === 'select n') return { body: rowsBody({ n: {} }, [['1']]) }
	return text.startsWith('insert') ? { affected: 2 } : {}
}

beforeEach(async () => {
	const transaction = { begin: 'begin', commit: 'commit', rollback: 'rollback' }
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: { console: fakeLanguage({ transaction, canExplain: true, canPlan: true }) },
		answers: {
			...consoleAnswers({ run }),
			'console.explain': ({ isPlanOnly }) =>
				isPlanOnly
					? plan
					: { wasRun: true, tookMs: 5, notices: [], steps: [{ name: 'Seq Scan', depth: 0, rows: 60, share: 1 }] },
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const badge = () => panel.root.getByRole('group', { name: 'Transaction' })
const explanation = () => panel.root.getByRole('region', { name: 'Plan' })
const dialog = () => page.getByRole('dialog')

async function command(name: string): Promise<void> {
	await press('ControlOrMeta+Shift+p')
	await type(name)
	await press('Enter')
	await expect.element(dialog()).not.toBeInTheDocument()
}

test('an open transaction is shown until its button or its command ends it', async () => {
	for (const end of [
		() => badge().getByRole('button', { name: 'Roll back' }).click(),
		() => badge().getByRole('button', { name: 'Commit' }).click(),
		() => command('Commit the transaction'),
		() => command('Roll back the transaction'),
	]) {
		await panel.run('begin')
		await expect.element(badge().getByText('Transaction open')).toBeVisible()
		await end()
		await expect.element(badge()).not.toBeInTheDocument()
	}
	const ends = window.host.callsOf('console.run').map(({ statement }) => statement.text)
	expect(ends.filter(text => text !== 'begin')).toEqual(['rollback', 'commit', 'commit', 'rollback'])
})

test('a write with manual commit begins a transaction, whose changed rows are counted until it ends', async () => {
	const commits = (name: string) => panel.root.getByRole('radiogroup', { name: 'Commit' }).getByText(name)
	const commit = () => badge().getByRole('button', { name: 'Commit' })
	const sent = () => window.host.callsOf('console.run').map(({ statement }) => statement.text)
	await commits('Manual').click()
	await expect.element(commit()).toBeDisabled()
	await panel.run('select 1')
	expect(sent()).toEqual(['select 1'])
	await panel.run('insert 1; insert 2')
	expect(sent()).toEqual(['select 1', 'begin', 'insert 1', 'insert 2'])
	await expect.element(badge().getByText('Transaction open, 4 rows changed')).toBeVisible()
	await commit().click()
	await expect.element(commit()).toBeDisabled()
	await panel.run('begin; insert 3; commit')
	expect(sent().slice(4)).toEqual(['commit', 'begin', 'insert 3', 'commit'])
	await commits('Auto-commit').click()
	await panel.run('insert 4')
	expect(sent().at(-2)).toBe('commit')
	await expect.element(badge()).not.toBeInTheDocument()
})

test('the end of a transaction leaves the result in front, and its outcome is a message', async () => {
	await panel.run('begin; select n')
	await badge().getByRole('button', { name: 'Commit' }).click()
	await expect.element(badge()).not.toBeInTheDocument()
	await expect.element(panel.root.getByRole('tab', { name: /select n/ })).toHaveAttribute('aria-selected', 'true')
	await expect.element(panel.root.getByRole('gridcell', { name: '1' })).toBeVisible()
	await panel.root.getByRole('tab', { name: /Messages/ }).click()
	await expect.element(panel.root.getByRole('tabpanel').last().getByText('commit')).toBeVisible()
})

test('a write with manual commit does not run if its transaction does not begin', async () => {
	await panel.root.getByRole('radiogroup', { name: 'Commit' }).getByText('Manual').click()
	window.host.answer({
		'console.run': () => {
			throw new Error('The server is gone.')
		},
	})
	await panel.write('insert 1')
	await panel.root.getByRole('button', { name: 'Run', exact: true }).click()
	await expect.element(panel.root.getByText('The server is gone.')).toBeVisible()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['begin'])
})

test('a transaction that the engine ended while it waited is shown no longer', async () => {
	await panel.run('begin')
	await expect.element(badge().getByText('Transaction open')).toBeVisible()
	window.host.answer({ 'console.transaction': () => null })
	await expect.element(badge()).not.toBeInTheDocument()
	await expect.element(page.getByText(/was lost with its connection. Check what was saved/)).toBeVisible()
})

test('a transaction that ended with its session offers no rest of the script', async () => {
	await panel.run('begin')
	const fault = { code: 'not_connected', message: 'The session has ended. Its transaction was rolled back.' } as const
	window.host.answer({
		'console.run': () => ({ status: 'error', tookMs: 1, notices: [], body: { view: 'text' }, fault }),
	})
	await panel.run('insert 1; select 2')
	await expect.element(panel.runs.first().getByText(/Its transaction was rolled back/)).toBeVisible()
	await expect.element(badge()).not.toBeInTheDocument()
	await expect.element(panel.root.getByText('1 of 2 not run')).toBeVisible()
	expect(panel.root.getByRole('button', { name: 'Run the rest' }).elements()).toEqual([])
})

test('an explanation runs the statement and shows its measured steps', async () => {
	await panel.write('select 1')
	await panel.root.getByRole('button', { name: 'Explain by running it' }).click()
	await expect.element(explanation().getByRole('row', { name: /^Seq Scan/ })).toBeVisible()
	await expect.element(explanation().getByRole('columnheader', { name: 'Own time' })).toBeVisible()
	expect(window.host.callsOf('console.explain')).toMatchObject([{ statement: 'select 1', isPlanOnly: false }])
})

test.each([
	['a button', () => chooseMore(panel.root, 'Show the plan')],
	['a key', () => press('ControlOrMeta+Shift+e')],
])('%s shows a plan of estimates without running the statement, and the plan can be copied', async (_, show) => {
	const clipboard = new FakeClipboard()
	await panel.write('delete books')
	await show()
	await expect.element(explanation().getByText('This is a plan of estimates. The statement was not run.')).toBeVisible()
	await expect
		.element(explanation().getByText('A statement that may change data is not run to explain it.'))
		.toBeVisible()
	await expect.element(explanation().getByRole('columnheader', { name: 'Cost' })).toBeVisible()
	expect(explanation().getByRole('columnheader', { name: 'Own time' }).elements()).toEqual([])
	await explanation().getByRole('button', { name: 'Copy the plan' }).click()
	await expect.poll(() => clipboard.text).toMatch(/to explain it\.\nDelete: books \(.*\n {2}Seq Scan: books \(/)
	expect(window.host.callsOf('console.run')).toEqual([])
})
