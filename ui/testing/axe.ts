import axe, { type RunOptions } from 'axe-core'
import { emulateMedia } from './media.ts'

/** The rules of WCAG 2.1, levels A and AA, without axe's own best-practice rules. */
const standard: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'], resultTypes: ['violations'] }
/** In the dark theme only contrast is checked, because roles and names are the same in both themes. */
const colours: RunOptions = { runOnly: ['color-contrast'], resultTypes: ['violations'] }

/** Returns the violations that axe finds on the page in the light and in the dark theme, one line per element. */
export async function violations(): Promise<readonly string[]> {
	return [...(await inTheme('light', standard)), ...(await inTheme('dark', colours))]
}

async function inTheme(theme: 'light' | 'dark', options: RunOptions): Promise<readonly string[]> {
	// Without animations, because elements do not have their final colours during a fade.
	await emulateMedia({ 'prefers-color-scheme': theme, 'prefers-reduced-motion': 'reduce' })
	const found = await axe.run(document, options)
	return found.violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${theme}, ${id}: ${target.join(' ')} (${failureSummary})`),
	)
}
