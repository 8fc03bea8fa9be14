import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/**
 * An action applies to all selected rows. If the selection is too large, the window rejects the action and shows the
 * size.
 */
describe('a selection larger than the loaded rows', () => {
	let window: SampleWindow
	let events: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		events = await window.openTable('events')
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	/** Scrolls a row into view, and returns its id cell. Rows count from 0. */
	async function idCell(row: number) {
		await events.grid.evaluate((element, top) => element.scrollTo(0, top), Math.max(0, row - 3) * 28)
		const cell = events.root.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="1"]`)
		await cell.getByText(/^ev-/).waitFor()
		return cell
	}
	async function select(first: number, last: number): Promise<void> {
		await (await idCell(first)).click()
		await (await idCell(last)).click({ modifiers: ['Shift'] })
	}
	/** The newest event is first, and the events are numbered by their time. */
	const idsFrom = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, index) => `ev-${24_000 - first - index}`)
	const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')

	test('of 10,000 rows is copied completely and in order', async () => {
		await select(2000, 11_999)
		await window.page.keyboard.press('ControlOrMeta+c')
		await events.root.getByText('Copied 10,000 rows.').waitFor()
		expect((await clipboard()).split('\n')).toEqual(idsFrom(2000, 11_999))
	})

	test('of 10,001 rows is refused with the number, and the clipboard does not change', async () => {
		await window.page.evaluate('navigator.clipboard.writeText("before")')
		await select(0, 10_000)
		await window.page.keyboard.press('ControlOrMeta+c')
		await events.root.getByText('10,001 rows are selected, and at most 10,000 can be copied at once.').waitFor()
		expect(await clipboard()).toBe('before')
		await window.page.keyboard.press('Delete')
		await events.root.getByText('at most 10,000 can be deleted at once').waitFor()
		expect(await events.root.getByText('not saved').count()).toBe(0)
	})

	test('of 3,000 rows is deleted as one step, reviewed, and removed from the cluster', async () => {
		await select(0, 2999)
		await window.page.keyboard.press('Delete')
		await events.root.getByText('3,000 changes not saved').waitFor()
		await window.page.keyboard.press('ControlOrMeta+z')
		await events.root.getByText('All changes are undone').waitFor()
		await window.page.keyboard.press('ControlOrMeta+Shift+z')
		await events.root.getByText('3,000 changes not saved').waitFor()
		await events.save()
		await events.dismissMessage('Deleted 3,000 documents.')
		await window.cluster('/events/_refresh', { method: 'POST', body: {} })
		expect(await window.cluster('/events/_count')).toMatchObject({ count: 21_000 })
		await events.root.getByText('21,000 documents').waitFor()
	})

	test('is exported completely, and all rows can be exported, even more than 10,000', async () => {
		const download = async () => {
			await events.root.getByRole('button', { name: 'Export' }).click()
			const dialog = window.page.getByRole('dialog')
			await dialog.getByLabel('Documents').selectOption('selection')
			const [file] = await Promise.all([
				window.page.waitForEvent('download'),
				dialog.getByRole('button', { name: 'Export' }).click(),
			])
			const text = await readFile(await file.path(), 'utf8')
			await dialog.getByText(/Exported/).waitFor()
			await dialog.getByRole('button', { name: 'Close' }).last().click()
			return text.trim().split('\n').length
		}
		await (await idCell(0)).click()
		for (let page = 0; page < 8; page++) await window.page.keyboard.press('Shift+PageDown')
		const selected = Number(/(\d+) cells/.exec(await events.root.locator('.grid-status').innerText())?.[1])
		expect(selected).toBeGreaterThan(100)
		expect(await download()).toBe(selected)
		await events.grid.focus()
		await window.page.keyboard.press('ControlOrMeta+a')
		expect(await download()).toBe(21_000)
	})

	test('shows progress while its rows are read, and Cancel leaves the clipboard unchanged', async () => {
		await window.page.evaluate('navigator.clipboard.writeText("before")')
		await select(0, 9000)
		// The paused cluster delays the rows.
		await window.pauseCluster(async () => {
			await window.page.keyboard.press('ControlOrMeta+c')
			const bar = events.root.getByRole('status', { name: 'Reading the selected rows' })
			await bar.getByText(/of 9,001 rows/).waitFor()
			await bar.getByRole('button', { name: 'Cancel' }).click()
			await bar.waitFor({ state: 'detached' })
		})
		expect(await clipboard()).toBe('before')
		expect(window.faults).toEqual([])
	})
})
