import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../support/axe.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { foreignWordsOn } from '../support/foreign-words.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'
import { TablePanel } from '../support/window.ts'

/** Imports of files through the window, by a driver with its own way (shop) and by insertions (ledger). */
describe('import', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: TestRegistry
	let page: Page
	const faults: string[] = []

	beforeAll(async () => {
		registry = await TestRegistry.make()
		for (const driver of ['shop', 'ledger'] as const) await registry.addOwn(driver)
		roundhouse = await Roundhouse.make()
		const { url, fingerprint } = registry.source
		await roundhouse.serve(['--registry', url, '--registry-key', fingerprint])
		await roundhouse.withHost(async host => {
			await host.call('connections.add', { driverId: 'shop', name: 'Shop', settings: {}, safeMode: 'ask' })
			await host.call('connections.add', { driverId: 'ledger', name: 'Ledger', settings: {}, safeMode: 'free' })
		})
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, faults)
		await prepareForAxe(page)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.[Symbol.asyncDispose]()
	})

	const dialog = () => page.getByRole('dialog').last()
	const button = (name: string) => dialog().getByRole('button', { name, exact: true }).last()
	async function openTable(connection: string, list: string, title: string): Promise<TablePanel> {
		await page.getByRole('button', { name: connection, exact: true }).click()
		await page.getByRole('list', { name: list }).getByRole('button', { name: title }).click()
		const panel = new TablePanel(page.getByRole('tabpanel', { name: new RegExp(`${title}$`) }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}
	async function choose(name: string, text: string | Buffer): Promise<void> {
		await dialog()
			.getByLabel('File')
			.setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
	}
	async function close(): Promise<void> {
		await button('Close').click()
		await dialog().waitFor({ state: 'detached' })
	}
	async function expectAccessible(): Promise<void> {
		expect(await violationsOn(page)).toEqual({ inLight: [], inDark: [] })
		expect(await foreignWordsOn(page)).toEqual([])
	}

	test('the toolbar imports a CSV after a review, and the grid shows the rows', async () => {
		const orders = await openTable('Shop', 'Tables', 'orders')
		await orders.more('Import rows')
		await choose(
			'orders.csv',
			'\ufeff"ID";state;Buyer;note\r\n77;sent;12345678901234567890;"x\r\ny"\r\n78;paid;2;z\r\n',
		)
		await dialog().getByText('orders.csv, 76 bytes, 2 rows').waitFor()
		expect(await dialog().getByLabel('ID', { exact: true }).inputValue()).toBe('id')
		await dialog().getByText('A new row needs a value here: customer.').waitFor()
		await expectAccessible()
		await dialog().getByLabel('Buyer').selectOption('customer')
		await button('Import').click()
		// The connection asks before it writes.
		await dialog().getByText('Buyer → customer').waitFor()
		await expectAccessible()
		await button('Import').click()
		await dialog().getByText('Imported 2 rows.').waitFor()
		await close()
		await orders.root.getByText('4 rows', { exact: true }).waitFor()
		expect(await (await orders.cell(2, 'customer')).innerText()).toBe('12345678901234567890')
	})

	test('a save that is all or nothing imports nothing if a row fails, and the report says which', async () => {
		const orders = await openTable('Shop', 'Tables', 'orders')
		await orders.more('Import rows')
		await choose('orders.ndjson', '{"state":"new","customer":1}\n{"state":"lost","customer":1}\n')
		await button('Import').click()
		await dialog().getByText('state → state').waitFor()
		await button('Import').click()
		await dialog()
			.getByText(/^Imported 0 rows, 1 failed\. Nothing was imported/)
			.waitFor()
		const failed = dialog().getByRole('region', { name: 'Rows that were not imported' })
		expect(await failed.getByRole('row').last().innerText()).toMatch(
			/^2\s+Failed\s+lost, 1\s+state is one of new, paid, sent/,
		)
		await expectAccessible()
		const [file] = await Promise.all([page.waitForEvent('download'), button('Save report').click()])
		expect(file.suggestedFilename()).toBe('orders.ndjson.report.csv')
		expect(await readFile(await file.path(), 'utf8')).toBe(
			'line,outcome,message,values\r\n2,failed,"state is one of new, paid, sent","lost, 1"\r\n',
		)
		await close()
	})

	test('replacing rows is shown first', async () => {
		const orders = await openTable('Shop', 'Tables', 'orders')
		await orders.more('Import rows')
		await choose('orders.json', '[{"id":78,"state":"new","customer":5}]')
		await dialog().getByLabel('A row whose key exists').selectOption('replace')
		await button('Import').click()
		await page.getByRole('dialog', { name: 'Import into shop.public.orders on Shop' }).waitFor()
		await button('Import').click()
		await dialog().getByText('Imported 1 row.').waitFor()
		await close()
		await expect.poll(async () => (await orders.cell(3, 'customer')).innerText()).toBe('5')
	})

	test('the list of all tables and an empty table offer it', async () => {
		await page.getByRole('button', { name: 'Shop', exact: true }).click()
		await page.getByRole('button', { name: 'Actions for Shop' }).click()
		await page.getByRole('menuitem', { name: 'All tables' }).click()
		const tables = page.getByRole('tabpanel', { name: 'Tables', exact: true })
		await tables.getByRole('row').filter({ hasText: 'orders' }).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Import rows …' }).click()
		await page.getByRole('dialog', { name: /^Import into .*orders$/ }).waitFor()
		await close()
		const customers = await openTable('Shop', 'Tables', 'customers')
		await customers.grid.focus()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await customers.save()
		await customers.root.getByText('This table has no rows.').waitFor()
		await customers.root.getByRole('button', { name: 'Import rows …' }).click()
		await page.getByRole('dialog', { name: /^Import into .*customers$/ }).waitFor()
		await close()
	})

	test('the menu of a table and the keys import by insertions, and name the lines that failed', async () => {
		await page.getByRole('button', { name: 'Ledger', exact: true }).click()
		const listed = page.getByRole('list', { name: 'Journals' }).getByRole('button', { name: 'accounts' })
		await listed.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Import accounts …' }).click()
		await choose('empty.csv', '')
		await dialog().getByText('empty.csv, 0 bytes, 0 accounts').waitFor()
		expect(await button('Import').isDisabled()).toBe(true)
		// The first row may be long, and Escape closes a sheet of which only the file was chosen.
		await choose('long.csv', `id,balance\n${'z'.repeat(1_000_000)},2\n`)
		await dialog()
			.getByText(/^long\.csv, .* 1 account$/)
			.waitFor()
		expect(await button('Import').isEnabled()).toBe(true)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await listed.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Import accounts …' }).click()
		await choose('latin.csv', Buffer.from([0x6e, 0x0a, 0xfc, 0x0a]))
		await dialog().getByText('Line 2 is not UTF-8.').waitFor()
		await choose('accounts.csv', 'id,balance\nzoe,1.5\nzac,much\nzed,2\n')
		await dialog().getByText('3 accounts').waitFor()
		await dialog().getByLabel('Delimiter').focus()
		await button('Import').focus()
		await page.keyboard.press('Enter')
		await dialog().getByText('Imported 2 accounts, 1 failed.').waitFor()
		await dialog()
			.getByRole('cell', { name: /^balance is not a number: / })
			.waitFor()
		await close()
	})

	test('all rows that failed are reachable, with line and reason', async () => {
		await page.keyboard.press('ControlOrMeta+Shift+p')
		await page.keyboard.type('Import accounts')
		await page.keyboard.press('Enter')
		await dialog().getByLabel('File').waitFor()
		const lines = Array.from({ length: 450 }, (_, at) => `f${at},much`)
		await choose('faulty.csv', `id,balance\n${lines.join('\n')}\n`)
		await button('Import').click()
		await dialog().getByText('1 to 200 of 450').waitFor()
		expect(await button('Previous').isDisabled()).toBe(true)
		await button('Next').press('Enter')
		await button('Next').click()
		await dialog().getByText('401 to 450 of 450').waitFor()
		const rows = dialog().getByRole('region', { name: 'Rows that were not imported' }).getByRole('row')
		expect(await rows.last().innerText()).toMatch(/^451\s+Failed\s+f449, much\s+balance is not a number: "[^"]*"$/)
		expect(await rows.count()).toBe(51)
		expect(await button('Next').isDisabled()).toBe(true)
		await expectAccessible()
		await button('Previous').click()
		await dialog().getByText('201 to 400 of 450').waitFor()
		const [file] = await Promise.all([page.waitForEvent('download'), button('Save report').click()])
		expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n')).toHaveLength(451)
		await close()
	})

	test('a long import shows its progress, and cancels between batches', async () => {
		await page.keyboard.press('ControlOrMeta+Shift+p')
		await page.keyboard.type('Import accounts')
		await page.keyboard.press('Enter')
		await dialog().getByLabel('File').waitFor()
		const lines = Array.from({ length: 300_000 }, (_, at) => `p${at},${at}`)
		await choose('many.csv', `id,balance\n${lines.join('\n')}\n`)
		await dialog()
			.getByText(/about [\d,.]+ accounts/)
			.waitFor()
		await button('Import').click()
		await dialog().getByRole('progressbar', { name: 'Importing' }).waitFor()
		await page.keyboard.press('Escape')
		await dialog()
			.getByText(/^Read [\d,.]+ accounts/)
			.waitFor()
		await button('Cancel').click()
		await dialog()
			.getByText(/^Cancelled\. Imported [\d,.]+ accounts/)
			.waitFor()
		await close()
		expect(faults).toEqual([])
	})
})
