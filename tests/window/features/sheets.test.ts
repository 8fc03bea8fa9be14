import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/** Sheets and bars for keyboard users, also in small windows. */
let window: SampleWindow
let events: TablePanel
beforeAll(async () => {
	window = await SampleWindow.open()
	events = await window.openTable('events')
})
afterAll(() => window?.[Symbol.asyncDispose]())

const press = (keys: string) => window.page.keyboard.press(keys)

test('a new document focuses its first field, and asks before Escape discards it', async () => {
	const sheet = window.page.getByRole('dialog', { name: 'New document' })
	const json = sheet.getByRole('textbox', { name: 'Document as JSON' })
	await (await events.cell(0, '_id')).click()
	await press('Insert')
	await expect
		.poll(() => sheet.getByLabel('_id').evaluate(field => field.ownerDocument.activeElement === field))
		.toBe(true)
	await sheet.getByText('As JSON').click()
	await json.fill('{"level":"half")')
	await press('Escape')
	await sheet.getByRole('button', { name: 'Keep editing' }).click()
	expect(await json.inputValue()).toBe('{"level":"half")')
	await press('Escape')
	await sheet.getByRole('button', { name: 'Discard' }).click()
	await sheet.waitFor({ state: 'detached' })
	await press('Insert')
	expect(await json.inputValue()).not.toContain('half')
	await json.fill('{"level":"whole"}')
	await sheet.getByRole('button', { name: 'Add', exact: true }).click()
	await events.root.getByText('1 change not saved').waitFor()
	await press('Insert')
	expect(await json.inputValue()).not.toContain('whole')
	await json.fill('{"level":"given up"}')
	await sheet.getByRole('button', { name: 'Cancel' }).click()
	await press('Insert')
	expect(await json.inputValue()).not.toContain('given up')
	await press('Escape')
	await events.root.getByRole('button', { name: 'Discard' }).click()
})

test('the largest integers fit the default width of their column', async () => {
	const cell = await events.cell(0, 'event_id')
	expect(await cell.innerText()).toMatch(/^\d{19}$/)
	expect(await cell.evaluate(element => element.scrollWidth <= element.clientWidth)).toBe(true)
})

test('a filter has room for its value in a small window and at double size', async () => {
	await events.root.getByRole('toolbar').getByRole('button', { name: 'Filter', exact: true }).click()
	const value = events.root.getByRole('textbox', { name: 'Value' })
	for (const width of [800, 720]) {
		await window.page.setViewportSize({ width, height: 600 })
		await expect.poll(async () => (await value.boundingBox())?.width).toBeGreaterThan(85)
	}
	await window.page.setViewportSize({ width: 1280, height: 820 })
	await events.root.getByRole('toolbar').getByRole('button', { name: 'Filter', exact: true }).click()
})

test('a failed query does not show the message for no matches', async () => {
	const query = events.root.getByRole('searchbox', { name: 'Query' })
	await query.fill('level:nowhere')
	await query.press('Enter')
	await events.root.getByText('No document fits.').waitFor()
	await query.fill('(((')
	await query.press('Enter')
	await events.root.getByText('Syntax error at character 3').waitFor()
	expect(await events.root.getByText('No document fits.').count()).toBe(0)
})

test('uncommitted text survives a click beside its editor, and leaving the page asks', async () => {
	const books = await window.openTable('books')
	const asked: string[] = []
	window.page.on('dialog', dialog => {
		asked.push(dialog.type())
		void dialog.dismiss()
	})
	const leave = () => window.page.evaluate('location.reload()')
	await (await books.cell(0, 'title')).dblclick()
	await window.page.keyboard.type('half a title')
	await leave()
	await expect.poll(() => asked).toEqual(['beforeunload'])
	await press('Escape')
	await press('Alt+Enter')
	const sheet = window.page.getByRole('dialog', { name: 'title' })
	await sheet.getByRole('textbox').click()
	await window.page.keyboard.type('half a title')
	await window.page.mouse.click(5, 400)
	await leave()
	await expect.poll(() => asked.length).toBe(2)
	expect(await sheet.getByRole('textbox').innerText()).toContain('half a title')
	await press('Escape')
	await sheet.getByRole('button', { name: 'Discard' }).click()
	await sheet.waitFor({ state: 'detached' })
	expect(await books.root.getByText('not saved').count()).toBe(0)
})
