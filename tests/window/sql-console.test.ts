import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeToHappen } from '../support/absence.ts'
import { ConsolePanel } from '../support/console-panel.ts'
import { Pictures } from '../support/pictures.ts'
import { ShopWindow } from '../support/shop-window.ts'

/** The console of a real PostgreSQL server: questions, cancellation, scripts, completion and what is shown of results. */
describe('the console of SQL', () => {
	let shop: ShopWindow
	let page: Page
	let panel: ConsolePanel
	let pictures: Pictures
	const dialog = () => page.getByRole('dialog')
	const console = () => panel.root
	const write = (text: string) => panel.write(text)
	const run = (text: string) => panel.run(text)
	const picture = (name: string) => pictures.take(page, name, 'light')

	beforeAll(async () => {
		shop = await ShopWindow.open()
		page = shop.page
		panel = new ConsolePanel(page)
		pictures = await Pictures.into('test-results/window/sql-console')
		await page.getByRole('button', { name: 'Console', exact: true }).click()
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	test('a question says why it is asked, and whether a rollback undoes the statement', async () => {
		const asked = async (text: string, words: string) => {
			await write(text)
			await page.keyboard.press('ControlOrMeta+Shift+Enter')
			await dialog().getByText(words, { exact: true }).waitFor()
			await dialog().getByRole('button', { name: 'Cancel' }).click()
			await dialog().waitFor({ state: 'detached' })
			// A list of completions that arrives late lies over the text.
			await page.keyboard.press('Escape')
			await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' })
		}
		await asked('delete from logs', 'It cannot be undone.')
		await asked('begin; delete from logs; commit', 'It cannot be undone.')
		const replaced = "create or replace function replaced() returns int language sql as 'select 1'"
		await asked(replaced, 'It replaces the present definition, if there is one. A rollback may not undo it.')
		// What waits for the commit of the user is not asked about, because this connection writes without asking.
		const rows = async () => (await shop.server.sql('select count(*)::int as n from logs'))[0]?.n
		const before = await rows()
		await run('begin')
		await run('delete from logs')
		await console().getByText(`Transaction open, ${before} rows changed`).waitFor()
		await run('rollback')
		await console().getByRole('group', { name: 'Transaction' }).waitFor({ state: 'detached' })
		expect(await rows()).toBe(before)
	})

	test('a table that is created in the console is in Ctrl+P, also after the transaction ends', async () => {
		const offered = async (name: string) => {
			await page.keyboard.press('ControlOrMeta+p')
			await page.keyboard.insertText(name)
			await page.getByRole('option', { name }).first().waitFor()
			await page.keyboard.press('Escape')
		}
		await run('create table made_alone (n int)')
		await offered('made_alone')
		await write('begin; create table made_inside (n int)')
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await console().getByRole('group', { name: 'Transaction' }).waitFor()
		await console()
			.getByRole('group', { name: 'Transaction' })
			.getByRole('button', { name: /commit/i })
			.click()
		await console().getByRole('group', { name: 'Transaction' }).waitFor({ state: 'detached' })
		await offered('made_inside')
		await shop.server.sql('drop table made_alone, made_inside')
	})

	test('a key cancels the statements that run', async () => {
		await write('select pg_sleep(60)')
		await page.keyboard.press('ControlOrMeta+Enter')
		await console().getByText('Running …').waitFor()
		await page.keyboard.press('ControlOrMeta+.')
		const sleep = console().getByRole('article', { name: 'select pg_sleep(60)' })
		await sleep.getByText('Cancelled').waitFor()
		await expect
			.poll(() =>
				shop.server.sql("select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'"),
			)
			.toEqual([])
	})

	test('a script stops at a syntax error, which asks for nothing, and what follows does not run', async () => {
		await write('select 7 as seven;\nselectt 8;\nselect 9 as nine')
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await console().getByText('syntax error at or near "selectt"').first().waitFor()
		await console()
			.getByText(/selectt 8 failed/)
			.first()
			.waitFor()
		expect(await dialog().count()).toBe(0)
		expect(await console().getByRole('article', { name: 'select 9 as nine' }).count()).toBe(0)
		await picture('script')
		await run('insrt into kept values (2)')
		await console().getByText('syntax error at or near "insrt"').first().waitFor()
	})

	test('completion knows tables and columns', async () => {
		const box = console().getByRole('textbox', { name: 'Console' })
		await box.click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.type('select * from cust')
		await page.keyboard.press('Control+Space')
		await page
			.getByRole('option', { name: /customers/ })
			.first()
			.waitFor()
		await picture('completion')
		await page.keyboard.press('Escape')
	})

	test('a result that was cut says so in its status, its history and its tools, and can be read further', async () => {
		await run('select n from generate_series(1, 5000) n')
		const result = console().getByRole('article', { name: 'select n from generate_series(1, 5000) n' })
		await result.getByText('SELECT, first 2,000 rows').waitFor()
		await result.getByRole('button', { name: 'Copy the first 2,000 rows' }).waitFor()
		const saving = page.waitForEvent('download')
		await result.getByRole('button', { name: 'Save the first 2,000 rows as CSV' }).click()
		expect((await saving).suggestedFilename()).toBe('first-2,000-rows.csv')
		await page.keyboard.press('ControlOrMeta+Alt+h')
		await page.getByText('SELECT, first 2,000 rows · ').first().waitFor()
		await page.keyboard.press('Escape')
		await result.getByRole('button', { name: 'Read up to 100,000 rows' }).click()
		await result.getByText('SELECT', { exact: true }).waitFor()
		await result.getByRole('button', { name: 'Save the rows as CSV' }).waitFor()
		// They are copied in the order that is shown.
		const head = result.locator('[data-header="n"]')
		await head.click()
		await head.click()
		expect(await head.getAttribute('aria-sort')).toBe('descending')
		await result.getByRole('button', { name: 'Copy the rows' }).click()
		await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^n\n5000\n4999\n/)
	})

	test('a plan keeps its indentation, and an error its lines, of which the first is in sight', async () => {
		const long = `explain select ${Array.from({ length: 60 }, (_, n) => `${n} as c${n}`).join(', ')} from orders order by total`
		await run(long)
		const article = console().getByRole('article').first()
		await expect.poll(() => article.locator('.cm-line').nth(1).innerText()).toMatch(/^ {2}Sort Key/)
		await article.getByRole('button', { name: 'Copy the answer' }).click()
		await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^Sort .*\n {2}Sort Key/)
		await write("do $$ begin raise 'first' using detail = E'one\\ntwo'; end $$")
		await page.keyboard.press('ControlOrMeta+Enter')
		const fault = console().getByRole('alert').filter({ hasText: 'first. one' })
		expect(await fault.innerText()).not.toContain('two')
		await fault.getByText('first. one').click()
		await expect.poll(() => fault.innerText()).toContain('one\ntwo')
	})

	test('a typed EXPLAIN in JSON shows the steps of the plan, and the JSON beside them', async () => {
		await run('explain (analyze, format json) select * from orders o join customers c on c.id = o.customer')
		const article = console().getByRole('article').first()
		const steps = article.locator('[data-row]:visible [data-column="0"]')
		await expect.poll(() => steps.nth(1).innerText()).toBe('    Seq Scan')
		await article.getByRole('columnheader', { name: 'Time with its parts (ms)' }).waitFor()
		await picture('typed-explain')
		await article.getByRole('radio', { name: 'JSON' }).click()
		await article.getByText('"Node Type"').first().waitFor()
	})

	test('the plan of a statement is beside its result, with planned and real rows', async () => {
		await run('select o.id, c.name, o.total from orders o join customers c on c.id = o.customer order by o.total')
		await page.keyboard.press('ControlOrMeta+e')
		const plan = console().getByRole('region', { name: 'Plan' })
		await plan
			.getByRole('row', { name: /^Seq Scan/ })
			.first()
			.waitFor()
		for (const name of ['Own ms', 'Planned', 'Came']) await plan.getByRole('columnheader', { name }).waitFor()
		await console().getByRole('grid').waitFor()
		await picture('plan')
		await plan.getByRole('button', { name: 'Close the plan' }).click()
		await plan.waitFor({ state: 'detached' })
	})

	test('rows of one table are copied as statements that run', async () => {
		await run('select * from customers order by id limit 2')
		await console().getByRole('gridcell').first().click()
		await page.keyboard.press('ControlOrMeta+a')
		await console().getByRole('gridcell').first().click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Copy as inserts into public.customers' }).click()
		const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
		await expect.poll(clipboard).toMatch(/^insert into .*customers.*;\ninsert into .*;$/s)
		const text = await clipboard()
		await write(`begin; delete from orders; delete from customers; ${text} rollback`)
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
		await console()
			.getByRole('tab', { name: /^Messages/ })
			.waitFor()
		await console().getByRole('group', { name: 'Transaction' }).waitFor({ state: 'detached' })
		expect(await console().getByRole('alert').count()).toBe(0)
	})

	test('Enter begins a line whatever completion offers, and a run closes the list', async () => {
		const lines = ['select id', 'from public.orders', 'where id > 5', 'order by id', 'limit 3']
		const list = page.locator('.cm-tooltip-autocomplete')
		await write('')
		for (const line of lines) {
			await page.keyboard.type(line, { delay: 30 })
			await timeToHappen(300)
			await expect.poll(() => list.count()).toBe(0)
			await page.keyboard.press('Enter')
		}
		const written = await console().getByRole('textbox', { name: 'Console' }).locator('.cm-line').allInnerTexts()
		expect(written.map(line => line.trim())).toEqual([...lines, ''])
		await page.keyboard.type('of')
		await list.getByText('offset').waitFor()
		await page.keyboard.press('ControlOrMeta+Enter')
		await list.waitFor({ state: 'detached' })
	})

	test('the values of an enumeration are offered behind the quote', async () => {
		await write('')
		await page.keyboard.type("select * from orders where state = '", { delay: 20 })
		await page.getByRole('option', { name: "'new'" }).waitFor()
		await page.keyboard.press('Escape')
	})
})
