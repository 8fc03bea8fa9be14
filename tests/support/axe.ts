import { type AxeResults, type RunOptions, source } from 'axe-core'
import type { Page } from 'playwright'

/** Accessibility of a screen by axe-core. */

/** The rules of WCAG 2.1, levels A and AA, without axe's own best-practice rules. */
const standard: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] }
/** In the dark theme only contrast is checked, because roles and names are the same in both themes. */
const colours: RunOptions = { runOnly: ['color-contrast'], resultTypes: ['violations'] }

/** Prepares a page for {@link violationsOn}. */
export async function prepareForAxe(page: Page): Promise<void> {
	// Animations are disabled, because elements do not have their final colours during a fade.
	await page.emulateMedia({ reducedMotion: 'reduce' })
	// axe is evaluated through the debugger, because the content security policy of the window blocks injected scripts.
	await page.evaluate(source)
}

/**
 * Returns the violations that axe finds on a screen, one line per element, for both themes. `picture` is called while each
 * theme is shown.
 */
export async function violationsOn(page: Page, picture = async (_theme: 'light' | 'dark') => {}) {
	const find = async (options: RunOptions) => {
		const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
		return violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary})`),
		)
	}
	await page.emulateMedia({ colorScheme: 'light' })
	const inLight = await find(standard)
	await picture('light')
	await page.emulateMedia({ colorScheme: 'dark' })
	const inDark = await find(colours)
	await picture('dark')
	return { inLight, inDark }
}
