import type { Log } from '../base/log.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { findBrowser, hasDisplay, openInBrowser } from './browser.ts'

export interface WindowPlace {
	readonly support: SupportDirectory
	readonly log: Log
}

export interface OpenWindow {
	/** Settles when the person closed it. */
	readonly closed: Promise<void>
	close(): Promise<void>
}

/** Opens the address in a window of its own, or returns `undefined` where this machine has none to offer. */
export async function openWindow(url: string, place: WindowPlace): Promise<OpenWindow | undefined> {
	if (process.env.ROUNDHOUSE_WINDOW === 'none' || !hasDisplay()) return undefined
	const browser = await findBrowser()
	return browser === undefined ? undefined : openInBrowser(browser, url, place)
}
