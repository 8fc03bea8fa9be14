import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ConsoleResult, Explained } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeLanguage } from '../testing/fake-engine.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'

/** Statements, values and transactions of the console, as a relational engine has them. */

let window: FakeWindow
let panel: ConsolePanel

const explained: Explained = {
	wasRun: true,
	tookMs: 3,
	notices: [],
	steps: [
		{ name: 'Sort', depth: 0, rows: 2, estimatedRows: 2, share: 1 },
		{ name: 'Scan', detail: 'orders', depth: 1, rows: 2, estimatedRows: 2, share: 0.4 },
	],
}

function run(text: string): Partial<ConsoleResult> {
	const body = rowsBody({ n: { kind: 'number' } }, [[1]])
	if (text.startsWith('pay 77')) {
		const hint = 'Read the orders first.'
		const fault = { code: 'query_failed', message: 'There is no order 77.', at: 4, hint, engineCode: '02000' } as const
		return { status: 'failed', fault }
	}
	if (text.startsWith('pay 88')) return { status: 'failed', transaction: 'failed' }
	if (text.startsWith('pay')) return { affected: 1 }
	if (text === 'both') return { body, more: [{ status: 'OK', notices: [], body }] }
	return { body }
}

beforeEach(async () => {
	window = await openWindow({
		tables: [fakeBooks()],
		manifest: {
			console: fakeLanguage({
				canExplain: true,
				takesParameters: true,
				transaction: { commit: 'commit', rollback: 'rollback' },
			}),
		},
		answers: {
			...consoleAnswers({ run, variables: { value: "'); drop" } }),
			'console.explain': () => explained,
			'console.fillIn': ({ statements }) =>
				statements.map(text => ({
					text,
					start: 0,
					end: text.length,
					summary: text,
					access: 'read',
					parameters: { value: "'); drop" },
				})),
		},
	})
	await window.openConnection()
	panel = await ConsolePanel.open()
})

const dialog = () => page.getByRole('dialog')
const result = (name: string) => panel.root.getByRole('article', { name }).first()
const plan = () => panel.root.getByRole('region', { name: 'Plan' })
const transaction = () => panel.root.getByRole('group', { name: 'Transaction' })

test('a statement shows its affected rows, or each of several results', async () => {
	await panel.run('pay 2')
	await expect.element(result('pay 2').getByText('1 row affected')).toBeVisible()
	await panel.run('both')
	await expect.poll(() => result('both').getByRole('grid').elements().length).toBe(2)
})

test('an error of a statement has its hint and its code, and is marked at its word', async () => {
	await panel.run('pay 77')
	const alert = result('pay 77').getByRole('alert')
	await expect.element(alert.getByText('Read the orders first.')).toBeVisible()
	await expect.element(alert.getByText('02000')).toBeVisible()
	await expect.poll(() => document.querySelector('.cm-fault')?.textContent).toBe('77')
})

test('the values of places travel apart from the text, are shown, and are not in the history', async () => {
	await panel.run('echo {{value}}')
	await expect.element(result('echo {{value}}').getByText('value = "\'); drop"')).toBeVisible()
	const [sent] = window.host.callsOf('console.run')
	expect(sent?.statement).toMatchObject({ text: 'echo {{value}}', parameters: { value: "'); drop" } })
	await expect.poll(() => window.host.callsOf('history.add').length).toBe(1)
	expect(window.host.callsOf('history.add')[0]?.run.statement).toBe('echo {{value}}')
	expect(JSON.stringify(window.host.callsOf('history.add'))).not.toContain('drop')
})

test('a statement that reads is explained as a tree with rows against the estimate', async () => {
	await panel.run('select orders')
	await panel.root.getByRole('button', { name: 'More', exact: true }).click()
	await expect.element(page.getByRole('menuitem', { name: 'Variables' })).toBeVisible()
	expect(page.getByRole('menuitem', { name: /^Show the plan/ }).elements()).toEqual([])
	await press('Escape')
	await panel.root.getByRole('button', { name: 'Explain by running it' }).click()
	await expect.element(plan().getByText('3 ms run', { exact: true })).toBeVisible()
	const cells = plan().getByRole('row').nth(2).getByRole('gridcell').elements()
	expect(cells.map(({ textContent }) => textContent)).toEqual(['Scanorders', '40 %', '', '2', '2'])
})

test('a statement that cannot be explained shows why', async () => {
	window.host.fail('console.explain', 'This statement writes. Only statements that read can be explained.')
	await panel.run('pay 2')
	await panel.root.getByRole('button', { name: 'Explain' }).click()
	await expect.element(plan().getByText('Only statements that read can be explained')).toBeVisible()
})

test('an open transaction is shown, and is committed by a button', async () => {
	await panel.run('begin')
	await expect.element(transaction().getByText('Transaction open')).toBeVisible()
	await transaction().getByRole('button', { name: 'Commit' }).click()
	await expect.element(transaction()).not.toBeInTheDocument()
	expect(window.host.callsOf('console.run').map(({ statement }) => statement.text)).toEqual(['begin', 'commit'])
})

test('a transaction that failed can only be rolled back', async () => {
	await panel.run('begin')
	await panel.run('pay 88')
	await expect.element(transaction().getByText('Transaction failed')).toBeVisible()
	await expect.element(transaction().getByRole('button', { name: 'Commit' })).not.toBeInTheDocument()
	await transaction().getByRole('button', { name: 'Roll back' }).click()
	await expect.element(transaction()).not.toBeInTheDocument()
})

/** Returns whether the browser would ask the user before the page is left. */
function asksBeforeLeaving(): boolean {
	const leaving = new Event('beforeunload', { cancelable: true })
	dispatchEvent(leaving)
	return leaving.defaultPrevented
}

test('the browser asks before a reload loses an open transaction, and the console then says that it was rolled back', async () => {
	await expect.poll(asksBeforeLeaving).toBe(false)
	await panel.run('begin')
	await expect.element(transaction()).toBeVisible()
	expect(asksBeforeLeaving()).toBe(true)
	const kept = Object.entries(sessionStorage)
	// A reload unmounts nothing, so what the window keeps for its session stays.
	window.host.answer(consoleAnswers({ run }))
	const opening = window.open()
	for (const [key, value] of kept) sessionStorage.setItem(key, value)
	await opening
	const lost = panel.root.getByText('The window was left while a transaction was open here')
	await expect.element(lost).toBeVisible()
	await expect.element(transaction()).not.toBeInTheDocument()
	await panel.run('select orders')
	await expect.element(lost).not.toBeInTheDocument()
	expect(sessionStorage.length).toBe(0)
})

test('closing a console with an open transaction asks, and closes its session', async () => {
	await panel.run('begin')
	await expect.element(transaction()).toBeVisible()
	await page.getByRole('tab', { name: 'Console' }).click()
	await press('ControlOrMeta+w')
	await expect.element(dialog().getByText('Its transaction is not committed.')).toBeVisible()
	await dialog().getByRole('button', { name: 'Roll back and close' }).click()
	await expect.element(page.getByRole('tab', { name: 'Console' })).not.toBeInTheDocument()
	await expect.poll(() => window.host.callsOf('console.closeSession').length).toBe(1)
})
