import { ensureBuilt } from '../../scripts/build.ts'
import { findTestBrowser } from '../../scripts/test-browser.ts'

/**
 * Tests run the shipped artifacts: the built host, window and registry. The browser is unpacked before workers need it.
 */
export default async function build(): Promise<void> {
	await ensureBuilt()
	await findTestBrowser()
}
