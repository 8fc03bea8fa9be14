import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ShopWindow } from '../support/shop-window.ts'
import { TablePanel } from '../support/window.ts'

/** One connection to a server with several databases. */
describe('several databases', () => {
	let shop: ShopWindow
	let page: Page
	const console = () => page.getByRole('tabpanel', { name: /^Console/ }).filter({ visible: true })
	const database = () => console().getByLabel('Database', { exact: true })

	async function run(statement: string): Promise<void> {
		await console().getByRole('textbox', { name: 'Console' }).click()
		await page.keyboard.press('ControlOrMeta+a')
		await page.keyboard.press('Delete')
		await page.keyboard.insertText(statement)
		await page.keyboard.press('ControlOrMeta+Shift+Enter')
	}
	const answer = (text: string) => console().getByRole('gridcell', { name: text, exact: true }).first().waitFor()

	beforeAll(async () => {
		shop = await ShopWindow.open('', { allDatabases: true }, async server => {
			await server.sql('create database analytics')
			await server.sql('create table countries (id int primary key); insert into countries values (42)', 'analytics')
			await server.sql('create table countries (id int primary key); insert into countries values (7)')
		})
		page = shop.page
		await page.getByRole('button', { name: 'Console', exact: true }).click()
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	test('a console runs in the database that is chosen, which is kept', async () => {
		await run('select current_database()')
		await answer('postgres')
		await database().selectOption('analytics')
		await run('select id as in_analytics from countries')
		await answer('42')
		await page.getByRole('tab', { name: 'Console · analytics' }).waitFor()
		await page.reload()
		await expect.poll(() => database().inputValue()).toBe('analytics')
		await database().selectOption('postgres')
		await run('select id as in_postgres from countries')
		await answer('7')
	})

	test('a transaction keeps its database', async () => {
		await run('begin')
		await console().getByRole('group', { name: 'Transaction' }).waitFor()
		expect(await database().isDisabled()).toBe(true)
		await console().getByRole('button', { name: 'Roll back' }).click()
		await expect.poll(() => database().isEnabled()).toBe(true)
	})

	test('the statement of a table opens in a console of its database', async () => {
		await page.keyboard.press('ControlOrMeta+p')
		await page.keyboard.insertText('analytics.public.countries')
		await page.getByRole('option', { name: 'analytics.public.countries' }).first().click()
		const table = page.getByRole('tabpanel', { name: 'analytics.public.countries', exact: true })
		await table.getByRole('gridcell', { name: '42' }).waitFor()
		await new TablePanel(table).more('Show the statement')
		await page.getByRole('button', { name: 'Open in the console' }).click()
		await page.getByRole('tab', { name: 'Console 2 · analytics' }).waitFor()
		const status = page.getByRole('region', { name: 'Connection of this tab' })
		await status.getByText('Shop · analytics', { exact: true }).waitFor()
		await page.keyboard.press('ControlOrMeta+Enter')
		await answer('42')
		expect(shop.faults).toEqual([])
	})

	test('the tab, the status line and the review of a table name its database', async () => {
		await page.getByRole('tab', { name: 'countries · analytics', exact: true }).click()
		const table = new TablePanel(page.getByRole('tabpanel', { name: 'analytics.public.countries', exact: true }))
		const status = page.getByRole('region', { name: 'Connection of this tab' })
		await status.getByText('Shop · analytics', { exact: true }).waitFor()
		await table.edit(0, 'id', '43')
		await table.root.getByRole('button', { name: 'Review and save' }).click()
		const review = page.getByRole('dialog', { name: 'Save 1 change on Shop · analytics' })
		await review.waitFor()
		await page.keyboard.press('Escape')
		await review.waitFor({ state: 'detached' })
		await table.root.getByRole('button', { name: 'Discard' }).click()
		await page.getByRole('tab', { name: /^Console$/ }).click()
		await status.getByText('Shop', { exact: true }).waitFor()
	})

	test('a statement that waits for the one before it says so', async () => {
		await run('select pg_sleep(3)')
		await console().getByText('Running …').first().waitFor()
		await run("select 'second' as word")
		await console().getByText('Waiting for the statement before it …').waitFor()
		await answer('second')
		const took = await console()
			.getByRole('article')
			.first()
			.getByText(/^\d+ ms$/)
			.innerText()
		expect(Number.parseInt(took, 10)).toBeLessThan(1000)
	})
})
