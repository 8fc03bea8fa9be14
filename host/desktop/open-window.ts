import type { SupportDirectory } from '../../base/support-directory.ts'
import { findBrowser, hasDisplay, type OpenWindow, openInBrowser } from './browser.ts'

/** Opens the address in a window, or returns `undefined` if this machine has none. */
export async function openWindow(url: string, support: SupportDirectory): Promise<OpenWindow | undefined> {
	if (process.env.ROUNDHOUSE_WINDOW === 'none' || !hasDisplay()) return undefined
	const browser = await findBrowser()
	return browser === undefined ? undefined : openInBrowser(browser, url, support)
}
