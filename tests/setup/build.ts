import { ensureBuilt } from '../../scripts/build.ts'
import { findTestBrowser } from '../../scripts/test-browser.ts'

/** Tests run what ships: the built host, window and registry. The browser is unpacked before workers ask for it. */
export default async function build(): Promise<void> {
	await ensureBuilt()
	await findTestBrowser()
}
