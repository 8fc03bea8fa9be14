import { type Browser, chromium, type Page } from 'playwright'
import { browserArguments, findTestBrowser } from '../../scripts/test-browser.ts'
import type { Roundhouse } from './roundhouse.ts'

/** A real Chromium without network. */
export async function openBrowser(): Promise<Browser> {
	const executablePath = await findTestBrowser()
	if (!executablePath) throw new Error('No Chromium-family browser is installed (Debian: apt-get install chromium).')
	return chromium.launch({ executablePath, args: browserArguments })
}

/** The pages that are open in this worker. */
export const openPages = new Set<Page>()

/** Errors of pages since the end of the last test file. Unhandled rejections count too (tests/setup/failures.ts). */
export const thrown: string[] = []

/**
 * Opens a page. The test fails if the window throws or violates its content security policy. `prepare` gets the page
 * before anything is loaded.
 */
export async function openPage(
	browser: Browser,
	roundhouse: Pick<Roundhouse, 'enter'>,
	faults: string[],
	prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 820 } })
	// As for `testTimeout` in vitest.config.ts.
	context.setDefaultTimeout(60_000)
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
	// The entry page redirects to the window.
	await page.getByRole('navigation', { name: 'Connections' }).waitFor()
	return page
}
