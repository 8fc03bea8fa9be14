import { afterAll, beforeAll, expect, test } from 'vitest'
import { SampleWindow, type TablePanel } from '../../support/window.ts'

/**
 * A user types faster than the window works: the next key arrives while the window still opens or closes an element.
 */
let window: SampleWindow
let books: TablePanel
beforeAll(async () => {
	window = await SampleWindow.open()
	books = await window.openTable('books')
})
afterAll(() => window?.[Symbol.asyncDispose]())

const codes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, ArrowDown: 40, Insert: 45, Delete: 46 }
const modifiers: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Shift: 8 }

/** Sends all keys at once. Playwright's own calls wait until each key is handled. */
async function press(...strokes: readonly string[]): Promise<void> {
	const session = await window.page.context().newCDPSession(window.page)
	const events = strokes.flatMap(stroke => {
		const [key = '', ...held] = stroke.split('+').reverse()
		const mask = held.reduce((sum, name) => sum | (modifiers[name] ?? 0), 0)
		const text = key === 'Enter' ? '\r' : key.length === 1 && mask === 0 ? key : undefined
		const code = codes[key] ?? key.toUpperCase().charCodeAt(0)
		const named = { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, windowsVirtualKeyCode: code }
		const stated = { ...named, modifiers: mask, ...(mask === 2 && key === 'a' && { commands: ['selectAll'] }) }
		return [
			{ type: text === undefined ? ('rawKeyDown' as const) : ('keyDown' as const), ...stated, ...(text && { text }) },
			{ type: 'keyUp' as const, ...named, modifiers: mask },
		]
	})
	await Promise.all(events.map(event => session.send('Input.dispatchKeyEvent', event)))
	await session.detach()
}
const dialog = (name: string) => window.page.getByRole('dialog', { name })

test('a key directly after the key that closes a sheet reaches the grid', async () => {
	await (await books.cell(0, 'title')).click()
	await press('Insert')
	await dialog('New document').waitFor()
	await press('Escape', 'ArrowDown', 'Delete')
	await dialog('New document').waitFor({ state: 'detached' })
	await books.root.getByText('1 change not saved').waitFor()
	expect(await (await books.cell(1, 'title')).getAttribute('aria-selected')).toBe('true')
	await books.root.getByRole('button', { name: 'Discard' }).click()
	await books.nothingStaged()
})

test('text directly after the key that opens a value is typed into it', async () => {
	await (await books.cell(0, 'title')).click()
	await press('Alt+Enter', 'Control+a', 'n', 'e', 'w')
	await expect.poll(() => dialog('title').getByRole('textbox').innerText()).toBe('new')
	// The question before the text is lost takes the next keys.
	await press('Escape', 'Shift+Tab', 'Enter', 'Alt+Enter', 'Control+a', 'o')
	await expect.poll(() => dialog('title').getByRole('textbox').innerText()).toBe('o')
	await press('Escape', 'Shift+Tab', 'Enter')
	await dialog('title').waitFor({ state: 'detached' })
})

test('text directly after a command of the palette goes to the element that the command opens', async () => {
	await (await books.cell(0, 'title')).click()
	await press('Control+Shift+p')
	await dialog('Commands').waitFor()
	await window.page.keyboard.type('go to row')
	await press('Enter', '7')
	await expect.poll(() => window.page.getByLabel('Go to row').inputValue()).toBe('7')
	await press('Escape', 'ArrowDown')
	await expect.poll(async () => (await books.cell(1, 'title')).getAttribute('aria-selected')).toBe('true')
})

test('with slow frames, opening a tab does not take the focus from a later action', async () => {
	const { page } = window
	await page.evaluate(`globalThis.late = []
		globalThis.inTime = requestAnimationFrame
		globalThis.requestAnimationFrame = work => late.push(work)`)
	await press('Control+p')
	await dialog('Open').waitFor()
	await page.keyboard.type('events')
	await press('Enter')
	const events = page.getByRole('tabpanel', { name: 'events', exact: true })
	await events.getByRole('gridcell').first().waitFor()
	await events.getByRole('button', { name: 'Row 1', exact: true }).click()
	await page.evaluate(`globalThis.requestAnimationFrame = inTime
		late.forEach(work => inTime(work))`)
	await page.evaluate('new Promise(resolve => inTime(() => inTime(resolve)))')
	await page.keyboard.type('12')
	await press('Enter')
	await events.getByRole('button', { name: 'Row 12', exact: true }).waitFor()
})
