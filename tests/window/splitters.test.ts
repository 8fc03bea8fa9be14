import type { Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../support/browser.ts'
import { SampleWindow } from '../support/window.ts'

/** Splitters between panes move by mouse and keyboard, can be reset, and keep their position. */
describe('splitters', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	const widthOf = async (pane: Locator) => Math.round((await pane.boundingBox())?.width ?? 0)
	const sidebar = () => window.page.getByRole('navigation', { name: 'Connections' })
	const line = (name: string) => window.page.getByRole('separator', { name })

	async function drag(splitter: Locator, by: number): Promise<void> {
		const { mouse } = window.page
		const box = await splitter.boundingBox()
		if (!box) throw new Error('it is not to be seen')
		await mouse.move(box.x + box.width / 2, box.y + 200)
		await mouse.down()
		await mouse.move(box.x + box.width / 2 + by, box.y + 220, { steps: 4 })
		await mouse.up()
	}

	test('the sidebar is dragged, moved by arrow keys and reset, and keeps its width in the next window', async () => {
		const splitter = line('Width of the sidebar')
		const before = await widthOf(sidebar())
		await drag(splitter, 80)
		expect(await widthOf(sidebar())).toBe(before + 80)
		expect(await splitter.getAttribute('aria-valuenow')).toBe(String(before + 80))
		await splitter.focus()
		await window.page.keyboard.press('ArrowLeft')
		expect(await widthOf(sidebar())).toBeLessThan(before + 80)
		await window.page.keyboard.press('Home')
		expect(await widthOf(sidebar())).toBe(160)
		const kept = () => window.roundhouse.withHost(host => host.call('preferences.read', {}))
		await expect.poll(async () => (await kept())['sidebar/width']).toBe(160)
		const other = await openPage(window.page.context().browser() ?? expect.unreachable(), window.roundhouse, [])
		await expect.poll(() => widthOf(other.getByRole('navigation', { name: 'Connections' }))).toBeLessThan(before)
		await other.close()
		await splitter.dblclick()
		expect(await widthOf(sidebar())).toBe(before)
	})

	test('the document beside the grid and the text beside the results can be resized', async () => {
		const { page } = window
		await page.getByRole('grid', { name: 'books' }).focus()
		await page.keyboard.press('Space')
		const panel = page.getByRole('complementary', { name: 'Document' })
		await panel.waitFor()
		const before = await widthOf(panel)
		await drag(line('Width of the document'), -60)
		expect(await widthOf(panel)).toBe(before + 60)
		await page.keyboard.press('ControlOrMeta+t')
		const text = page.getByRole('tabpanel', { name: 'Console' }).locator('.cm-editor')
		const half = await widthOf(text)
		await line('Width of the text').focus()
		await page.keyboard.press('Shift+ArrowRight')
		expect(await widthOf(text)).toBeGreaterThan(half)
		await page.keyboard.press('Enter')
		expect(await widthOf(text)).toBe(half)
	})

	test('at a width of 720 pixels, as at 200 % zoom, all elements are inside of the window', async () => {
		const { page } = window
		await page.setViewportSize({ width: 720, height: 450 })
		for (const name of ['books', 'Console']) {
			await page.getByRole('tab', { name }).click()
			const panel = await page.getByRole('tabpanel', { name }).boundingBox()
			expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(720)
			expect(panel?.width).toBeGreaterThan(300)
		}
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(720)
		expect(window.faults).toEqual([])
	})
})
