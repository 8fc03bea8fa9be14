import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '../../../plugins/postgres/servers/server.ts'
import { overHttp } from '../../support/clients.ts'
import { ConsolePanel } from '../../support/console-panel.ts'
import { noWordOfDocuments } from '../../support/foreign-words.ts'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'

const routines = `
create function order_count(of bigint) returns bigint stable language sql as 'select count(*) from orders where customer = $1';
create function stamp() returns trigger language plpgsql as 'begin new.seen := now(); return new; end';
create trigger stamped before update on customers for each row when (new.note = 'stamp') execute function stamp();`

/** The walk through the console, the facts and the overview of a real PostgreSQL server, and a question of an AI client. */
describe('screens of PostgreSQL', () => {
	let shop: ShopWindow
	let page: Page
	let server: TestServer
	let panel: ConsolePanel
	let pictures: Pictures

	const dialog = () => page.getByRole('dialog')
	const tables = () => page.getByRole('list', { name: 'Tables' })
	const console = () => panel.root
	const write = (text: string) => panel.write(text)
	const run = (text: string) => panel.run(text)
	const picture = (name: string) => pictures.take(page, name, 'light')
	const noForeignWord = () => noWordOfDocuments(page)

	beforeAll(async () => {
		shop = await ShopWindow.open(routines)
		;({ page, server } = shop)
		panel = new ConsolePanel(page)
		pictures = await Pictures.into('test-results/window/sql-screens')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

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

	test('a write of an AI client asks, with the rows that it changes', async () => {
		const { roundhouse, mcpUrl } = shop
		const [saved] = await roundhouse.json<{ id: string }[]>(['connection', 'list'])
		const draft = { externalAccess: 'read-write', aiPolicy: 'allow' } as const
		await roundhouse.withHost(host => host.call('connections.update', { id: saved?.id ?? '', draft }))
		const client = await overHttp(mcpUrl, await roundhouse.addToken('full'))
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
})
