import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../support/window.ts'

/** What is done with a selection is done with all of it, or refused with the number; never with a part in silence. */
describe('a selection larger than what is kept of the table', () => {
	let window: SampleWindow
	let events: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		events = await window.openTable('events')
		await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	/** Brings a row into view, and gives its cell with the id; rows count from 0. */
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
	const idsFrom = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, index) => `ev-${first + index + 1}`)
	const clipboard = () => window.page.evaluate<string>('navigator.clipboard.readText()')

	test('10,000 rows are copied, each of them, in their order', async () => {
		await select(2000, 11_999)
		await window.page.keyboard.press('ControlOrMeta+c')
		await events.root.getByText('Copied 10,000 rows.').waitFor()
		expect((await clipboard()).split('\n')).toEqual(idsFrom(2000, 11_999))
	})

	test('10,001 are refused with the number, and the clipboard stays as it was', async () => {
		await window.page.evaluate('navigator.clipboard.writeText("before")')
		await select(0, 10_000)
		await window.page.keyboard.press('ControlOrMeta+c')
		await events.root.getByText('10,001 rows are selected, and at most 10,000 can be copied at once.').waitFor()
		expect(await clipboard()).toBe('before')
		await window.page.keyboard.press('Delete')
		await events.root.getByText('at most 10,000 can be deleted at once').waitFor()
		expect(await events.root.getByText('not saved').count()).toBe(0)
	})

	test('7,000 rows are struck through as one step, reviewed, and gone from the cluster', async () => {
		await select(0, 6999)
		await window.page.keyboard.press('Delete')
		await events.root.getByText('7,000 changes not saved').waitFor()
		await window.page.keyboard.press('ControlOrMeta+z')
		await events.root.getByText('0 changes not saved').waitFor()
		await window.page.keyboard.press('ControlOrMeta+Shift+z')
		await events.root.getByText('7,000 changes not saved').waitFor()
		await events.save()
		await events.told('Saved 7,000 documents.')
		await window.cluster('/events/_refresh', { method: 'POST', body: {} })
		expect(await window.cluster('/events/_count')).toMatchObject({ count: 17_000 })
		await events.root.getByText('17,000 documents').waitFor()
	})

	test('a selection is exported whole, and all that is shown also beyond 10,000', async () => {
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
		expect(await download()).toBe(17_000)
	})

	test('reading the rows shows how far it is, and a cancel does nothing with any of them', async () => {
		await window.page.evaluate('navigator.clipboard.writeText("before")')
		await select(0, 9000)
		// A cluster that holds its answer keeps the rows away.
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
