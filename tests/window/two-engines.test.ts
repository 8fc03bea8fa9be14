import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shop } from '../../plugins/postgres/servers/schema.ts'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { overHttp } from '../support/clients.ts'
import { ConsolePanel } from '../support/console-panel.ts'
import { foreignWord, foreignWordsOn } from '../support/foreign-words.ts'
import { Pictures } from '../support/pictures.ts'
import { builtRegistry } from '../support/registry.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { TablePanel } from '../support/window.ts'

/** Words that an index has others for. A grid has rows and columns for all engines. */
const sqlWord = /\b(SQL|schemas?|PostgreSQL|tables?|statements?|foreign keys?)\b/i

const routines = `
create function order_count(of bigint) returns bigint stable language sql as 'select count(*) from orders where customer = $1';
create function stamp() returns trigger language plpgsql as 'begin new.seen := now(); return new; end';
create view simple_view as select id, name from customers;
create trigger stamped before update on customers for each row when (new.note = 'stamp') execute function stamp();`

/** The two engines of the tree in one window: a real PostgreSQL server, and the sample of the search engine. */
describe('two engines in one window', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let registry: Awaited<ReturnType<typeof serveRegistry>>
	let server: TestServer
	let page: Page
	let panel: ConsolePanel
	let endpoint = ''
	let pictures: Pictures
	const faults: string[] = []

	const dialog = () => page.getByRole('dialog')
	const tables = () => page.getByRole('list', { name: 'Tables' })
	const console = () => panel.root
	const write = (text: string) => panel.write(text)
	const run = (text: string) => panel.run(text)
	const picture = (name: string) => pictures.take(page, name, 'light')
	/** PostgreSQL has indexes too, and "index" is a word of its console. The first screen names both engines. */
	const noForeignWord = async () => {
		const words = await foreignWordsOn(page)
		expect(words.filter(text => foreignWord.test(text.replaceAll(/\bindex(es)?\b|Elasticsearch/gi, '')))).toEqual([])
	}
	async function openTable(title: string): Promise<TablePanel> {
		await tables().getByRole('button', { name: title, exact: false }).first().click()
		const panel = new TablePanel(page.getByRole('tabpanel', { name: `public.${title}`, exact: true }))
		await panel.root.getByRole('gridcell').first().waitFor()
		return panel
	}
	beforeAll(async () => {
		;[server, browser, roundhouse] = await Promise.all([
			startServer({ schema: `${shop} ${routines} analyze;` }),
			openBrowser(),
			Roundhouse.make(),
		])
		registry = await serveRegistry((await builtRegistry()).folder)
		pictures = await Pictures.into('test-results/window/two-engines')
		const { mcp } = await roundhouse.serve([
			'--registry',
			registry.url,
			'--registry-key',
			(await builtRegistry()).fingerprint,
		])
		endpoint = mcp.url
		page = await openPage(browser, roundhouse, faults)
		panel = new ConsolePanel(page)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
		await registry?.close()
		await server?.stop()
	})

	test('the first start offers both, and a pasted address fills the form', async () => {
		await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
		await page.getByRole('button', { name: 'Elasticsearch' }).getByText('Not installed').waitFor()
		await page.getByRole('button', { name: 'PostgreSQL' }).getByText('Not installed').waitFor()
		await picture('choice')
		await page.getByRole('button', { name: 'PostgreSQL' }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByLabel('Host', { exact: true }).waitFor()
		await picture('form')
		await noForeignWord()
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
		const { port, password } = server.settings
		const address = `postgresql://postgres:${encodeURIComponent(String(password))}@127.0.0.1:${port}/postgres`
		await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(address)})`)
		await dialog().getByLabel('Host', { exact: true }).focus()
		await page.keyboard.press('ControlOrMeta+v')
		expect(await dialog().getByLabel('Port').inputValue()).toBe(String(port))
		await dialog().getByLabel('Name', { exact: true }).fill('Shop')
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await tables().getByRole('button', { name: 'orders' }).waitFor()
		await noForeignWord()
	})

	test('a table is sorted, filtered and edited, and a new row is added', async () => {
		const customers = await openTable('customers')
		await customers.root.getByText('60 rows', { exact: true }).waitFor()
		await picture('grid')
		await noForeignWord()
		await customers.edit(0, 'name', 'Ada')
		await customers.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('update public.customers').waitFor()
		await picture('review')
		await noForeignWord()
		await dialog().getByRole('button', { name: 'Save', exact: true }).click()
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
		await customers.root.getByRole('button', { name: 'Reload' }).click()
		await customers.root.getByText('60 rows', { exact: true }).waitFor()
	})

	test('a key that the engine does not make is required in a new row', async () => {
		const lines = await openTable('order_lines')
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

	test('a view says why its cells cannot be changed', async () => {
		const view = await openTable('simple_view')
		await (await view.cell(0, 'name')).dblclick()
		await page.getByText('A view has no key, so its rows cannot be changed here. Use the console.').first().waitFor()
	})

	test('a time range and its histogram work alike', async () => {
		const logs = await openTable('logs')
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
		await logs.root.getByText('A condition of SQL. Columns: what.').waitFor()
		await page.keyboard.press('Enter')
		await logs.root.getByText('6 rows', { exact: true }).waitFor()
		await bar.fill('')
		await noForeignWord()
	})

	test('a change that another client made meanwhile is a conflict', async () => {
		const customers = await openTable('customers')
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
		const customers = await openTable('customers')
		await page.setViewportSize({ width: 1280, height: 500 })
		await (await customers.cell(0, 'name')).click({ button: 'right' })
		const menu = page.getByRole('menu').last()
		expect(await menu.getByRole('menuitem', { name: 'Remove column' }).count()).toBe(0)
		const box = await menu.boundingBox()
		expect([(box?.y ?? -1) >= 0, (box?.y ?? 0) + (box?.height ?? 0) <= 500]).toEqual([true, true])
		await menu.getByRole('menuitem', { name: 'Go to row' }).scrollIntoViewIfNeeded()
		await page.keyboard.press('Escape')
		await page.setViewportSize({ width: 1440, height: 900 })
	})

	test('rows are copied as statements', async () => {
		const customers = await openTable('customers')
		await (await customers.cell(0, 'id')).click()
		await page.keyboard.press('Shift+ArrowRight')
		await page.keyboard.press('Shift+ArrowDown')
		await (await customers.cell(1, 'name')).click({ button: 'right' })
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
		const orders = await openTable('orders')
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
		await customers.root.getByRole('button', { name: 'Reload' }).click()
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

	test('the console runs, points at errors, explains and keeps a transaction', async () => {
		await page.getByRole('button', { name: 'Console', exact: true }).first().click()
		await run(
			'select o.id, c.name, o.total from orders o join customers c on c.id = o.customer order by o.total desc limit 5',
		)
		await console().getByRole('article').first().getByText('330.00').waitFor()
		await noForeignWord()
		await picture('console')
		await console()
			.getByRole('button', { name: /^Explain/ })
			.click()
		await dialog().getByText('Seq Scan').first().waitFor()
		await picture('plan')
		await noForeignWord()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await write('select pg_sleep(1) from orders')
		await console().getByRole('button', { name: 'Show the plan' }).click()
		await dialog().getByText('This is a plan of estimates. The statement was not run.').waitFor()
		await dialog().getByRole('columnheader', { name: 'Cost' }).waitFor()
		expect(await dialog().getByRole('columnheader', { name: 'Own time' }).count()).toBe(0)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await console().getByRole('textbox', { name: 'Console' }).focus()
		await page.keyboard.press('ControlOrMeta+Shift+e')
		await dialog().getByText('The statement was not run.').waitFor()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await run('select nmae from customers')
		await console().getByText('column "nmae" does not exist').first().waitFor()
		await picture('error')
		await run('begin')
		await console().getByRole('group', { name: 'Transaction' }).waitFor()
		await noForeignWord()
		await picture('transaction')
		await run('create table in_transaction as select 1 as n')
		await run('select * from in_transaction')
		await console()
			.getByRole('button', { name: /^Explain/ })
			.click()
		await dialog().getByText('Seq Scan').waitFor()
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await write('delete from in_transaction')
		await page.keyboard.press('ControlOrMeta+e')
		await dialog().getByText('This is a plan of estimates. The statement was not run.').waitFor()
		await dialog().getByText('A statement that may change data is not run to explain it.').waitFor()
		await dialog().getByRole('button', { name: 'Copy the plan' }).click()
		await expect
			.poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
			.toMatch(/to explain it\.\nDelete: in_transaction \(.*\n {2}Seq Scan: in_transaction \(/)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await run('select count(*) as still_here from in_transaction')
		const counted = console().getByRole('article').filter({ hasText: 'still_here' }).last()
		await counted.getByText('1', { exact: true }).first().waitFor()
		await console()
			.getByRole('group', { name: 'Transaction' })
			.getByRole('button', { name: /roll back/i })
			.click()
		await console().getByRole('group', { name: 'Transaction' }).waitFor({ state: 'detached' })
	})

	test('facts show the definition and the server', async () => {
		await write('select 1 as kept')
		await tables().getByRole('button', { name: 'orders' }).first().click({ button: 'right' })
		await picture('menu')
		await page
			.getByRole('menuitem', { name: /facts|about|info/i })
			.first()
			.click()
		await page.getByText('create table public.orders').waitFor()
		await picture('facts')
		await page.getByRole('button', { name: 'Definition: open the statement in the console' }).click()
		// The statement that was there stays separate.
		const text = async () => (await console().locator('.cm-line').allInnerTexts()).join('\n')
		await expect.poll(text).toMatch(/^create table public\.orders/)
		await page.getByRole('tab', { name: 'Console', exact: true }).click()
		await expect.poll(text).toBe('select 1 as kept')
	})

	test('functions and triggers are in the list, in the search and behind Mod+P, with their definitions', async () => {
		const line = (name: string) => tables().getByRole('button', { name })
		await line('Functions').click()
		await line('order_count(bigint)').click()
		const routine = page.getByRole('tabpanel', { name: 'function public.order_count(bigint)' })
		await routine.getByText('CREATE OR REPLACE FUNCTION public.order_count').waitFor()
		await routine.getByText('stable', { exact: true }).waitFor()
		await picture('function')
		await noForeignWord()
		await line('Functions').click()
		await line('order_count(bigint)').waitFor({ state: 'detached' })
		await page.getByRole('searchbox', { name: 'Search tables' }).fill('stamped')
		await line('stamped on customers').click()
		const trigger = page.getByRole('tabpanel', { name: 'trigger stamped on public.customers' })
		await trigger.getByText('EXECUTE FUNCTION').waitFor()
		await trigger.getByText('new.seen := now()').waitFor()
		await page.getByRole('searchbox', { name: 'Search tables' }).fill('')
		await page.keyboard.press('ControlOrMeta+p')
		await page.keyboard.insertText('order_count')
		await page.keyboard.press('Enter')
		await routine.getByRole('button', { name: /^Definition: open the .* in the console$/ }).waitFor()
	})

	test('a statement of another session is cancelled from the overview', async () => {
		const sleeping = server.sql('select pg_sleep(100), 4711').then(
			() => 'done',
			error => error.message,
		)
		// The overview shows what runs when it is read.
		const running =
			"select count(*)::int as n from pg_stat_activity where query like '%sleep%4711' and state = 'active'"
		await expect.poll(() => server.sql(running)).toEqual([{ n: 1 }])
		await page.locator('.tables-head').getByRole('button', { name: 'Overview' }).click()
		const overview = page.getByRole('tabpanel', { name: /^Overview/ })
		const line = overview.getByRole('row').filter({ hasText: '4711' })
		await line.waitFor()
		await picture('overview')
		await noForeignWord()
		await line.getByRole('button', { name: 'Cancel statement' }).click()
		await dialog().getByText('pg_cancel_backend').waitFor()
		await dialog().getByRole('button', { name: 'Cancel statement' }).click()
		expect(await sleeping).toContain('canceling statement')
	})

	test('a file is imported, and rows are exported as statements', async () => {
		await tables().getByRole('button', { name: 'logs' }).first().click()
		const logs = new TablePanel(page.getByRole('tabpanel', { name: 'public.logs', exact: true }))
		await logs.root.getByRole('gridcell').first().waitFor()
		await logs.root.getByRole('button', { name: 'Import rows' }).click()
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
		await logs.root.getByRole('button', { name: 'Export' }).click()
		await dialog().getByLabel('Format').selectOption({ label: 'SQL INSERT' })
		const downloading = page.waitForEvent('download')
		await dialog().getByRole('button', { name: 'Export', exact: true }).click()
		const file = await (await downloading).path()
		expect(await readFile(file, 'utf8')).toContain(
			"insert into public.logs (at, what) values ('2030-01-01 00:00:00+00', 'first; line');",
		)
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
	})

	test('a write of an AI client asks, with the rows that it changes', async () => {
		const [saved] = await roundhouse.json<{ id: string }[]>(['connection', 'list'])
		const draft = { externalAccess: 'read-write', aiPolicy: 'allow' } as const
		await roundhouse.withHost(host => host.call('connections.update', { id: saved?.id ?? '', draft }))
		const client = await overHttp(endpoint, await roundhouse.addToken('full'))
		const ask = (query: string) =>
			client.callTool({ name: 'execute_query', arguments: { connection_id: saved?.id, query } })
		expect(JSON.stringify((await ask('select count(*) from orders')).content)).toContain('300')
		const asked = ask("update orders set state = 'sent' where id <= 10")
		const sheet = page.getByRole('dialog', { name: 'An AI client wants to run a statement' })
		await sheet.getByText('update orders set state').first().waitFor()
		await picture('consent')
		await noForeignWord()
		await sheet.getByRole('button', { name: 'Refuse' }).click()
		expect((await asked).isError).toBe(true)
		await sheet.waitFor({ state: 'detached' })
		await client.close()
		expect(await server.sql("select count(*)::int as n from orders where state = 'sent'")).toEqual([{ n: 100 }])
	})

	test('an index and a table are open side by side', async () => {
		await page.getByRole('button', { name: 'New connection' }).first().click()
		await page.getByRole('button', { name: 'Elasticsearch' }).click()
		await dialog().getByRole('button', { name: 'Download and install' }).click()
		await dialog().getByRole('button', { name: 'Use the sample' }).click()
		await dialog().getByText('This connection uses the sample').waitFor()
		await dialog().getByRole('button', { name: 'Save and open' }).click()
		await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'books' }).click()
		await page.getByRole('tabpanel', { name: 'books', exact: true }).getByRole('gridcell').first().waitFor()
		await page.keyboard.press('ControlOrMeta+\\')
		await page.getByRole('tablist', { name: 'Open tables on the right' }).waitFor()
		await page.getByRole('tab', { name: /^customers/ }).click()
		const [left, right] = [
			page.getByRole('tabpanel', { name: 'public.customers', exact: true }).getByRole('grid'),
			page.getByRole('grid', { name: 'books' }),
		]
		await Promise.all([left.waitFor(), right.waitFor()])
		await picture('both')
		expect(faults).toEqual([])
	})

	test('no screen of an index has words of SQL', async () => {
		const books = new TablePanel(page.getByRole('tabpanel', { name: 'books', exact: true }))
		/** The texts and hints of a part of the page. */
		const wordsIn = async (part: Locator) => {
			const hints = await part
				.locator('[aria-label], [title], [placeholder]')
				.evaluateAll(elements =>
					elements.flatMap(element =>
						['aria-label', 'title', 'placeholder'].map(name => element.getAttribute(name) ?? ''),
					),
				)
			return [await part.innerText(), ...hints].join('\n')
		}
		const check = async (part: Locator) =>
			expect((await wordsIn(part)).split('\n').filter(line => sqlWord.test(line))).toEqual([])
		await check(books.root)
		await books.edit(0, 'title', 'A new title')
		await books.root.getByRole('button', { name: 'Review and save' }).click()
		await dialog().getByText('_update').first().waitFor()
		await check(dialog())
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		await books.root.getByRole('button', { name: 'Export' }).click()
		await check(dialog())
		await page.keyboard.press('Escape')
		await dialog().waitFor({ state: 'detached' })
		const head = page.locator('.tables-head')
		for (const [button, panel] of [
			['Overview', /^Overview/],
			['All indices', /^Indices/],
			['Console', /^Console/],
		] as const) {
			await head.getByRole('button', { name: button, exact: true }).click()
			await page.getByRole('tabpanel', { name: panel }).filter({ visible: true }).last().waitFor()
			await check(page.getByRole('tabpanel', { name: panel }).filter({ visible: true }).last())
		}
	})
})
