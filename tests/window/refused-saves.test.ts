import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pictures } from '../support/pictures.ts'
import { ShopWindow } from '../support/shop-window.ts'

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
		await shop.page.screenshot({ path: 'test-results/window/refused-saves/refused.png' })
		await pictures.take(shop.page, 'refused', 'light')
		await customers.root.getByRole('button', { name: 'Discard' }).click()
		await customers.nothingStaged()
	})
})
