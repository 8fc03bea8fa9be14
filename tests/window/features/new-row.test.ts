import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pictures } from '../../support/pictures.ts'
import { ShopWindow } from '../../support/shop-window.ts'

describe('the form for a new row', () => {
	let shop: ShopWindow
	let pictures: Pictures

	beforeAll(async () => {
		shop = await ShopWindow.open('create table notes (what text, at date)')
		pictures = await Pictures.into('test-results/window/new-row')
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	const press = (keys: string) => shop.page.keyboard.press(keys)
	const form = () => shop.page.getByRole('dialog', { name: 'New row' })
	const field = (name: string) => form().getByLabel(name, { exact: true })
	const hasFocus = (name: string) =>
		expect.poll(() => field(name).evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)

	test('Tab goes from the first field to the next, and the choice of the form comes last', async () => {
		const customers = await shop.openTable('customers')
		await (await customers.cell(0, 'name')).click()
		await press('Insert')
		await hasFocus('id')
		await press('Tab')
		await hasFocus('name')
		await press('Tab')
		await hasFocus('note')
		await pictures.take(shop.page, 'form', 'light')
		await press('Escape')
		await form().waitFor({ state: 'detached' })
	})

	test('a table without a key begins in its first field', async () => {
		await shop.page.getByRole('list', { name: 'Tables' }).getByRole('button', { name: 'notes' }).click()
		const notes = shop.panel('notes')
		await notes.root.getByRole('status').getByRole('button', { name: 'New row' }).click()
		await form().getByText('By column').click()
		await press('Escape')
		await notes.root.getByRole('status').getByRole('button', { name: 'New row' }).click()
		await hasFocus('what')
		await press('Escape')
		await form().waitFor({ state: 'detached' })
	})

	test('required columns are marked, and a reference offers the rows of its table', async () => {
		const orders = await shop.openTable('orders')
		const options = (input: string) =>
			shop.page
				.getByLabel(input, { exact: true })
				.evaluate(element =>
					[
						...(element as unknown as { list: { options: Iterable<{ value: string; label: string }> } }).list.options,
					].map(({ value, label }) => `${value} ${label}`),
				)
		await (await orders.cell(0, 'total')).click()
		await press('Insert')
		const star = (name: string) =>
			shop.page.evaluate<string>(
				`getComputedStyle([...document.querySelectorAll('.insert-fields label')].find(label => label.textContent === '${name}'), '::after').content`,
			)
		expect(await star('customer')).toContain('*')
		expect(await star('placed')).toBe('none')
		await field('customer').focus()
		await expect.poll(() => options('customer')).toContain('2 Customer 2, note 2')
		await field('customer').fill('customer 41')
		await expect.poll(() => options('customer')).toEqual(['41 Customer 41, note 41'])
		await pictures.take(shop.page, 'required', 'light')
		await press('Escape')
		await form().getByRole('button', { name: 'Discard' }).click()
		await (await orders.cell(0, 'customer')).click()
		await press('Enter')
		const editor = 'Edit customer'
		await shop.page.getByLabel(editor, { exact: true }).fill('17')
		await expect.poll(() => options(editor)).toEqual(['17 Customer 17, note 17'])
		await press('Escape')
	})

	test('Escape asks before it discards what was typed, also in a duplicated row', async () => {
		const customers = await shop.openTable('customers')
		await (await customers.cell(0, 'name')).click()
		await press('ControlOrMeta+Shift+D')
		await field('name').waitFor()
		await press('Escape')
		await form().waitFor({ state: 'detached' })
		await press('ControlOrMeta+Shift+D')
		await field('note').fill('copied')
		await press('Escape')
		await form().getByText('Discard what you entered?').waitFor()
		await press('Enter')
		expect(await field('note').inputValue()).toBe('copied')
		await press('Escape')
		await form().getByRole('button', { name: 'Discard' }).click()
		await form().waitFor({ state: 'detached' })
		expect(await customers.root.getByText('not saved').count()).toBe(0)
		expect(shop.faults).toEqual([])
	})
})
