import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/**
 * Verifies that Find marks matches in a document or an editor, and that the focus returns to the previous element after
 * Find closes.
 */
describe('find', () => {
	let window: SampleWindow
	let books: TablePanel

	beforeAll(async () => {
		window = await SampleWindow.open()
		const lines = Array.from({ length: 400 }, (_, line) => `line ${line}${line % 100 === 50 ? ' Needle' : ''}`)
		await window.cluster('/books/_doc/long?refresh=true', {
			method: 'PUT',
			body: { title: 'Needle one, needle two', summary: lines.join('\n') },
		})
		books = await window.openTable('books')
		await books.search('_id:long', '1 document')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const press = async (...keys: readonly string[]) => {
		for (const key of keys) await window.page.keyboard.press(key)
	}
	const bar = () => window.page.getByRole('search', { name: /^Find in/ })
	const says = (text: string) => bar().getByRole('status').filter({ hasText: text }).waitFor()
	const isGone = () => bar().waitFor({ state: 'detached' })

	describe('in the document beside the grid', () => {
		const panel = () => window.page.getByRole('complementary', { name: 'Document' })
		const text = () => panel().getByRole('textbox', { name: 'Document as JSON' })
		const hasFocus = () => text().evaluate(element => element.matches(':focus'))
		/** Returns the texts of the marked matches that are currently rendered. */
		const marked = () => panel().locator('.cm-found, .cm-found-current').allInnerTexts()
		/** Returns whether the current match is inside the visible area. */
		const isInView = () =>
			panel()
				.locator('.cm-found-current')
				.evaluate(mark => {
					const [box, around] = [mark, mark.closest('.cm-scroller')].map(part => part?.getBoundingClientRect())
					return box !== undefined && around !== undefined && box.top >= around.top && box.bottom <= around.bottom
				})

		beforeAll(async () => {
			await (await books.cell(0, '_id')).click()
			await press('Space')
			await text().focus()
		})

		test('the editor keeps the focus when a late answer replaces its document', async () => {
			const { count } = await window.cluster<{ count: number }>('/books/_count')
			await books.search('', `${count.toLocaleString('en-US')} documents`)
			await (await books.cell(0, '_id')).click()
			await expect.poll(() => text().innerText()).not.toContain('Needle')
			await books.search('_id:long', '1 document')
			await window.pauseCluster(async () => {
				await (await books.cell(0, '_id')).click()
				await text().focus()
			})
			await expect.poll(() => text().innerText()).toContain('Needle')
			expect(await hasFocus()).toBe(true)
		})

		test('Ctrl+F counts and marks matches regardless of case, and Enter and F3 go to the next match', async () => {
			await press('ControlOrMeta+f')
			await bar().getByRole('textbox', { name: 'Find in the document' }).waitFor()
			await window.page.keyboard.type('needle')
			await says('1 of 6')
			await expect.poll(marked).toContain('Needle')
			expect(await panel().locator('.cm-found-current').innerText()).toBe('Needle')
			await press('Enter', 'F3')
			await says('3 of 6')
			await expect.poll(isInView).toBe(true)
			await press('Shift+Enter')
			await says('2 of 6')
			await press('Shift+F3', 'Shift+F3')
			await says('6 of 6')
			await expect.poll(isInView).toBe(true)
			await bar().getByRole('button', { name: 'Next match' }).click()
			await says('1 of 6')
		})

		test('shows a message and marks nothing if there is no match', async () => {
			await bar().getByRole('textbox').fill('needle (')
			await says('Nothing found')
			expect(await marked()).toEqual([])
			expect(await bar().getByRole('button', { name: 'Next match' }).isDisabled()).toBe(true)
		})

		test('Escape removes the find bar and the marks, and returns the focus to the previous element', async () => {
			await bar().getByRole('textbox').fill('two')
			await says('1 of 1')
			await press('Escape')
			await isGone()
			expect(await marked()).toEqual([])
			expect(await hasFocus()).toBe(true)
		})

		test('the command palette opens Find in the document from any focused element', async () => {
			await books.grid.focus()
			await press('ControlOrMeta+Shift+p')
			await window.page.keyboard.type('Find in the doc')
			await window.page.getByRole('option', { name: 'Find in the document Ctrl+F', selected: true }).waitFor()
			await press('Enter')
			await expect.poll(() => bar().locator('input:focus').count()).toBe(1)
			await window.page.keyboard.type('title')
			await says('1 of 1')
			await press('Escape')
			await isGone()
			await expect.poll(() => books.grid.evaluate(grid => grid.matches(':focus'))).toBe(true)
			// If the focus is in the grid, Ctrl+F finds in its rows.
			await press('ControlOrMeta+f')
			await window.page.getByRole('search', { name: 'Find in the loaded documents' }).waitFor()
			await press('Escape')
		})
	})

	describe('in an editor', () => {
		const sheet = () => window.page.getByRole('dialog')
		const editor = () => sheet().getByRole('textbox', { name: 'Value of summary' })
		/**
		 * Returns the texts of the rendered marks. In a long text, the editor renders only the part near the visible area.
		 */
		const marks = () => sheet().locator('.cm-found, .cm-found-current').allInnerTexts()

		test('Ctrl+F counts, marks and steps through matches in an editor, and places the cursor at the match', async () => {
			await books.scrollTo('summary')
			await (await books.cell(0, 'summary')).click()
			await press('Alt+Enter')
			await expect.poll(() => sheet().locator('.cm-content:focus').count()).toBe(1)
			await press('ControlOrMeta+f')
			await window.page.keyboard.type('needle')
			await says('1 of 4')
			await press('Enter', 'F3')
			await says('3 of 4')
			await expect.poll(marks).toEqual(['Needle'])
			await sheet().getByText('line 250 Needle').waitFor()
			expect(await sheet().locator('.cm-found-current').innerText()).toBe('Needle')
			await press('Shift+F3')
			await says('2 of 4')
		})

		test('Escape closes only the find bar, typed text goes to the editor, and F3 continues after the bar is opened again', async () => {
			await press('Escape')
			await isGone()
			expect(await marks()).toEqual([])
			expect(await editor().evaluate(element => element.matches(':focus'))).toBe(true)
			await window.page.keyboard.type('A needle here, ')
			await press('ControlOrMeta+f')
			await expect.poll(() => bar().getByRole('textbox').inputValue()).toBe('needle')
			await says('3 of 5')
			await editor().focus()
			await press('F3')
			await says('4 of 5')
			await window.page.keyboard.type('needle ')
			await says('of 6')
			await press('Escape')
			await sheet().getByRole('button', { name: 'Discard' }).click()
			await sheet().waitFor({ state: 'detached' })
		})

		test('the palette also opens Find in a console', async () => {
			await press('ControlOrMeta+t')
			const console = window.page.getByRole('tabpanel', { name: 'Console' })
			await console.waitFor()
			await window.page.keyboard.insertText('GET /books/_search\n\nGET /books/_count\n')
			await press('ControlOrMeta+f')
			await window.page.keyboard.type('books')
			await says('1 of 2')
			await press('Escape')
			await isGone()
			await press('ControlOrMeta+Shift+p')
			await window.page.keyboard.type('Find in the con')
			await window.page.getByRole('option', { name: 'Find in the console Ctrl+F', selected: true }).waitFor()
			await press('Enter')
			await expect.poll(() => bar().locator('input:focus').count()).toBe(1)
			expect(window.faults).toEqual([])
		})
	})
})
