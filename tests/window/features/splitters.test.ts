import type { Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { SampleWindow } from '../../support/window.ts'

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

	test('a second pane shows another tab beside the first, takes tabs by key and by dragging, and is kept', async () => {
		const { page } = window
		const books = page.getByRole('grid', { name: 'books' })
		const places = page.getByRole('grid', { name: 'places' })
		const tab = (name: string) => page.getByRole('tab', { name, exact: true })
		const right = page.getByRole('tablist', { name: 'Open tables on the right' })
		await page.setViewportSize({ width: 1280, height: 820 })
		await tab('books').click()
		await window.openTable('places')
		await page.keyboard.press('ControlOrMeta+\\')
		await right.waitFor()
		await tab('books').click()
		await Promise.all([books.waitFor(), places.waitFor()])
		const [one, other] = [await books.boundingBox(), await places.boundingBox()]
		expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThan(other?.x ?? 0)
		const pane = page.getByRole('tabpanel', { name: 'books' })
		const before = await widthOf(pane)
		await drag(line('Width of the left pane'), 60)
		expect((await widthOf(pane)) - before).toBeGreaterThan(40)

		// Keys are for the pane with the focus; a click changes it.
		await books.getByRole('gridcell').first().click()
		await page.keyboard.press('ArrowDown')
		await page.getByRole('tabpanel', { name: 'books' }).getByRole('button', { name: 'Row 2', exact: true }).waitFor()
		await expect.poll(() => books.evaluate(element => element.matches(':focus'))).toBe(true)

		const kept = () => window.roundhouse.withHost(host => host.call('workspace.read', {}))
		await expect.poll(async () => JSON.stringify((await kept()).panes ?? null)).toContain('places')
		await page.reload()
		await right.waitFor()
		await Promise.all([books.waitFor(), places.waitFor()])

		await tab('Console').dragTo(places)
		await expect.poll(() => tab('Console').evaluate(one => one.closest('.pane-right') !== null)).toBe(true)
		await page.getByRole('tabpanel', { name: 'Console' }).waitFor()
		await page.keyboard.press('ControlOrMeta+k')
		await page.keyboard.press('m')
		await expect.poll(() => tab('Console').evaluate(one => one.closest('.pane-right') !== null)).toBe(false)
		await page.getByRole('button', { name: 'Close places' }).click()
		await right.waitFor({ state: 'detached' })
		expect(window.faults).toEqual([])
	})
})
