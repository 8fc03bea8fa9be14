import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'
import type { TablePanel } from '../../support/window.ts'

/** ui/grid/edit/copy-paste.test.tsx tests copying and pasting. */
describe('a selection', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('small')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const status = () => table.root.locator('.grid-status')

	test('that is dragged past the edge scrolls the table', async () => {
		const { page } = window
		await (await table.cell(0, 'id')).hover()
		await page.mouse.down()
		const grid = await table.grid.boundingBox()
		await page.mouse.move((grid?.x ?? 0) + 120, (grid?.y ?? 0) + (grid?.height ?? 0) + 60, { steps: 3 })
		await expect
			.poll(
				async () =>
					Number(
						(
							await status()
								.getByText(/cells$/)
								.innerText()
						).replace(/\D/g, ''),
					),
				{ timeout: 20_000 },
			)
			.toBe(200)
		await page.mouse.up()
	})
})
