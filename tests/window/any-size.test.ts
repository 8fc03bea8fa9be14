import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../support/arithmetic-window.ts'
import type { TablePanel } from '../support/window.ts'

/** The grid supports tables of any size. The height of a page in a browser is limited to 33.5 million pixels. */
describe('a table of 2,000,000,000 rows', () => {
	let window: ArithmeticWindow
	let table: TablePanel
	const last = 1_999_999_999

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('endless')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const shown = (text: string) => table.root.getByRole('gridcell', { name: text, exact: true })
	const status = () => table.root.locator('.grid-status')
	/** Returns the number of the row at the top of the view. */
	const top = () =>
		table.grid.evaluate(element => {
			const edge = element.getBoundingClientRect().top + 32
			const rows = [...element.querySelectorAll('.grid-row')].filter(row => row.checkVisibility())
			// Rows are pooled, so they have any order in the page.
			const inView = rows.filter(row => row.getBoundingClientRect().bottom > edge + 1)
			return Math.min(...inView.map(row => Number(row.getAttribute('aria-rowindex')))) - 2
		})

	test('opens without a noticeable delay', async () => {
		await table.root.getByText('2,000,000,000 rows').waitFor()
		await shown('r0').waitFor()
	})

	test('Ctrl+End moves to the last row, and Ctrl+Home to the first', async () => {
		await table.grid.focus()
		await window.page.keyboard.press('ControlOrMeta+End')
		await shown(`r${last}`).waitFor()
		await status().getByText('Row 2,000,000,000').waitFor()
		const box = await shown(`r${last}`).boundingBox()
		const grid = await table.grid.boundingBox()
		expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((grid?.y ?? 0) + (grid?.height ?? 0))
		await window.page.keyboard.press('ControlOrMeta+Home')
		await shown('r0').waitFor()
	})

	test('Ctrl+G moves to any row, and an invalid number is refused', async () => {
		const field = table.root.getByRole('spinbutton', { name: 'Go to row' })
		await window.page.keyboard.press('ControlOrMeta+g')
		await field.fill('1500000')
		await field.press('Enter')
		await shown('r1499999').waitFor()
		await status().getByText('Row 1,500,000').waitFor()
		await window.page.keyboard.press('ArrowDown')
		await status().getByText('Row 1,500,001').waitFor()
		await status().getByRole('button', { name: /^Row / }).click()
		await field.fill('2000000001')
		await field.press('Enter')
		await status().getByText('There are 2,000,000,000 rows').waitFor()
		await field.press('Escape')
		await field.waitFor({ state: 'detached' })
		await window.page.keyboard.press('ArrowUp')
		await status().getByText('Row 1,500,000').waitFor()
	})

	test('the thumb of the scrollbar moves in proportion to the table', async () => {
		await table.grid.evaluate(element => element.scrollTo(0, (element.scrollHeight - element.clientHeight) / 2))
		await expect.poll(async () => Math.abs((await top()) - last / 2) / last).toBeLessThan(0.001)
		await table.grid.evaluate(element => element.scrollTo(0, element.scrollHeight))
		await shown(`r${last}`).waitFor()
		await table.grid.evaluate(element => element.scrollTo(0, 0))
		await shown('r0').waitFor()
	})

	test('rows that arrive do not move a thumb that the user drags', async () => {
		const moved = await table.grid.evaluate(async element => {
			let [at, moved] = [element.scrollHeight / 4, 0]
			element.scrollTo(0, at)
			const end = performance.now() + 3000
			// Faster than frames, so that rows arrive between a scroll and its event. A busy machine makes fewer steps.
			while (performance.now() < end) {
				await new Promise(resolve => setTimeout(resolve, 5))
				if (element.scrollTop !== at) moved++
				at++
				element.scrollTo(0, at)
			}
			return moved
		})
		expect(moved).toBe(0)
	})

	test('the wheel and the page keys scroll by the same distance as in a small table, at any position', async () => {
		const { page } = window
		await table.grid.focus()
		await page.keyboard.press('ControlOrMeta+g')
		await table.root.getByRole('spinbutton', { name: 'Go to row' }).fill('1000000001')
		await page.keyboard.press('Enter')
		await shown('r1000000000').waitFor()
		const before = await top()
		await table.grid.hover()
		await page.mouse.wheel(0, 280)
		await expect.poll(top).toBe(before + 10)
		await page.mouse.wheel(0, -280)
		await expect.poll(top).toBe(before)
		for (let press = 0; press < 3; press++) await page.keyboard.press('PageDown')
		await expect.poll(async () => (await top()) - before).toBeLessThan(120)
		expect(await top()).toBeGreaterThan(before)
	})

	test('a cell far down can be edited in place, and all rows can be selected', async () => {
		const { page } = window
		await page.keyboard.press('ControlOrMeta+End')
		await page.keyboard.press('Home')
		await page.keyboard.press('ArrowRight')
		await shown(String(last)).waitFor()
		await page.keyboard.press('F2')
		const editor = await table.root.getByRole('textbox', { name: 'Edit n' }).boundingBox()
		const cell = await shown(String(last)).boundingBox()
		// At the last row it is moved up, so that its buttons are inside of the pane.
		expect(Math.abs((editor?.y ?? 0) - (cell?.y ?? 0))).toBeLessThan(36)
		await page.keyboard.press('Escape')
		await page.keyboard.press('ControlOrMeta+a')
		await status().getByText('14,000,000,000 cells').waitFor()
		await page.keyboard.press('ControlOrMeta+c')
		await table.root.getByText('2,000,000,000 rows are selected, and at most 10,000 can be copied at once.').waitFor()
	})

	test('a reopened tab shows the previous row at the same pixel', async () => {
		const { page } = window
		await table.grid.focus()
		await page.keyboard.press('ControlOrMeta+g')
		await table.root.getByRole('spinbutton', { name: 'Go to row' }).fill('1234567891')
		await page.keyboard.press('Enter')
		await shown('r1234567890').waitFor()
		await table.grid.hover()
		await page.mouse.wheel(0, 101)
		const stands = async () => (await (await table.cell(1_234_567_890, 'n')).boundingBox({ timeout: 5000 }))?.y
		const before = await top()
		const y = await stands()
		await page.getByRole('button', { name: 'Close endless', exact: false }).click()
		await table.root.waitFor({ state: 'detached' })
		table = await window.openTable('endless')
		await expect.poll(top).toBe(before)
		expect(await stands()).toBe(y)
		expect(window.faults).toEqual([])
	})
})
