import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArithmeticWindow } from '../../support/arithmetic-window.ts'
import type { TablePanel } from '../../support/window.ts'

/** Staged changes are visible in their place, and the grid explains why rows are missing. */
describe('changes in a grid', () => {
	let window: ArithmeticWindow
	let table: TablePanel

	beforeAll(async () => {
		window = await ArithmeticWindow.open()
		table = await window.openTable('small')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const dialog = () => window.page.getByRole('dialog')
	const classOf = async (row: number) =>
		(await table.root.locator(`[role=row][aria-rowindex="${row + 2}"]`).getAttribute('class'))?.split(' ') ?? []

	test('a new row is at the top until it is saved, can be edited there, and is removed by undo', async () => {
		const { page } = window
		await table.root.getByRole('button', { name: 'New row' }).click()
		await dialog().getByLabel('id', { exact: true }).fill('mine')
		await dialog().getByLabel('Row as JSON').fill('{"n": 90071992547409931, "c0": "hello"}')
		await dialog().getByRole('button', { name: 'Add', exact: true }).click()
		await expect.poll(() => classOf(0)).toContain('new')
		expect(await (await table.cell(0, 'n')).innerText()).toBe('90071992547409931')
		expect(await (await table.cell(1, 'id')).innerText()).toBe('r0')
		await table.edit(0, 'c0', 'changed')
		await expect.poll(async () => (await table.cell(0, 'c0')).innerText()).toBe('changed')
		await table.root.getByText('1 change not saved').waitFor()
		await table.root.getByRole('button', { name: 'Undo', exact: true }).click()
		await expect.poll(async () => (await table.cell(0, 'c0')).innerText()).toBe('hello')
		await table.root.getByRole('button', { name: 'Undo', exact: true }).click()
		await expect.poll(async () => (await table.cell(0, 'id')).innerText()).toBe('r0')
		await table.root.getByRole('button', { name: 'Redo', exact: true }).click()
		await table.root.getByRole('button', { name: 'Redo', exact: true }).click()
		await table.save()
		await table.root.getByText('201 rows').waitFor()
		await table.grid.focus()
		await page.keyboard.press('ControlOrMeta+End')
		await page.keyboard.press('Home')
		await expect.poll(async () => (await table.cell(200, 'c0')).innerText()).toBe('changed')
		await page.keyboard.press('ControlOrMeta+Home')
	})

	test('changed, deleted and failed rows have different styles, and a failed row has its reason as title', async () => {
		const { page } = window
		await table.edit(1, 'c0', 'refused')
		await (await table.cell(3, 'id')).click()
		await page.keyboard.press('Delete')
		await expect.poll(() => classOf(1)).toContain('changed')
		await expect.poll(() => classOf(3)).toContain('deleted')
		await table.save()
		await table.root.getByText(/^Saved 1 of 2\. Row, id r1: The word "refused" is refused\./).waitFor()
		await expect.poll(() => classOf(1)).toContain('faulty')
		const row = table.root.locator('[role=row][aria-rowindex="3"]')
		expect(await row.getAttribute('title')).toBe('The word "refused" is refused.')
		await table.root.getByRole('button', { name: 'Discard' }).click()
	})

	test('one key marks fifty rows for deletion, and the same key removes the marks', async () => {
		const { page } = window
		await (await table.cell(0, 'id')).click()
		for (let step = 0; step < 49; step++) await page.keyboard.press('Shift+ArrowDown')
		await page.keyboard.press('Delete')
		await table.root.getByText('50 changes not saved', { exact: true }).waitFor()
		await page.keyboard.press('Delete')
		await table.nothingStaged()
	})

	test('a table without rows shows a message, and offers a new row', async () => {
		await window.page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'empty' }).click()
		const empty = window.page.getByRole('tabpanel', { name: 'empty' })
		await empty.getByText('This series has no rows.').waitFor()
		await empty.getByRole('status').getByRole('button', { name: 'New row' }).click()
		await dialog().getByLabel('id', { exact: true }).waitFor()
		await window.page.keyboard.press('Escape')
		expect(window.faults).toEqual([])
	})
})

describe('slow rows', () => {
	test('show their waiting time and a cancel button; the previous rows stay, greyed, with a retry button', async () => {
		await using window = await ArithmeticWindow.open({ delayMs: 8000 })
		const { page } = window
		await page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'small' }).click()
		const root = page.getByRole('tabpanel', { name: 'small' })
		await root.getByText(/^Loading … [1-7] s$/).waitFor()
		await root.getByRole('gridcell').first().waitFor()
		// While columns are folded, a click on a moving header may not sort, so it is repeated.
		const loading = root.getByText(/^Loading … [1-7] s$/)
		const sorts = async () => {
			await root.getByRole('columnheader').filter({ hasText: 'bigint' }).first().click()
			return loading.waitFor({ timeout: 3000 }).then(
				() => true,
				() => false,
			)
		}
		await expect.poll(sorts, { timeout: 25_000 }).toBe(true)
		expect(await root.getByRole('gridcell').count()).toBeGreaterThan(0)
		await root.getByRole('status').getByRole('button', { name: 'Cancel' }).click()
		await root.getByRole('status').getByText('You cancelled the search.').waitFor()
		expect(await root.getByRole('grid').getAttribute('class')).toContain('outdated')
		await root.getByRole('button', { name: 'Try again' }).click()
		await root.getByRole('alert').waitFor({ state: 'detached' })
		await expect.poll(() => root.getByRole('grid').getAttribute('class'), { timeout: 30_000 }).not.toContain('outdated')
		expect(window.faults).toEqual([])
	})
})
