import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { labelFaults } from './labels.ts'
import { emulateMedia } from './media.ts'

/** The rules of WCAG 2.2, levels A and AA, without axe's own best-practice rules: also that targets have 24 pixels. */
const standard: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] }
/** In other themes only contrast is checked, because roles and names are the same in all themes. */
const colours: RunOptions = { runOnly: ['color-contrast'], resultTypes: ['violations'] }
/** As of the tests (vitest.config.ts), and at 200 %. */
const [usual, doubled] = [
	[1280, 820],
	[640, 410],
] as const

/**
 * Returns what is wrong on the page, one line per element: violations that axe finds in the light and in the dark theme,
 * with forced colours, and at 200 %, and labels that wrap or are truncated, also in a wide font.
 */
export async function violations(): Promise<readonly string[]> {
	await takePictures()
	const found = [
		...(await inTheme('light', { 'prefers-color-scheme': 'light' }, standard)),
		...(await inTheme('dark', { 'prefers-color-scheme': 'dark' }, colours)),
		...(await inTheme('forced colours', { 'forced-colors': 'active' }, colours)),
	]
	// DejaVu Sans, the widest font of a system, is a tenth wider than that of the tests.
	document.documentElement.style.letterSpacing = '0.05em'
	found.push(...labelFaults())
	await page.viewport(...doubled)
	// Menus follow a frame later.
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
	found.push(...labelFaults().map(fault => `200 %, ${fault}`))
	document.documentElement.style.letterSpacing = ''
	found.push(...(await inTheme('200 %', { 'prefers-color-scheme': 'light' }, standard)))
	await page.viewport(...usual)
	return found
}

/** The folder for pictures of each screen, in two widths and both themes; empty if none are asked for (vitest.config.ts). */
declare const pictureFolder: string

async function takePictures(): Promise<void> {
	if (pictureFolder === '') return
	const name = expect
		.getState()
		.currentTestName?.replace(/[^a-z0-9]+/gi, '-')
		.slice(0, 90)
	for (const [width, height] of [usual, [1440, 900]] as const) {
		await page.viewport(width, height)
		for (const theme of ['light', 'dark'] as const) {
			await emulateMedia({ 'prefers-color-scheme': theme, 'prefers-reduced-motion': 'reduce' })
			await page.screenshot({ path: `${pictureFolder}/${name}-${width}-${theme}.png` })
		}
	}
	await page.viewport(...usual)
}

async function inTheme(theme: string, preferences: Readonly<Record<string, string>>, options: RunOptions) {
	// Without animations, because elements do not have their final colours during a fade.
	await emulateMedia({ ...preferences, 'prefers-reduced-motion': 'reduce' })
	const found = await axe.run(document, options)
	return found.violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${theme}, ${id}: ${target.join(' ')} (${failureSummary})`),
	)
}
