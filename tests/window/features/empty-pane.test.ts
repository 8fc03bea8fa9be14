import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../../support/axe.ts'
import { SampleWindow } from '../../support/window.ts'

/** While no tab is open, the main pane offers what is opened most: console, overview and the last tables. */
describe('the empty main pane', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
	})
	afterAll(() => window?.[Symbol.asyncDispose]())
	const steps = () => window.page.getByRole('list', { name: 'Open in Sample' }).getByRole('button')
	const tab = (name: string) => window.page.getByRole('tab', { name })

	test('offers the console, the overview and all tables by mouse, before a table was opened', async () => {
		await expect.poll(() => steps().allInnerTexts()).toHaveLength(3)
		for (const name of ['Console', 'Overview', 'Indices']) {
			await steps()
				.filter({ hasText: name === 'Indices' ? 'All indices' : name })
				.click()
			await tab(name).waitFor()
			await window.page.keyboard.press('ControlOrMeta+k')
			await window.page.keyboard.press('w')
			await tab(name).waitFor({ state: 'detached' })
		}
	})

	test('offers the last tables, the latest first, by keys and after a restart of the window', async () => {
		const { page } = window
		for (const name of ['books', 'events']) {
			await window.openTable(name)
			await page.keyboard.press('ControlOrMeta+k')
			await page.keyboard.press('w')
			await tab(name).waitFor({ state: 'detached' })
		}
		const names = () => page.locator('.next-step-name').allInnerTexts()
		await expect.poll(names).toEqual(['Console', 'Overview', 'All indices', 'events', 'books'])
		// The closed tab leaves the focus to the list.
		await page.keyboard.press('End')
		await page.keyboard.press('Enter')
		await tab('books').waitFor()
		await page.keyboard.press('ControlOrMeta+k')
		await page.keyboard.press('w')
		await page.reload()
		await page.getByRole('button', { name: 'Sample', exact: true }).click()
		await expect.poll(names).toEqual(['Console', 'Overview', 'All indices', 'books', 'events'])
		await prepareForAxe(page)
		expect(await violationsOn(page)).toEqual({ inLight: [], inDark: [] })
		expect(window.faults).toEqual([])
	})
})
