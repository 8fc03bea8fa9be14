import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'
import type { TablePanel } from '../../support/window.ts'

/** A user arranges columns by mouse and by keyboard, and the arrangement is stored. */
describe('the columns of a grid', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('small')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const press = (keys: string) => window.page.keyboard.press(keys)
	const item = (name: string) => window.page.getByRole('menuitem', { name, exact: true })
	const header = (name: string) => table.header(name)
	/** Returns the names of the columns, from the left. */
	const names = async () => {
		const all = await table.root.locator('.grid-header').evaluateAll(headers =>
			headers.map(header => {
				return [
					Number(header.getAttribute('aria-colindex')),
					header.querySelector('.grid-header-name')?.textContent,
				] as const
			}),
		)
		return all.sort(([a], [b]) => a - b).map(([, name]) => name)
	}
	const first = async (count: number) => (await names()).slice(0, count)
	const request = async () => {
		await table.root.getByRole('button', { name: 'Statement' }).click()
		const text = await window.page.getByRole('dialog', { name: 'Statement' }).locator('pre').innerText()
		await press('Escape')
		return JSON.parse(text)
	}
	/** Moves the focus from the cells to the header of a column. */
	async function toHeader(name: string): Promise<void> {
		await (await table.cell(0, name)).click()
		await press('ArrowUp')
		await expect.poll(() => header(name).getAttribute('class')).toContain('current')
	}

	test('columns with one value in all rows are folded into one label, and a click unfolds them', async () => {
		expect(await first(3)).toEqual(['id', 'n', 'c0'])
		await table.root.getByRole('button', { name: 'Hidden: 1 column with one value' }).click()
		await expect.poll(() => first(3)).toEqual(['id', 'n', 'source'])
		await table.root.getByRole('button', { name: 'Shown: 1 column with one value' }).click()
		await expect.poll(() => first(3)).toEqual(['id', 'n', 'c0'])
	})

	test('the key column stays at the left edge while scrolling, and another column can be pinned beside it', async () => {
		const left = async (name: string) => (await header(name).boundingBox())?.x
		const before = await left('id')
		await header('c1').click({ button: 'right' })
		await item('Pin to the left').click()
		await expect.poll(() => first(2)).toEqual(['id', 'c1'])
		const pinned = await left('c1')
		await table.grid.evaluate(element => element.scrollTo(600, 0))
		await expect.poll(() => left('c1')).toBe(pinned)
		expect(await left('id')).toBe(before)
		const cell = await (await table.cell(0, 'c1')).boundingBox()
		expect(cell?.x).toBe(pinned)
		await table.grid.evaluate(element => element.scrollTo(0, 0))
		await header('c1').click({ button: 'right' })
		await item('Unpin').click()
		await expect.poll(() => first(4)).toEqual(['id', 'n', 'c0', 'c1'])
	})

	test('several sort columns can be set by keyboard and mouse, and headers show their numbers', async () => {
		await toHeader('n')
		await press('Enter')
		await press('ArrowRight')
		await press('Shift+Enter')
		await header('c1').click({ modifiers: ['Shift'] })
		await header('c1').click({ modifiers: ['Shift'] })
		const place = (name: string) => header(name).locator('.grid-header-place').innerText()
		expect([await place('n'), await place('c0'), await place('c1')]).toEqual(['1', '2', '3'])
		const sort = async () =>
			(await request()).sort.map(({ column, direction }: Record<string, string>) => [column, direction])
		await expect.poll(sort).toEqual([
			['n', 'asc'],
			['c0', 'asc'],
			['c1', 'desc'],
		])
		await header('n').click()
		await header('n').click()
		await expect.poll(sort).toEqual([])
	})

	test('a column is moved by dragging or by Alt with an arrow key, and resized by keyboard', async () => {
		const from = await header('c2').boundingBox()
		const to = await header('n').boundingBox()
		await window.page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 10)
		await window.page.mouse.down()
		await window.page.mouse.move((to?.x ?? 0) + 60, (to?.y ?? 0) + 10, { steps: 12 })
		await window.page.mouse.up()
		await expect.poll(() => first(5)).toEqual(['id', 'c2', 'n', 'c0', 'c1'])
		expect(await header('c2').getAttribute('aria-sort')).toBe('none')
		await toHeader('c2')
		await press('Alt+ArrowRight')
		await press('Alt+ArrowRight')
		await expect.poll(() => first(5)).toEqual(['id', 'n', 'c0', 'c2', 'c1'])
		const width = async () => Math.round((await header('c2').boundingBox())?.width ?? 0)
		const before = await width()
		await press('Alt+Shift+ArrowLeft')
		await expect.poll(width).toBe(before - 20)
		await press('ArrowDown')
		expect(await table.grid.getAttribute('aria-activedescendant')).toBe('cell-0-3')
	})

	test('a double click on the edge of a column fits its width to its content', async () => {
		const edge = header('c0').locator('.grid-resizer')
		await edge.dblclick()
		const cell = await table.cell(5, 'c0')
		await expect.poll(() => cell.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
		expect((await header('c0').boundingBox())?.width).toBeLessThan(200)
		// With the default width, a timestamp and a number of 18 digits fit too.
		for (const name of ['c1', 'c6'])
			expect(await (await table.cell(3, name)).evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(
				true,
			)
	})

	test('a column has a menu, by keyboard at the header and by its button', async () => {
		await toHeader('c3')
		await press('Shift+F10')
		await item('Hide').click()
		await header('c3').waitFor({ state: 'detached' })
		await header('c4').hover()
		await header('c4').locator('.grid-header-menu').click()
		await item('Filter by this column').click()
		expect(await table.root.getByLabel('Column', { exact: true }).inputValue()).toBe('c4')
		await table.root.getByRole('button', { name: 'Remove filter' }).click()
	})

	test('a column is found by its name, even if it is hidden or outside of the view', async () => {
		for (const name of ['c8', 'c3']) {
			await table.root.getByRole('button', { name: 'Columns', exact: true }).click()
			await window.page.getByLabel('Search columns').fill(name)
			await press('Enter')
			await expect.poll(() => header(name).count()).toBe(1)
			const focused = () => table.grid.getAttribute('aria-activedescendant')
			const index = Number(await header(name).getAttribute('aria-colindex')) - 1
			await expect.poll(focused).toBe(`cell-0-${index}`)
		}
	})

	test('the arrangement of columns is restored when the table is opened again', async () => {
		await table.grid.evaluate(element => element.scrollTo(0, 0))
		const before = ['id', 'n', 'c0', 'c2']
		await expect.poll(() => first(4)).toEqual(before)
		await window.page.getByRole('button', { name: /^Close small/ }).click()
		table = await window.openTable('small')
		await expect.poll(() => first(4)).toEqual(before)
		expect(window.faults).toEqual([])
	})
})
