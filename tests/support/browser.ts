import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, expect } from 'vitest'
import { findBrowser } from '../../host/desktop/browser.ts'
import type { Roundhouse } from './roundhouse.ts'

/** A real Chromium without a network of its own. */
export async function openBrowser(): Promise<Browser> {
	const executablePath = await findBrowser()
	if (!executablePath) throw new Error('No Chromium-family browser is installed (Debian: apt-get install chromium).')
	return chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	})
}

/** Those of this test file. */
export const openPages = new Set<Page>()

/** What any page of this test file threw; a rejection that nobody handled is thrown too. */
const thrown: string[] = []
// A benchmark opens pages too, and has no test that could fail.
if (process.env.VITEST !== undefined) {
	afterAll(() => {
		expect(thrown).toEqual([])
	})
}

/**
 * A page that fails the test when the window throws or breaks its content security policy; `prepare` sees it before
 * anything is loaded.
 */
export async function openPage(
	browser: Browser,
	roundhouse: Pick<Roundhouse, 'enter'>,
	faults: string[],
	prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 820 } })
	const page = await context.newPage()
	openPages.add(page)
	page.once('close', () => openPages.delete(page))
	page.on('pageerror', error => {
		thrown.push(error.message)
		faults.push(error.message)
	})
	page.on('console', message => {
		if (message.type() === 'error') faults.push(message.text())
	})
	await prepare(page)
	await page.goto((await roundhouse.enter()).url)
	// The entry page goes on to the window by itself.
	await page.getByRole('navigation', { name: 'Connections' }).waitFor()
	return page
}
