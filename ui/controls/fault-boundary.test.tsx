import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { DriverOffer } from '../../host/api/api.ts'
import { fakeBooks } from '../testing/books.ts'
import { FakeClipboard } from '../testing/clipboard.ts'
import { ConsolePanel } from '../testing/console-panel.ts'
import { consoleAnswers, rowsBody } from '../testing/fake-console.ts'
import { fakeManifest, fakeOffer } from '../testing/fake-engine.ts'
import { FakeTable, tableAnswers } from '../testing/fake-tables.ts'
import { type FakeWindow, openWindow } from '../testing/fake-window.tsx'
import { press } from '../testing/keys.ts'
import { chooseMore, chooseOfConnection } from '../testing/menu.ts'

/** An error affects only the part of the window that threw it. The part shows a message and a way to continue. */

let window: FakeWindow
let tables: readonly FakeTable[]
const format = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format') ?? {}

beforeEach(async () => {
	tables = [fakeBooks(), new FakeTable('places', { columns: { name: {} }, rows: [['Berlin']] })]
	window = await openWindow({ tables, answers: consoleAnswers() })
})
afterEach(() => repairNumbers())

const broken = (what: string) => page.getByRole('alert', { name: `${what} broke` })

/** Makes the window fail when it draws a number, like a defect of its code. */
function breakNumbers(): void {
	Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
		...format,
		get: () => {
			throw new TypeError('no number can be drawn')
		},
	})
}
const repairNumbers = () => Object.defineProperty(Intl.NumberFormat.prototype, 'format', format)
/** A value that no shape allows, so that drawing it fails. */
const nothing = null as never

test('a fault of one tab leaves other tabs, can be copied and retried, and its tab can be closed', async () => {
	const clipboard = new FakeClipboard()
	await window.openTable('places')
	const list = page.getByRole('list', { name: 'Tables' })
	breakNumbers()
	await list.getByRole('button', { name: 'books' }).click()
	await expect.element(broken('This tab')).toBeVisible()
	await broken('This tab').getByRole('button', { name: 'Copy the details' }).click()
	await expect.poll(() => clipboard.text).toMatch(/TypeError.*\n\s+at /s)
	repairNumbers()
	await broken('This tab').getByRole('button', { name: 'Try again' }).click()
	await expect.element(page.getByRole('grid', { name: 'books' }).getByRole('gridcell').first()).toBeVisible()
	// What is still drawn would break the tab before its button is pressed.
	await expect
		.element(page.getByRole('tabpanel', { name: 'books' }).getByText('60 rows', { exact: true }))
		.toBeVisible()
	breakNumbers()
	await chooseMore(page.getByRole('tabpanel', { name: 'books' }), 'Reload')
	await expect.element(broken('This tab')).toBeVisible()
	repairNumbers()
	await broken('This tab').getByRole('button', { name: 'Close tab' }).click()
	await expect.element(page.getByRole('tab', { name: 'books' })).not.toBeInTheDocument()
	await expect.element(page.getByRole('grid', { name: 'places' })).toBeVisible()
})

test('a fault of a tab keeps its staged changes', async () => {
	const books = await window.openTable('books')
	await books.edit(0, 'country', 'XX')
	await books.isStaged(1)
	breakNumbers()
	await books.more('Reload')
	await expect.element(broken('This tab')).toBeVisible()
	repairNumbers()
	await broken('This tab').getByRole('button', { name: 'Close tab' }).click()
	await page.getByRole('button', { name: 'Keep it open' }).click()
	await broken('This tab').getByRole('button', { name: 'Try again' }).click()
	await books.isStaged(1)
	await expect.poll(() => books.texts('country')[0]).toBe('XX')
})

test('a fault of the whole window offers to reload it, which keeps all staged changes', async () => {
	const books = await window.openTable('books')
	await books.edit(0, 'country', 'XX')
	await books.isStaged(1)
	const { connections } = window
	window.setConnections([nothing])
	await expect.element(broken('The window').getByRole('button', { name: 'Reload the window' })).toBeVisible()
	await expect.element(broken('The window').getByRole('button', { name: 'Copy the details' })).toBeVisible()
	// What its button does, without the page of the test.
	window.setConnections(connections)
	await window.open()
	await books.isStaged(1)
})

test('a fault of one result leaves its console and other results, and the result can be removed', async () => {
	const column = { n: { kind: 'number' } } as const
	window.host.answer(
		consoleAnswers({
			run: text => ({
				body: rowsBody(column, [[1]], text === 'select broken' ? { totals: [nothing] } : {}),
			}),
		}),
	)
	await window.openConnection()
	const panel = await ConsolePanel.open()
	await panel.run('select broken')
	await expect.element(panel.runs.first().getByRole('alert', { name: 'This result broke' })).toBeVisible()
	await panel.run('select broken; select fine')
	await expect.element(panel.runs.getByRole('gridcell', { name: '1' })).toBeVisible()
	await panel.choose('select broken')
	await panel.runs.getByRole('button', { name: 'Remove result' }).click()
	await expect.element(panel.runs.getByRole('gridcell', { name: '1' })).toBeVisible()
	await expect.element(panel.tab('select broken')).not.toBeInTheDocument()
})

test('an error of a statement is shown in its result, and the next statement runs', async () => {
	await window.openConnection()
	const panel = await ConsolePanel.open()
	window.host.fail('console.run', 'The driver Shop answered incorrectly.')
	await panel.run('select 1')
	await expect.element(panel.runs.first().getByRole('alert').getByText('answered incorrectly')).toBeVisible()
	window.host.answer(consoleAnswers())
	await panel.run('select 1')
	await expect.element(panel.runs.first().getByText('OK', { exact: true })).toBeVisible()
})

test('a table that could not be opened says why, and opens when it is tried again', async () => {
	await window.openConnection()
	window.host.fail('grid.open', 'The driver Shop answered incorrectly. Nothing was changed.')
	await page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'books' }).click()
	await expect.element(page.getByRole('alert').getByText('Nothing was changed.')).toBeVisible()
	window.host.answer(tableAnswers(tables))
	await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
	await expect.element(page.getByRole('grid', { name: 'books' }).getByRole('gridcell').first()).toBeVisible()
})

test('a fault of a sheet leaves the window, and the sheet can be retried and closed', async () => {
	let offers: readonly DriverOffer[] = [{} as never]
	window.host.answer({ 'drivers.browse': () => ({ offers, notices: [] }) })
	await page.getByRole('button', { name: 'New connection' }).first().click()
	await expect.element(broken('This sheet')).toBeVisible()
	offers = [fakeOffer(fakeManifest())]
	await broken('This sheet').getByRole('button', { name: 'Try again' }).click()
	await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Shop' })).toBeVisible()
	await press('Escape')
	await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
	await window.openTable('books')
})

test('a fault of a page of the settings leaves its other pages', async () => {
	window.host.answer({
		'tokens.list': () => [nothing],
		'setup.list': () => ({ clients: [], snippet: '' }),
		'ai.grants': () => ({ access: [], statements: [] }),
	})
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'AI access' }).click()
	await expect.element(broken('This page')).toBeVisible()
	await page.getByRole('tab', { name: 'General' }).click()
	await expect.element(page.getByText('Data folder')).toBeVisible()
})

test('a form that cannot be opened says why', async () => {
	window.host.fail('drivers.browse', 'The disk is full.')
	await chooseOfConnection('Sample', 'Edit')
	await expect.element(page.getByRole('alert').getByText('The disk is full.')).toBeVisible()
})
