import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SampleWindow } from '../../support/window.ts'

/** The appearance of the window follows the settings of the user. */
describe('appearance', () => {
	let window: SampleWindow
	beforeAll(async () => {
		window = await SampleWindow.open()
		await window.openTable('books')
	})
	afterAll(() => window?.[Symbol.asyncDispose]())

	test('with reduced motion nothing is animated, and with forced colours every state stays visible', async () => {
		const { page } = window
		await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
		const moving = await page.evaluate<string[]>(
			`[...document.querySelectorAll('*')].filter(e => getComputedStyle(e).transitionDuration !== '0s'
				|| getComputedStyle(e).animationName !== 'none').map(e => e.className)`,
		)
		expect(moving).toEqual([])
		const outline = await page.evaluate("getComputedStyle(document.querySelector('.tab.active')).outlineStyle")
		expect(outline).toBe('solid')
		await page.emulateMedia({ reducedMotion: null, forcedColors: null })
		expect(window.faults).toEqual([])
	})
})
