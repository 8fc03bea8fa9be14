import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'

/** Back and Forward through the places that the user visited. */
describe('back and forward', () => {
	let shop: ShopWindow
	let pictures: Pictures

	beforeAll(async () => {
		shop = await ShopWindow.open(
			'create table staff (id int primary key, boss int references staff, name text); insert into staff select n, nullif(n / 10, 0), chr(64 + n) from generate_series(1, 40) n; ' +
				Array.from({ length: 60 }, (_, n) => `create table zz_${n + 1} ();`).join(' '),
		)
		pictures = await Pictures.into('test-results/window/back-and-forward')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	const press = (keys: string) => shop.page.keyboard.press(keys)
	const rows = (title: string, count: string) =>
		shop
			.panel(title)
			.root.getByText(`${count} row${count === '1' ? '' : 's'}`, { exact: true })
			.waitFor()
	const tabs = () => shop.page.getByRole('tab').allInnerTexts()
	async function sort(title: string, column: string): Promise<void> {
		await shop.panel(title).header(column).click()
		await expect.poll(() => shop.panel(title).header(column).getAttribute('aria-sort')).toBe('ascending')
	}

	test('a reference leaves the filters and the order of the user alone, and Back returns to the row', async () => {
		const customers = await shop.openTable('customers')
		await (await customers.cell(2, 'name')).click()
		await press('=')
		await rows('customers', '1')
		await sort('customers', 'points')
		const orders = await shop.openTable('orders')
		await (await orders.cell(7, 'customer')).click()
		await press('F12')
		await rows('customers', '1')
		expect(await tabs()).toEqual(['customers', 'orders', 'customers (2)'])
		await (await shop.panel('customers').cell(0, 'id')).getByText('9', { exact: true }).waitFor()
		await pictures.take(shop.page, 'followed', 'light')
		// The list shows the table of the tab, also far from where the user scrolled.
		const scroller = shop.page.locator('.tables-scroll')
		await scroller.evaluate(element => element.scrollTo(0, 10_000))
		await expect.poll(() => shop.page.getByRole('button', { name: 'zz_60' }).count()).toBe(1)
		expect(await scroller.getByRole('button', { name: 'orders' }).count()).toBe(0)
		await press('Alt+ArrowLeft')
		await rows('orders', '300')
		await scroller.getByRole('button', { name: 'orders' }).waitFor()
		await orders.root.getByRole('button', { name: 'Row 8' }).waitFor()
		await press('Alt+ArrowLeft')
		await (await shop.panel('customers').cell(0, 'id')).getByText('3', { exact: true }).waitFor()
		await press('Alt+ArrowRight')
		await press('Alt+ArrowRight')
		await (await shop.panel('customers').cell(0, 'id')).getByText('9', { exact: true }).waitFor()
	})

	test('the next reference reuses the tab of the last one, unless something is staged there', async () => {
		await press('Alt+ArrowLeft')
		const orders = shop.panel('orders')
		await (await orders.cell(8, 'customer')).click()
		await press('F12')
		await (await shop.panel('customers').cell(0, 'id')).getByText('10', { exact: true }).waitFor()
		expect(await tabs()).toEqual(['customers', 'orders', 'customers (2)'])
		await shop.panel('customers').edit(0, 'note', 'staged')
		await press('Alt+ArrowLeft')
		await (await orders.cell(9, 'customer')).click()
		await press('F12')
		await (await shop.panel('customers').cell(0, 'id')).getByText('11', { exact: true }).waitFor()
		expect(await tabs()).toEqual(['customers', 'orders', 'customers (2)', 'customers (3)'])
		await shop.page.getByRole('tab', { name: 'customers (2)' }).click()
		await shop.panel('customers').root.getByText('1 change not saved').waitFor()
		await shop.panel('customers').root.getByRole('button', { name: 'Discard' }).click()
	})

	test('Back restores rows, order and position of a table that refers to itself, also by a button of the mouse', async () => {
		const staff = await shop.openTable('staff')
		await rows('staff', '40')
		await (await staff.cell(24, 'boss')).click()
		await press('F12')
		await rows('staff', '1')
		expect((await tabs()).filter(title => title.startsWith('staff'))).toEqual(['staff'])
		await press('Alt+ArrowLeft')
		await rows('staff', '40')
		await staff.root.getByRole('button', { name: 'Row 25' }).waitFor()
		const mouse = (button: number) => staff.grid.dispatchEvent('mouseup', { button, bubbles: true, cancelable: true })
		await mouse(4)
		await rows('staff', '1')
		await mouse(3)
		await rows('staff', '40')
		await press('ControlOrMeta+Shift+P')
		await shop.page.getByRole('dialog').getByRole('option', { name: /^Back/ }).getByText('Alt+←').waitFor()
		await press('Escape')
	})

	test('Back leads through the filters and orders of one tab, each with its row', async () => {
		const lines = await shop.openTable('order_lines')
		const all = await lines.root.getByText(/^[\d,]+ rows$/).innerText()
		const order = await lines.cell(5, 'order_id')
		const value = await order.innerText()
		await order.click()
		await press('=')
		const chip = lines.root.getByRole('button', { name: `order_id is ${value}`, exact: true })
		await chip.waitFor()
		await sort('order_lines', 'what')
		await press('Alt+ArrowLeft')
		await expect.poll(() => lines.header('what').getAttribute('aria-sort')).toBe('none')
		expect(await chip.count()).toBe(1)
		await press('Alt+ArrowLeft')
		await lines.root.getByText(all, { exact: true }).waitFor()
		expect(await chip.count()).toBe(0)
		await lines.root.getByRole('button', { name: 'Row 6' }).waitFor()
		await press('Alt+ArrowRight')
		await chip.waitFor()
		await press('Alt+ArrowRight')
		await expect.poll(() => lines.header('what').getAttribute('aria-sort')).toBe('ascending')
		await shop.page.getByRole('tab', { name: 'staff' }).click()
	})

	test('Back keeps text that is typed beside the grid', async () => {
		const staff = shop.panel('staff')
		await (await staff.cell(26, 'boss')).click()
		await press('F12')
		await rows('staff', '1')
		await press('Space')
		const editor = staff.root.getByRole('textbox', { name: 'Row as JSON' })
		await editor.click()
		await shop.page.keyboard.insertText('typed')
		await press('Alt+ArrowLeft')
		await rows('staff', '40')
		expect(await editor.innerText()).toContain('typed')
		await press('ControlOrMeta+z')
		await staff.root.getByRole('button', { name: 'Close row' }).click()
	})

	test('Back goes on from a console, and keeps what was typed there', async () => {
		await shop.page.getByRole('button', { name: 'Console', exact: true }).first().click()
		const text = shop.page.getByRole('textbox', { name: 'Console' })
		await text.click()
		await shop.page.keyboard.insertText('select 1')
		await press('Alt+ArrowLeft')
		await rows('staff', '40')
		await press('Alt+ArrowRight')
		await text.waitFor()
		expect(await text.innerText()).toBe('select 1')
		expect(shop.faults).toEqual([])
	})
})
