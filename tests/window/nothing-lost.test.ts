import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { SampleWindow, TablePanel } from '../support/window.ts'

/** The window restores the user's work after the end of a tab, a page, a window or the host. */
describe('nothing is lost', () => {
	let window: SampleWindow
	let browser: Browser
	beforeEach(async () => {
		window = await SampleWindow.open()
		// Only a page that Playwright opened has one.
		browser = window.page.context().browser() as Browser
	})
	afterEach(() => window?.[Symbol.asyncDispose]())

	const workspace = () => readFile(join(window.roundhouse.home, 'workspace.json'), 'utf8').catch(() => '')
	/** Returns the runs of each connection, as the host keeps them. */
	const history = async () => {
		const folder = join(window.roundhouse.home, 'history')
		const files = await readdir(folder).catch(() => [])
		return (await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))).join('')
	}
	let kept = ''
	/** Waits until the host's file contains them. */
	const isKept = (...texts: readonly string[]) =>
		expect
			.poll(async () => {
				kept = await workspace()
				return texts.filter(text => !kept.includes(text))
			})
			.toEqual([])
	const table = (page: Page, name: string) => new TablePanel(page.getByRole('tabpanel', { name, exact: true }))
	const editor = (page: Page) =>
		page.getByRole('tabpanel', { name: 'Console' }).getByRole('textbox', { name: 'Console' })

	/**
	 * Opens two tables and a console, and changes something in each.
	 * @returns the id of the changed book
	 */
	async function work(): Promise<string> {
		const { page } = window
		await window.openTable('places')
		const books = await window.openTable('books')
		const { count } = await window.cluster<{ count: number }>('/books/_count?q=author.country:DE')
		await books.search('author.country:DE', `${count} documents`)
		const id = await (await books.cell(1, '_id')).innerText()
		await books.edit(1, 'author.country', 'QQ')
		await books.grid.evaluate(grid => grid.scrollTo(0, 560))
		await page.getByRole('button', { name: 'Console', exact: true }).click()
		await editor(page).click()
		await page.keyboard.insertText('GET /books/_count')
		await page.keyboard.press('ControlOrMeta+Enter')
		await page.getByRole('article').getByText('200 OK').waitFor()
		await page.getByRole('tab', { name: /^books/ }).click()
		await isKept('author.country:DE', 'QQ', 'GET /books/_count', '560', '"tab/')
		await expect.poll(history).toContain('GET /books/_count')
		await expect.poll(async () => JSON.parse(await workspace()).frontTab).toMatch(/^table\/.*books$/)
		return id
	}

	/** `isMoved`: the changed book has moved to the end, and the selected one follows its row. */
	async function isAllThere(page: Page, isMoved = false): Promise<void> {
		const tabs = page.getByRole('tab')
		await expect.poll(() => tabs.count()).toBe(3)
		expect((await tabs.allInnerTexts()).map(text => text.trim())).toEqual(['places', 'books', 'Console'])
		expect(await page.getByRole('tab', { selected: true }).innerText()).toMatch('books')
		const books = table(page, 'books')
		await books.root.getByText('1 change not saved').waitFor()
		expect(await books.root.getByRole('searchbox', { name: 'Query' }).inputValue()).toBe('author.country:DE')
		await books.root.getByRole('gridcell').first().waitFor()
		await expect.poll(() => books.grid.evaluate(grid => grid.scrollTop)).toBe(560)
		await books.root.getByRole('button', { name: isMoved ? 'Row 2' : 'Row 3', exact: true }).waitFor()
		await books.grid.evaluate(grid => grid.scrollTo(0, 0))
		if (!isMoved) await expect.poll(async () => (await books.cell(1, 'author.country')).innerText()).toBe('QQ')
		// A tab connects only when it becomes visible.
		expect(await page.getByRole('tabpanel', { name: 'places', includeHidden: true }).count()).toBe(0)
		await page.getByRole('tab', { name: 'Console' }).click()
		expect(await editor(page).innerText()).toMatch('GET /books/_count')
		await page.getByRole('button', { name: 'History' }).click()
		await page.getByRole('dialog').getByRole('option', { name: 'GET /books/_count' }).waitFor()
		await page.keyboard.press('Escape')
		await page.getByRole('tab', { name: /^books/ }).click()
	}

	test('when the page is reloaded, which asks nothing', async () => {
		await work()
		let isAsked = false
		window.page.on('dialog', dialog => {
			isAsked = true
			void dialog.accept()
		})
		await window.page.reload()
		await isAllThere(window.page)
		expect(isAsked).toBe(false)
		expect(window.faults).toEqual([])
	})

	test('when the host and the browser are killed, and a conflict is still found', async () => {
		const id = await work()
		await window.page.close()
		await window.roundhouse.stop('SIGKILL')
		await window.cluster(`/books/_update/${id}?refresh=true`, {
			method: 'POST',
			body: { doc: { author: { country: 'DE', born: 1 } } },
		})
		await window.roundhouse.serve()
		const page = await openPage(browser, window.roundhouse, [])
		await isAllThere(page, true)
		await table(page, 'books').save()
		await table(page, 'books').root.getByText('A document was changed by another client.').waitFor()
		// The stored rows belong to the user, and no other user can read them.
		expect((await stat(join(window.roundhouse.home, 'workspace.json'))).mode & 0o077).toBe(0)
	})

	test('when a tab is closed: it reopens with its filters, and without discarded changes', async () => {
		await work()
		const { page } = window
		await page.getByRole('button', { name: 'Close books' }).click()
		await page
			.getByRole('dialog', { name: 'Close books on Sample?' })
			.getByRole('button', { name: 'Discard 1 change' })
			.click()
		await page.getByRole('tab', { name: /^books/ }).waitFor({ state: 'detached' })
		await page.keyboard.press('ControlOrMeta+Shift+t')
		const books = table(page, 'books')
		await expect.poll(() => books.grid.evaluate(grid => grid.scrollTop)).toBe(560)
		await books.grid.evaluate(grid => grid.scrollTo(0, 0))
		await expect.poll(async () => (await books.cell(0, 'author.country')).innerText()).toBe('DE')
		expect(await books.root.getByRole('searchbox', { name: 'Query' }).inputValue()).toBe('author.country:DE')
		expect(await books.root.getByText('not saved').count()).toBe(0)
	})

	test('when two windows edit the same table: each shows the changes of the other, and overwrites none', async () => {
		await work()
		const other = await openPage(browser, window.roundhouse, [])
		await isAllThere(other)
		for (const page of [window.page, other]) await page.getByRole('tab', { name: 'Console' }).click()
		await editor(window.page).click()
		await window.page.keyboard.press('ControlOrMeta+End')
		await window.page.keyboard.type(' # one')
		await expect.poll(() => editor(other).innerText()).toMatch('GET /books/_count # one')
		await editor(other).click()
		await other.keyboard.press('ControlOrMeta+End')
		await other.keyboard.type(' two')
		await expect.poll(() => editor(window.page).innerText()).toMatch('GET /books/_count # one two')
		for (const page of [window.page, other]) await page.getByRole('tab', { name: /^books/ }).click()
		await table(other, 'books').edit(2, 'author.country', 'ZZ')
		await table(window.page, 'books').root.getByText('2 changes not saved').waitFor()
	})

	test('when two windows save the same new document at once: it is inserted once', async () => {
		const books = await window.openTable('books')
		await books.root.getByRole('button', { name: 'New document' }).click()
		const dialog = window.page.getByRole('dialog')
		await dialog.getByText('By field').click()
		await dialog.getByLabel('author.name', { exact: true }).fill('Only Once')
		await dialog.getByRole('button', { name: 'Add', exact: true }).click()
		await isKept('Only Once')
		// Both windows have the same browser.
		const other = await window.page.context().newPage()
		await other.goto((await window.roundhouse.enter()).url)
		await table(other, 'books').root.getByText('1 change not saved').waitFor()
		const pages = [window.page, other]
		for (const page of pages) {
			await table(page, 'books')
				.root.getByRole('button', { name: /^Review/ })
				.click()
			await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor()
		}
		// At the same moment: a click by Playwright takes longer than a save.
		const press = (page: Page) =>
			page
				.getByRole('dialog')
				.getByRole('button', { name: 'Save' })
				.evaluate((button: { click(): void }) => button.click())
		await Promise.all(pages.map(press))
		for (const page of pages) await table(page, 'books').nothingStaged()
		const { count } = await window.cluster<{ count: number }>('/books/_count?q=author.name:"Only%20Once"')
		expect(count).toBe(1)
	})

	test('except the data of a removed connection', async () => {
		await work()
		await window.page.close()
		const [saved] = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		await window.roundhouse.run(['connection', 'remove', saved?.id ?? ''])
		await expect.poll(workspace).not.toContain('GET /books/_count')
		await expect.poll(history).toBe('')
		const page = await openPage(browser, window.roundhouse, [])
		await page.getByRole('heading', { name: 'Nothing connected yet' }).waitFor()
		expect(await page.getByRole('tab').count()).toBe(0)
	})
})
