import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { type Answers, alterAnswers, Refusal } from '../../support/host-answers.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { nothingLoads, TablePanel } from '../../support/window.ts'

/** An error affects only the part of the window that threw it. The part shows a message and a way to continue. */
describe('a fault', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page
	let answers: Answers
	const faults: string[] = []

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		await roundhouse.addSample()
		await roundhouse.serve()
		browser = await openBrowser()
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})
	afterEach(async () => {
		expect(faults.splice(0)).toEqual([])
		await page.close()
	})

	async function open(altered: Answers): Promise<void> {
		answers = altered
		page = await openPage(browser, roundhouse, faults, fresh => alterAnswers(fresh, answers))
	}
	async function openTables(): Promise<void> {
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'books' }).waitFor()
	}
	const openTable = (name: string) => page.getByRole('list', { name: 'Indices' }).getByRole('button', { name }).click()
	/** Makes the window fail when it draws a number, like a defect of its code. */
	const breakNumbers = () =>
		page.evaluate(`
			window.format = Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, 'format')
			const get = () => { throw new TypeError('no number can be drawn') }
			Object.defineProperty(Intl.NumberFormat.prototype, 'format', { ...window.format, get })
		`)
	const restoreNumbers = () =>
		page.evaluate(`Object.defineProperty(Intl.NumberFormat.prototype, 'format', window.format)`)
	const refuse = () => {
		throw new Refusal('The disk is full.')
	}

	test('of one tab does not affect other tabs; it can be copied, retried, and its tab closed', async () => {
		await open({})
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		await openTables()
		await openTable('places')
		await page.getByRole('grid', { name: 'places' }).getByRole('gridcell').first().waitFor()
		// Pages that are fetched ahead would break their tab too early.
		await nothingLoads(page)
		await breakNumbers()
		await openTable('books')
		const broken = page.getByRole('alert', { name: 'This tab broke' })
		await broken.waitFor()
		await broken.getByRole('button', { name: 'Copy the details' }).click()
		await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/TypeError.*\n\s+at /s)
		await restoreNumbers()
		await broken.getByRole('button', { name: 'Try again' }).click()
		await page.getByRole('grid', { name: 'books' }).getByRole('gridcell').first().waitFor()

		await nothingLoads(page)
		await breakNumbers()
		await page.getByRole('tabpanel', { name: 'books' }).getByRole('button', { name: 'Reload' }).click()
		await broken.waitFor()
		await restoreNumbers()
		await broken.getByRole('button', { name: 'Close tab' }).click()
		await page.getByRole('tab', { name: 'books' }).waitFor({ state: 'detached' })
		await page.getByRole('grid', { name: 'places' }).waitFor()
	})

	test('of a driver with an invalid answer names the place, and shows no wrong row', async () => {
		await open({})
		await openTables()
		answers['grid.open'] = result => ({ ...result, rows: [{ id: '1', cells: [1, 2] }] })
		await openTable('events')
		const alert = page.getByRole('alert')
		await alert.getByText('The driver Elasticsearch answered incorrectly. Nothing was changed.').waitFor()
		await alert.getByText(/openGrid\.rows\[0\]\.cells: 2 cells for \d+ columns/).waitFor()
		delete answers['grid.open']
		await alert.getByRole('button', { name: 'Try again' }).click()
		const grid = page.getByRole('grid', { name: 'events' })
		await grid.getByRole('gridcell').first().waitFor()

		answers['grid.page'] = result => ({ ...result, rows: [{ id: '1', cells: [1, 2] }] })
		await grid.evaluate(element => element.scrollTo(0, element.scrollHeight))
		await page
			.getByText(/The driver Elasticsearch answered incorrectly\..*gridPage\.rows\[0\]\.cells: 2 cells/)
			.first()
			.waitFor()
	})

	test('of one result does not affect its console, and an unreadable answer is an error', async () => {
		await open({})
		await openTables()
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		const panel = page.getByRole('tabpanel', { name: 'Console' })
		await panel.getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.insertText('GET /books/_count')
		const run = () => page.keyboard.press('ControlOrMeta+Enter')
		const results = panel.getByRole('article')
		// A value that no shape allows, so that drawing it fails.
		const column = { name: 'n', type: 'long', kind: 'number', isKey: false, isReadOnly: true, isSortable: false }
		const rows = { view: 'rows', columns: [column], rows: [[1]], isTruncated: false, totals: [null] }
		answers['console.run'] = result => ({ ...result, body: rows })
		await run()
		await results.first().getByRole('alert', { name: 'This result broke' }).waitFor()
		const wrong = results.first().getByRole('alert')
		answers['console.run'] = result => ({ ...result, body: { view: 'rows', columns: [null], rows: [[1]] } })
		await run()
		await wrong
			.getByText('The driver Elasticsearch answered incorrectly. It may have changed data all the same.')
			.waitFor()
		await wrong.getByText('runConsole.body.columns[0]: null is not an object').waitFor()
		answers['console.run'] = () => Buffer.from('{"status": ')
		await run()
		await wrong.getByText('runConsole: it is not JSON').waitFor()
		delete answers['console.run']
		await run()
		await results.first().getByText('200 OK').waitFor()
		expect(await results.count()).toBe(4)
		await results.last().getByRole('button', { name: 'Remove result' }).click()
		await expect.poll(() => results.count()).toBe(3)
	})

	test('of a tab or of the whole window keeps all staged changes', async () => {
		await open({})
		await openTables()
		await openTable('books')
		const books = new TablePanel(page.getByRole('tabpanel', { name: 'books' }))
		await books.root.getByRole('gridcell').first().waitFor()
		await books.edit(0, 'author.country', 'XX')
		const staged = books.root.getByText('1 change not saved')
		await staged.waitFor()

		await nothingLoads(page)
		await breakNumbers()
		await books.root.getByRole('button', { name: 'Reload' }).click()
		const brokenTab = page.getByRole('alert', { name: 'This tab broke' })
		await brokenTab.waitFor()
		await restoreNumbers()
		await brokenTab.getByRole('button', { name: 'Close tab' }).click()
		await page.getByRole('button', { name: 'Keep it open' }).click()
		await brokenTab.getByRole('button', { name: 'Try again' }).click()
		await staged.waitFor()
		await expect.poll(async () => (await books.cell(0, 'author.country')).textContent()).toBe('XX')

		answers['connections.list'] = () => [null]
		await roundhouse.json(['connection', 'add', '--driver', 'search-engine', '--name', 'Another', '--sample'])
		const brokenWindow = page.getByRole('alert', { name: 'The window broke' })
		await brokenWindow.waitFor()
		delete answers['connections.list']
		await brokenWindow.getByRole('button', { name: 'Reload the window' }).click()
		await staged.waitFor()
	})

	test('of a sheet does not affect the window, and the sheet can be closed', async () => {
		await open({})
		answers['drivers.browse'] = result => ({ ...result, offers: [{}] })
		await page.getByRole('button', { name: 'New connection' }).first().click()
		const sheet = page.getByRole('dialog', { name: 'New connection' })
		const broken = sheet.getByRole('alert', { name: 'This sheet broke' })
		await broken.waitFor()
		delete answers['drivers.browse']
		await broken.getByRole('button', { name: 'Try again' }).click()
		await sheet.getByRole('button', { name: 'Elasticsearch' }).waitFor()
		await page.keyboard.press('Escape')

		answers['tokens.list'] = () => [null]
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
		await page.getByRole('alert', { name: 'This page broke' }).waitFor()
		await page.getByRole('tab', { name: 'General' }).click()
		await page.getByText('Data folder').waitFor()
		await page.keyboard.press('Escape')
		await openTables()
	})

	test('of the window itself shows a message, and the window can be reloaded', async () => {
		await open({})
		answers['connections.list'] = () => [null]
		await roundhouse.json(['connection', 'add', '--driver', 'search-engine', '--name', 'Other', '--sample'])
		const broken = page.getByRole('alert', { name: 'The window broke' })
		await broken.getByRole('button', { name: 'Copy the details' }).waitFor()
		delete answers['connections.list']
		await broken.getByRole('button', { name: 'Reload the window' }).click()
		await page.getByRole('button', { name: 'Other', exact: true }).waitFor()
	})

	test('of the host is shown in the part that called it, and can be retried', async () => {
		await open({})
		for (const method of ['settings.read', 'ai.grants', 'tokens.list', 'setup.list', 'activity.list'] as const) {
			answers[method] = refuse
		}
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
		const said = page.getByRole('alert').filter({ hasText: 'The disk is full.' })
		await expect.poll(() => said.count()).toBe(5)
		delete answers['settings.read']
		await page.getByRole('group', { name: 'Server' }).getByRole('button', { name: 'Try again' }).click()
		await page.getByLabel('Serve AI clients').waitFor()
		await page.getByRole('tab', { name: 'Activity' }).click()
		await said.waitFor()
		delete answers['activity.list']
		answers['activity.verify'] = refuse
		await page.getByRole('tabpanel', { name: 'Activity' }).getByRole('button', { name: 'Try again' }).click()
		await said.waitFor({ state: 'detached' })
		await page.getByRole('button', { name: 'Verify' }).click()
		await said.waitFor()
	})

	test('while writing a setting is reported, and the setting shows its stored value', async () => {
		await open({ 'settings.write': refuse })
		await page.getByRole('button', { name: 'Settings' }).click()
		await page.getByRole('tab', { name: 'AI access' }).click()
		const box = page.getByLabel('Ask here too')
		const before = await box.isChecked()
		await box.click()
		await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor()
		await expect.poll(() => box.isChecked()).toBe(before)
	})

	test('while opening the form of a connection is reported with its reason', async () => {
		await open({ 'drivers.browse': refuse })
		await page.getByRole('button', { name: 'Edit Sample' }).click()
		await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor()
	})
})
