import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../../../support/axe.ts'
import { openBrowser, openPage } from '../../../support/browser.ts'
import { someOf } from '../../../support/cases.ts'
import { Pictures } from '../../../support/pictures.ts'
import { Roundhouse } from '../../../support/roundhouse.ts'
import { aiScreens } from './ai-screens.ts'
import { consoleScreens } from './console-screens.ts'
import { gridScreens } from './grid-screens.ts'
import { type Screen, Stage } from './stage.ts'
import { windowScreens } from './window-screens.ts'

let pictures: Pictures
beforeAll(async () => {
	pictures = await Pictures.into('test-results/window')
})

/**
 * Verifies that axe finds no violation on any screen, in the light and in the dark theme. Each screen starts where the
 * one before ended, so all are shown, also if axe examines only a share of them.
 */
describe('accessibility', () => {
	const stage = new Stage()
	const { sheet, button, closeSheet } = stage
	beforeAll(() => stage.open())
	afterAll(() => stage[Symbol.asyncDispose]())

	const start: Screen = {
		name: 'start page and list of indices',
		show: () => stage.window.page.getByRole('list', { name: 'Indices' }).waitFor(),
	}
	const screens = [start, ...gridScreens(stage), ...aiScreens(stage), ...consoleScreens(stage), ...windowScreens(stage)]

	test('no animation runs if the user prefers reduced motion', async () => {
		await button('Settings').click()
		await sheet().waitFor()
		expect(await stage.window.page.evaluate<number>('document.getAnimations().length')).toBe(0)
		await closeSheet()
	})

	test('the selected segment has a different background, in the light and the dark theme', async () => {
		await button('Settings').click()
		await sheet().locator('.segmented').waitFor()
		const groundOf = (selector: string) =>
			stage.window.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
		for (const colorScheme of ['light', 'dark'] as const) {
			await stage.window.page.emulateMedia({ colorScheme })
			expect(await groundOf('.segment.active'), colorScheme).not.toBe(await groundOf('.segmented'))
		}
		await closeSheet()
	})

	const examined = new Set(someOf(screens))
	test.for(screens)('$name', async screen => {
		const { page } = stage.window
		await screen.show()
		const found = examined.has(screen) && (await violationsOn(page, theme => pictures.take(page, screen.name, theme)))
		await screen.leave?.()
		if (found) expect(found).toEqual({ inLight: [], inDark: [] })
	})
})

/** Screens of the first run: without a connection and without an installed driver. */
describe('accessibility of the first run', () => {
	let browser: Browser
	let roundhouse: Roundhouse
	let page: Page

	beforeAll(async () => {
		roundhouse = await Roundhouse.make()
		await roundhouse.serve()
		browser = await openBrowser()
		page = await openPage(browser, roundhouse, [])
		await prepareForAxe(page)
	})
	afterAll(async () => {
		await browser?.close()
		await roundhouse?.[Symbol.asyncDispose]()
	})

	const screens: readonly Screen[] = [
		{
			name: 'window without a connection',
			show: () => page.getByRole('main').getByRole('button', { name: 'New connection' }).waitFor(),
		},
		{
			name: 'choice of a driver that is not installed',
			show: async () => {
				await page.getByRole('main').getByRole('button', { name: 'New connection' }).click()
				await page.getByRole('button', { name: 'Elasticsearch' }).getByText('Not installed').waitFor()
			},
		},
		{
			name: 'offer of a download',
			show: async () => {
				await page.getByRole('button', { name: 'Elasticsearch' }).click()
				await page.getByRole('button', { name: 'Download and install' }).waitFor()
			},
		},
	]

	test.for(screens)('$name', async ({ name, show }) => {
		await show()
		expect(await violationsOn(page, theme => pictures.take(page, name, theme))).toEqual({ inLight: [], inDark: [] })
	})
})
