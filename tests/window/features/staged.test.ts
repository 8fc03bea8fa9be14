import type { Dialog, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/**
 * No mistake loses staged changes. Closing their tab asks, and closing the window asks until the host has stored them.
 */
describe('staged changes', () => {
	let window: SampleWindow
	let books: TablePanel

	beforeEach(async () => {
		window = await SampleWindow.open()
		books = await window.openTable('books')
		await books.edit(0, 'author.country', 'XX')
		await books.root.getByText('1 change not saved').waitFor()
	})
	afterEach(() => window?.[Symbol.asyncDispose]())

	/** Answers the questions of the browser. */
	async function answerTo(act: () => Promise<unknown>, isYes: boolean): Promise<string> {
		const asked = new Promise<Dialog>(resolve => window.page.once('dialog', resolve))
		const acting = act()
		const dialog = await asked
		await (isYes ? dialog.accept() : dialog.dismiss())
		await acting.catch(() => {})
		return dialog.type()
	}
	/** Like the user's click on the close button, because `page.close` skips the question. */
	const closeWindow = async () => (await window.page.context().newCDPSession(window.page)).send('Page.close')
	const asksNothing = async (page: Page, act: () => Promise<unknown>) => {
		let isAsked = false
		page.on('dialog', dialog => {
			isAsked = true
			void dialog.accept()
		})
		await act()
		return !isAsked
	}

	test('closing the tab asks; it keeps its changes if it stays open, and loses them if they are discarded', async () => {
		const { page } = window
		const close = page.getByRole('button', { name: 'Close books' })
		const sheet = page.getByRole('dialog', { name: 'Close books on Sample?' })
		await close.click()
		await sheet.getByText('1 change is not saved.').waitFor()
		await sheet.getByRole('button', { name: 'Keep it open' }).click()
		await books.root.getByText('1 change not saved').waitFor()
		await close.click()
		await page.keyboard.press('Escape')
		await sheet.waitFor({ state: 'detached' })
		await books.root.getByText('1 change not saved').waitFor()
		await close.click()
		await sheet.getByRole('button', { name: 'Discard 1 change' }).click()
		await books.root.waitFor({ state: 'detached' })
		expect(window.faults).toEqual([])
	})

	test('a middle click asks too, and a tab without changes closes without a question', async () => {
		const { page } = window
		await window.openTable('places')
		await page.getByRole('tab', { name: 'places' }).click({ button: 'middle' })
		await page.getByRole('tab', { name: 'places' }).waitFor({ state: 'detached' })
		await page.getByRole('tab', { name: 'books' }).click({ button: 'middle' })
		await page.getByRole('dialog', { name: 'Close books on Sample?' }).waitFor()
	})

	test('reloading and closing the window ask nothing, because the host has the staged changes', async () => {
		const { page } = window
		expect(await asksNothing(page, () => page.reload())).toBe(true)
		await books.root.getByText('1 change not saved').waitFor()
		const gone = page.waitForEvent('close')
		await closeWindow()
		await gone
	})

	test('they ask while the host does not have the staged changes', async () => {
		const { page, roundhouse } = window
		await roundhouse.stop('SIGKILL')
		await books.edit(1, 'author.country', 'YY')
		await books.root.getByText('2 changes not saved').waitFor()
		expect(await answerTo(() => page.reload({ timeout: 2000 }), false)).toBe('beforeunload')
		await books.root.getByText('2 changes not saved').waitFor()
		expect(await answerTo(closeWindow, false)).toBe('beforeunload')
		await books.root.getByText('2 changes not saved').waitFor()
	})
})
