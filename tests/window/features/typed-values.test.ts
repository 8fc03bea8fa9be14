import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ShopWindow } from '../../support/shop-window.ts'

/** Values that are typed and pasted into cells, forms and filters. */
describe('a typed value', () => {
	let shop: ShopWindow

	beforeAll(async () => {
		shop = await ShopWindow.open(`create table texts (id int primary key, what text, flag boolean);
			insert into texts values (1, E'line one\\nline two'), (2, E'line one\\r\\nline two'), (3, 'short'), (4, 'last')`)
	})
	afterAll(() => shop?.[Symbol.asyncDispose]())

	const stored = (id: number) => shop.server.sql(`select what from texts where id = ${id}`)

	test('of several lines keeps its line breaks in a cell, a new row, a filter and several cells', async () => {
		const { page } = shop
		const { keyboard } = page
		const texts = await shop.openTable('texts')
		const editor = () => texts.root.getByLabel('Edit what')
		for (const row of [0, 1]) {
			await (await texts.cell(row, 'what')).click()
			await keyboard.press('Enter')
			expect(await editor().inputValue()).toBe('line one\nline two')
			await keyboard.press('ControlOrMeta+End')
			await keyboard.type('.')
			await keyboard.press('Enter')
			await keyboard.type('end')
			await keyboard.press('ControlOrMeta+Enter')
			await editor().waitFor({ state: 'detached' })
		}
		// Pasted lines are kept too.
		await page.evaluate("navigator.clipboard.writeText('x\\ny')")
		await (await texts.cell(2, 'what')).click()
		await keyboard.press('Enter')
		await keyboard.press('End')
		await keyboard.press('ControlOrMeta+v')
		await expect.poll(() => editor().inputValue()).toBe('shortx\ny')
		await keyboard.type('!')
		await keyboard.press('Tab')
		await editor().waitFor({ state: 'detached' })
		await texts.save()
		await texts.nothingStaged()
		expect(await stored(1)).toEqual([{ what: 'line one\nline two.\nend' }])
		expect(await stored(2)).toEqual([{ what: 'line one\r\nline two.\r\nend' }])
		expect(await stored(3)).toEqual([{ what: 'shortx\ny!' }])
		// In all selected cells.
		await (await texts.cell(2, 'what')).click()
		await keyboard.press('Shift+ArrowDown')
		await keyboard.press('Enter')
		await keyboard.press('ControlOrMeta+End')
		await keyboard.type('?')
		await keyboard.press('ControlOrMeta+Enter')
		await texts.root.getByText('2 changes not saved').waitFor()
		await texts.save()
		await texts.nothingStaged()
		expect(await shop.server.sql('select distinct what from texts where id > 2')).toHaveLength(1)
		await (await texts.cell(0, 'what')).click()
		await keyboard.press('=')
		await texts.root.getByText('1 row', { exact: true }).waitFor()
		await texts.root.getByRole('button', { name: /^what is line one/ }).click()
		const value = texts.root.getByLabel('Value')
		expect(await value.inputValue()).toBe('line one\nline two.\nend')
		await value.press('Enter')
		await value.waitFor({ state: 'detached' })
		await texts.root.getByText('1 row', { exact: true }).waitFor()
		await texts.root.getByRole('button', { name: /^Remove what is/ }).click()
		await (await texts.cell(0, 'what')).click()
		await keyboard.press('Insert')
		const form = page.getByRole('dialog', { name: 'New row' })
		await form.getByLabel('id', { exact: true }).fill('5')
		await form.getByLabel('what', { exact: true }).click()
		await keyboard.press('ControlOrMeta+v')
		await keyboard.type('z')
		await form.getByRole('button', { name: 'Add', exact: true }).click()
		await texts.save()
		await texts.nothingStaged()
		expect(await stored(5)).toEqual([{ what: 'x\nyz' }])
	})
})
