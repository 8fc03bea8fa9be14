import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../plugins/postgres/servers/server.ts'
import { noWordOfDocuments } from '../support/foreign-words.ts'
import { Pictures } from '../support/pictures.ts'
import { ShopWindow } from '../support/shop-window.ts'
import { TablePanel } from '../support/window.ts'

/** The walk through the grid of a real PostgreSQL server. */
describe('tables of PostgreSQL', () => {
	let shop: ShopWindow
	let page: Page
	let server: TestServer
	let pictures: Pictures

	const dialog = () => page.getByRole('dialog')
	const picture = (name: string) => pictures.take(page, name, 'light')
	const noForeignWord = () => noWordOfDocuments(page)

	beforeAll(async () => {
		shop = await ShopWindow.open('create view simple_view as select id, name from customers;')
		;({ page, server } = shop)
		pictures = await Pictures.into('test-results/window/sql-tables')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	test('a table is sorted, filtered and edited, and a new row is added', async () => {
		const customers = await shop.openTable('customers')
		await customers.root.getByText('60 rows', { exact: true }).waitFor()
		await picture('grid')
		await noForeignWord()
		await customers.edit(0, 'name', 'Ada')
		await customers.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('update public.customers').waitFor()
		await picture('review')
		await noForeignWord()
		await dialog()
			.getByRole('button', { name: /^Save \d+ changes?$/ })
			.click()
		await customers.nothingStaged()
		expect(await server.sql('select name, full_name from customers where id = 1')).toEqual([
			{ name: 'Ada', full_name: 'Ada (1)' },
		])
		await customers.scrollTo('full_name')
		await (await customers.cell(0, 'full_name')).dblclick()
		await page
			.getByText(/^full_name cannot be changed\. Computed: /)
			.first()
			.waitFor()
		await customers.root.getByRole('button', { name: 'New row' }).click()
		await picture('new row')
		await noForeignWord()
		await dialog().getByLabel('name', { exact: true }).fill('Grace')
		await dialog().getByLabel('data', { exact: true }).fill('"a text"')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await customers.save()
		await customers.nothingStaged()
		expect(
			await server.sql("select name, data::text, balance::text, is_active from customers where name = 'Grace'"),
		).toEqual([{ name: 'Grace', data: '"a text"', balance: '0.00', is_active: true }])
		await customers.scrollTo('points')
		await customers.header('points').click()
		await expect.poll(async () => (await customers.cells('points')).first().innerText()).toBe('0')
		await customers.header('points').click()
		await expect.poll(async () => (await customers.cells('points')).first().innerText()).toBe('60000000420')
		await customers.header('points').click()
		await expect.poll(async () => (await customers.cells('points')).first().innerText()).toBe('1000000007')
		const bar = customers.root.getByRole('form', { name: 'Filters' })
		await customers.root.getByRole('button', { name: 'Filter', exact: true }).click()
		await bar.getByLabel('Column').selectOption('points')
		await bar.getByLabel('Operator').selectOption({ label: 'is less than' })
		await bar.getByLabel('Value').fill('3000000021')
		await bar.getByRole('button', { name: 'Apply' }).click()
		await customers.root.getByText('3 rows', { exact: true }).waitFor()
		await picture('filters')
		await noForeignWord()
		await customers.root.getByRole('button', { name: 'Filter', exact: true }).click()
		await customers.root
			.getByRole('list', { name: 'Filters' })
			.getByRole('button', { name: /^Remove/ })
			.click()
		await customers.root.getByText('61 rows', { exact: true }).waitFor()
		await server.sql("delete from customers where name = 'Grace'")
		await customers.more('Reload')
		await customers.root.getByText('60 rows', { exact: true }).waitFor()
	})

	test('a key that the engine does not make is required in a new row', async () => {
		const lines = await shop.openTable('order_lines')
		await lines.root.getByRole('button', { name: 'New row' }).click()
		const key = dialog().getByLabel('line', { exact: true })
		expect(await key.getAttribute('placeholder')).toBe('integer')
		expect(await key.getAttribute('required')).toBe('')
		await dialog().getByLabel('order_id', { exact: true }).fill('1')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await dialog().getByText('line is required.').waitFor()
		await key.fill('2')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await lines.save()
		await lines.nothingStaged()
		expect(await server.sql('select order_id, line from order_lines where line = 2')).toEqual([
			{ order_id: 1, line: 2 },
		])
		await server.sql('delete from order_lines where line = 2')
	})

	test('the keys of a schema are drawn, and a table opens from there', async () => {
		await page
			.getByRole('list', { name: 'Tables' })
			.getByRole('button', { name: /^public/ })
			.first()
			.click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Diagram' }).click()
		const diagram = page.getByRole('tabpanel', { name: 'public, diagram' })
		await diagram.getByText(/^3 tables, 2 foreign keys/).waitFor()
		await picture('diagram')
		await noForeignWord()
		await diagram.getByRole('button', { name: /^order_lines/ }).click()
		await page
			.getByRole('tabpanel', { name: 'public.order_lines', exact: true })
			.getByRole('gridcell')
			.first()
			.waitFor()
	})

	test('a view says why its cells cannot be changed', async () => {
		const view = await shop.openTable('simple_view')
		await (await view.cell(0, 'name')).dblclick()
		await page.getByText('A view has no key, so its rows cannot be changed here. Use the console.').first().waitFor()
	})

	test('a time range and its histogram work alike', async () => {
		const logs = await shop.openTable('logs')
		await logs.root.getByRole('button', { name: 'Filter by time' }).click()
		const time = logs.root.getByRole('group', { name: 'Time' })
		await time.getByLabel('Time range').selectOption('From … to …')
		await time.getByLabel('From', { exact: true }).fill('2024-01-01 00:10')
		await time.getByLabel('To', { exact: true }).fill('2024-01-01T01:20+01:00')
		await time.getByLabel('To', { exact: true }).press('Enter')
		await logs.root.getByText('10 rows', { exact: true }).waitFor()
		await time.getByRole('button', { name: 'Histogram of time' }).click()
		const bars = logs.root.getByRole('slider', { name: 'rows by at' })
		await bars.press('End')
		expect(await bars.getAttribute('aria-valuetext')).toMatch(/ – 2024-01-01 00:20:00: \d rows?$/)
		await expect.poll(() => bars.locator('.histogram-bar').count()).toBe(10)
		await bars.press('Delete')
		await logs.root.getByText('40 rows', { exact: true }).waitFor()
		await picture('time')
		const bar = logs.root.getByRole('searchbox', { name: 'Query' })
		await bar.pressSequentially("what = 'line 3")
		const options = logs.root.getByRole('listbox', { name: 'Completions' }).getByRole('option')
		await expect.poll(() => options.allInnerTexts()).toEqual(['line 3'])
		await page.keyboard.press('Tab')
		expect(await bar.inputValue()).toBe("what = 'line 3'")
		await logs.root.getByText('Condition on what.').waitFor()
		await page.keyboard.press('Enter')
		await logs.root.getByText('6 rows', { exact: true }).waitFor()
		await bar.fill('')
		await noForeignWord()
	})

	test('a change that another client made meanwhile is a conflict', async () => {
		const customers = await shop.openTable('customers')
		await customers.edit(1, 'note', 'mine')
		await server.sql("update customers set note = 'theirs' where id = 2")
		await customers.save()
		await customers.root.getByText('was changed').first().waitFor()
		await picture('conflict')
		await noForeignWord()
		await customers.root.getByRole('button', { name: 'Compare' }).click()
		await dialog().getByText('theirs').first().waitFor()
		await dialog().getByRole('button', { name: 'Take theirs' }).and(page.locator(':enabled')).click()
		await customers.nothingStaged()
		await (await customers.cell(1, 'note')).getByText('theirs').waitFor()
	})

	test('the menu of a cell fits a low window, and offers nothing that the engine refuses', async () => {
		const customers = await shop.openTable('customers')
		await page.setViewportSize({ width: 1280, height: 500 })
		await (await customers.cell(0, 'name')).click({ button: 'right' })
		const menu = page.getByRole('menu').last()
		expect(await menu.getByRole('menuitem', { name: 'Remove column' }).count()).toBe(0)
		const box = await menu.boundingBox()
		expect([(box?.y ?? -1) >= 0, (box?.y ?? 0) + (box?.height ?? 0) <= 500]).toEqual([true, true])
		await menu.getByRole('menuitem', { name: 'More' }).hover()
		await page.getByRole('menuitem', { name: 'Go to row' }).scrollIntoViewIfNeeded()
		await page.keyboard.press('Escape')
		await page.keyboard.press('Escape')
		await page.setViewportSize({ width: 1440, height: 900 })
	})

	test('rows are copied as statements', async () => {
		const customers = await shop.openTable('customers')
		await (await customers.cell(0, 'id')).click()
		await page.keyboard.press('Shift+ArrowRight')
		await page.keyboard.press('Shift+ArrowDown')
		await (await customers.cell(1, 'name')).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'More', exact: true }).hover()
		await page.getByRole('menuitem', { name: 'Copy as SQL INSERT', exact: true }).click()
		await expect
			.poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
			.toMatch(/^(insert into public\.customers \(id, name\) values \(\d+, '.*'\);\n){2}$/)
		await (await customers.cell(0, 'id')).click()
		await page.keyboard.press('Control+Shift+C')
		const dialog = page.getByRole('dialog', { name: 'Copy 1 cell' })
		await dialog.getByRole('radio', { name: 'SQL INSERT' }).check()
		expect(await dialog.getByRole('checkbox', { name: 'With column names' }).isDisabled()).toBe(true)
		await dialog.getByRole('button', { name: 'Copy' }).click()
		await expect
			.poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
			.toMatch(/^insert into public\.customers \(id\) values \(\d+\);\n$/)
	})

	test('a foreign key leads to its row', async () => {
		const orders = await shop.openTable('orders')
		expect(await orders.header('customer').getAttribute('title')).toContain(
			'refers to public.customers (Ctrl+click or F12)',
		)
		await (await orders.cell(0, 'customer')).click({ modifiers: ['ControlOrMeta'] })
		const customers = new TablePanel(page.getByRole('tabpanel', { name: 'public.customers', exact: true }).last())
		await customers.root.getByText('1 row', { exact: true }).waitFor()
		await (await customers.cell(0, 'name')).click()
		await page.keyboard.press('Shift+F12')
		await orders.root.getByText('5 rows', { exact: true }).waitFor()
		await picture('referrers')

		await server.sql('create table public.refunds (id int primary key, customer int references public.customers)')
		await (await orders.cell(0, 'customer')).click()
		await page.keyboard.press('F12')
		// The new name shows that the reload has answered, which says what refers to the rows.
		await server.sql(`update public.customers set name = name || '!'`)
		await customers.more('Reload')
		await (await customers.cell(0, 'name')).getByText(/!$/).click()
		await page.keyboard.press('Shift+F12')
		await dialog()
			.getByRole('option', { name: /refunds/ })
			.click()
		await page.getByRole('tab', { name: 'refunds' }).waitFor()
		await page.getByRole('tab', { name: 'refunds' }).press('Delete')
		await server.sql('drop table public.refunds')
		await server.sql(`update public.customers set name = rtrim(name, '!')`)
	})

	test('a file is imported, and rows are exported as statements', async () => {
		const logs = await shop.openTable('logs')
		await logs.more('Import rows')
		const csv = Buffer.from('at,what\n2030-01-01 00:00:00+00,"first; line"\n2030-01-02 00:00:00+00,\n')
		await dialog().last().getByLabel('File').setInputFiles({ name: 'logs.csv', mimeType: '', buffer: csv })
		await dialog().last().getByText('2 rows').first().waitFor()
		await picture('import')
		await dialog().last().getByRole('button', { name: 'Import', exact: true }).last().click()
		await dialog().last().getByText('Imported 2 rows.').waitFor()
		await noForeignWord()
		await dialog().last().getByRole('button', { name: 'Close', exact: true }).last().click()
		expect(await server.sql("select what from logs where at > '2029-01-01' order by at")).toEqual([
			{ what: 'first; line' },
			{ what: null },
		])
		await logs.more('Export')
		await dialog().getByLabel('Format').selectOption({ label: 'SQL INSERT' })
		const downloading = page.waitForEvent('download')
		await dialog()
			.getByRole('button', { name: /^Export/ })
			.click()
		const file = await (await downloading).path()
		expect(await readFile(file, 'utf8')).toContain(
			"insert into public.logs (at, what) values ('2030-01-01 00:00:00+00', 'first; line');",
		)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('the form of a table changes it in one transaction, and makes a new one in its schema', async () => {
		const list = page.getByRole('list', { name: 'Tables' })
		const form = (name = 'order_lines, structure') => page.getByRole('tabpanel', { name })
		await list.getByRole('button', { name: /^order_lines/ }).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Change structure …' }).click()
		await form().getByLabel('Comment of line', { exact: true }).fill('its place in the order')
		await form().getByRole('button', { name: 'Column', exact: true }).click()
		await page.keyboard.type('note')
		await form().getByLabel('Type of note').fill('varchar(20)')
		await form().getByText('2 statements').waitFor()
		await form().getByRole('button', { name: 'Try', exact: true }).click()
		await form().getByText('was rolled back').waitFor()
		await picture('form')
		await noForeignWord()
		await page.keyboard.press('ControlOrMeta+s')
		await page.getByText('Changed order_lines.').waitFor()
		expect(
			await server.sql(`select a.attname, format_type(a.atttypid, a.atttypmod) as type, col_description(a.attrelid, a.attnum) as note
				from pg_attribute a where a.attrelid = 'order_lines'::regclass and a.attname in ('line', 'note') order by 1`),
		).toEqual([
			{ attname: 'line', type: 'integer', note: 'its place in the order' },
			{ attname: 'note', type: 'character varying(20)', note: null },
		])
		await list.getByRole('button', { name: /^public/ }).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'New table …' }).click()
		await form('New table in public').getByLabel('Name', { exact: true }).fill('invoices')
		await form('New table in public').getByText('create table public.invoices').waitFor()
		await form('New table in public').getByRole('button', { name: 'Create invoices' }).click()
		await list.getByRole('button', { name: /^invoices/ }).waitFor()
		await server.sql('drop table invoices')
		await list.getByRole('button', { name: /^order_lines/ }).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Change structure …' }).click()
		await form().getByRole('button', { name: 'Drop note' }).click()
		await form().getByLabel('Comment of line', { exact: true }).fill('')
		await form().getByText('2 statements').waitFor()
		await form().getByRole('button', { name: 'Change order_lines' }).click()
		const question = dialog()
		await question.getByText('These statements are sent:').waitFor()
		await picture('question about a loss')
		await question.getByRole('button', { name: 'Change order_lines' }).click()
		await page.getByText('Changed order_lines.').last().waitFor()
		await dialog().waitFor({ state: 'detached' })
		expect(
			await server.sql("select from pg_attribute where attrelid = 'order_lines'::regclass and attname = 'note'"),
		).toEqual([])
	})
})
