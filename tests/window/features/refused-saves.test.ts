import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'

/** Changes that the engine refuses, and values that a column does not take. */
describe('refused values', () => {
	let shop: ShopWindow
	let pictures: Pictures

	beforeAll(async () => {
		shop = await ShopWindow.open()
		pictures = await Pictures.into('test-results/window/refused-saves')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	test('an error of a save names the row and the column, and the grid goes there', async () => {
		const customers = await shop.openTable('customers')
		await customers.edit(1, 'name', 'Other')
		await customers.edit(3, 'name', 'Ada')
		await customers.scrollTo('born')
		await customers.edit(3, 'born', '2024-13-45')
		await customers.grid.evaluate(grid => grid.scrollTo(0, 0))
		await (await customers.cell(0, 'id')).click()
		await customers.save()
		await customers.root
			.getByText('Row, id 4, born: date/time field value out of range: "2024-13-45"')
			.first()
			.waitFor()
		const refused = await customers.cell(3, 'born')
		await expect.poll(() => refused.getAttribute('aria-invalid')).toBe('true')
		expect(await customers.root.locator('.grid-row.faulty').count()).toBe(1)
		await expect.poll(() => refused.getAttribute('class')).toContain('current')
		await pictures.take(shop.page, 'refused', 'light')
		await customers.root.getByRole('button', { name: 'Discard' }).click()
		await customers.nothingStaged()
	})

	test('the review of a save that waits for a lock can be closed, and the save ends by itself', async () => {
		const { page, server } = shop
		const customers = await shop.openTable('customers')
		await customers.grid.evaluate(grid => grid.scrollTo(0, 0))
		await customers.edit(1, 'name', 'Waited')
		const id = await (await customers.cell(1, 'id')).innerText()
		const held = server.sql(`begin; select 1 from customers where id = ${id} for update; select pg_sleep(4); commit`)
		await expect.poll(() => server.sql("select 1 from pg_stat_activity where wait_event = 'PgSleep'")).toHaveLength(1)
		await customers.root.getByRole('button', { name: 'Review and save' }).click()
		const review = page.getByRole('dialog')
		await review.getByRole('button', { name: 'Save', exact: true }).click()
		await review.getByRole('button', { name: 'Saving …' }).waitFor()
		await review.locator('footer').getByRole('button', { name: 'Close' }).click()
		await review.waitFor({ state: 'detached' })
		await customers.root.getByText('Saving …').waitFor()
		await (await shop.openTable('orders')).root.getByRole('gridcell').first().waitFor()
		await shop.openTable('customers')
		await held
		await customers.nothingStaged()
		expect(await server.sql(`select name from customers where id = ${id}`)).toEqual([{ name: 'Waited' }])
	})

	test('the review copies its statements', async () => {
		const { page } = shop
		const customers = await shop.openTable('customers')
		await customers.grid.evaluate(grid => grid.scrollTo(0, 0))
		await customers.edit(0, 'name', 'Ada; really')
		await (await customers.cell(1, 'id')).click()
		await page.keyboard.press('Delete')
		await customers.root.getByRole('button', { name: 'Review and save' }).click()
		const review = page.getByRole('dialog')
		await review.getByRole('button', { name: 'Copy what is sent' }).click()
		const [update, deletion, ...rest] = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n\n')
		expect(update).toMatch(/^update public\.customers set name = 'Ada; really' where .*;$/)
		expect(deletion).toMatch(/^delete from public\.customers where .*;$/)
		expect(rest).toEqual([])
		await pictures.take(page, 'review', 'light')
		await review.getByRole('button', { name: 'Cancel' }).click()
		await customers.root.getByRole('button', { name: 'Discard' }).click()
		await customers.nothingStaged()
	})

	test('null is set by a key and offered only where the column takes it', async () => {
		const { page } = shop
		const customers = await shop.openTable('customers')
		const entry = () => page.getByRole('menuitem', { name: 'Set null' })
		await (await customers.cell(4, 'note')).click({ button: 'right' })
		await entry().getByText('Alt+Delete').waitFor()
		await page.keyboard.press('Escape')
		await (await customers.cell(4, 'name')).click({ button: 'right' })
		await page.getByRole('menuitem', { name: 'Fill down' }).waitFor()
		expect(await entry().count()).toBe(0)
		await page.keyboard.press('Escape')
		await (await customers.cell(4, 'name')).dblclick()
		await customers.root.getByLabel('Edit name').waitFor()
		expect(await customers.root.getByRole('button', { name: 'Set null' }).count()).toBe(0)
		await page.keyboard.press('Escape')
		await page.keyboard.press('Shift+ArrowRight')
		await page.keyboard.press('Alt+Delete')
		await customers.root.getByText('name was not changed: the value is null, which the column does not take.').waitFor()
		await customers.root.getByText('1 change not saved').waitFor()
		await expect.poll(async () => (await customers.cell(4, 'note')).innerText()).toBe('null')
		await customers.root.getByRole('button', { name: 'Discard' }).click()
		await customers.nothingStaged()
	})

	test('a choice is found by typing, and a text that begins none is refused', async () => {
		const { page } = shop
		const orders = await shop.openTable('orders')
		await orders.scrollTo('state')
		const state = await orders.cell(0, 'state')
		const now = await state.innerText()
		const other = ['paid', 'sent'].find(value => value !== now) ?? ''
		await state.click()
		await page.keyboard.type(`${other}x`)
		await orders.root.getByText(`This is no value: none begins with "${other}x".`).waitFor()
		await page.keyboard.press('Enter')
		await page.keyboard.press('Backspace')
		await page.keyboard.press('Enter')
		await expect.poll(() => state.innerText()).toBe(other)
		// A letter that begins no value is forgotten with the next one that does, and with a choice by arrows.
		await state.click()
		await page.keyboard.type('q')
		await orders.root.getByText('This is no value: none begins with "q".').waitFor()
		await page.keyboard.type(now.slice(0, 1))
		await page.keyboard.press('Enter')
		await expect.poll(() => state.innerText()).toBe(now)
		await state.click()
		await page.keyboard.type('q')
		await page.keyboard.press('ArrowDown')
		await page.keyboard.press('Enter')
		await orders.root.getByLabel('Edit state').waitFor({ state: 'detached' })
		await orders.root.getByRole('button', { name: 'Discard' }).click()
		await orders.nothingStaged()
	})

	test('a refused value is kept in its editor, and nothing is saved before it is changed', async () => {
		const { page } = shop
		const orders = await shop.openTable('orders')
		await orders.edit(0, 'total', '17')
		await (await orders.cell(1, 'total')).click()
		await page.keyboard.type('abc')
		await page.keyboard.press('Enter')
		await orders.root.getByText('This is not a number.').waitFor()
		await orders.root.getByRole('button', { name: 'Review and save' }).click()
		const editor = orders.root.getByLabel('Edit total')
		await expect.poll(() => editor.evaluate(element => element.matches(':focus'))).toBe(true)
		expect(await page.getByRole('dialog').count()).toBe(0)
		await orders.grid.evaluate(grid => (grid as unknown as { focus(): void }).focus())
		await page.keyboard.press('Escape')
		await editor.waitFor({ state: 'detached' })
		await orders.root.getByText('1 change not saved').waitFor()
		await orders.root.getByRole('button', { name: 'Discard' }).click()
		await orders.nothingStaged()
	})

	test('a value that must be unique leads to its cell', async () => {
		await shop.server.sql('create table accounts (id int primary key, name text, email text unique)')
		await shop.server.sql("insert into accounts values (1, 'a', 'a@x'), (2, 'b', 'b@x')")
		await shop.page.locator('.tables-head').getByRole('button', { name: 'Reload' }).click()
		const accounts = await shop.openTable('accounts')
		await accounts.edit(1, 'name', 'B')
		await accounts.edit(1, 'email', 'a@x')
		await accounts.save()
		await accounts.root
			.getByText(/Row, id 2, email: duplicate key/)
			.first()
			.waitFor()
		await expect.poll(async () => (await accounts.cell(1, 'email')).getAttribute('aria-invalid')).toBe('true')
		await accounts.root.getByRole('button', { name: 'Discard' }).click()
		await accounts.nothingStaged()
	})

	test('values of a column that another client renamed are shown, and go alone', async () => {
		const accounts = await shop.openTable('accounts')
		await accounts.edit(0, 'name', 'A long reply')
		await accounts.edit(0, 'email', 'b2@x')
		await shop.server.sql('alter table accounts rename name to title')
		await accounts.root.getByRole('button', { name: 'Reload' }).click()
		const gone = accounts.root.getByText(
			'1 column with changes that are not saved no longer exists here: name (A long reply).',
		)
		await gone.waitFor()
		await pictures.take(shop.page, 'gone-column', 'light')
		await accounts.root.getByRole('button', { name: 'Discard these' }).click()
		await gone.waitFor({ state: 'detached' })
		await accounts.save()
		await accounts.nothingStaged()
		expect(await shop.server.sql('select title, email from accounts where id = 1')).toEqual([
			{ title: 'a', email: 'b2@x' },
		])
	})

	test('a value for several columns is checked for each', async () => {
		const { page } = shop
		const orders = await shop.openTable('orders')
		await (await orders.cell(0, 'total')).click()
		await (await orders.cell(1, 'state')).click({ modifiers: ['Shift'] })
		await page.keyboard.press('Enter')
		const editor = orders.root.getByLabel('Edit state')
		await editor.selectOption('sent')
		await page.keyboard.press('ControlOrMeta+Enter')
		await orders.root.getByText('total was not changed: the value is not a number.').waitFor()
		await orders.root.getByRole('button', { name: 'Discard' }).click()
		await orders.nothingStaged()
		expect(shop.faults).toEqual([])
	})
})
