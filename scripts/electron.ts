import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { inCheckout } from './layout.ts'

/** A download that hangs must not prevent the window from opening. */
const downloadTimeoutMs = 180_000

/**
 * Downloads Electron's binary once, if possible and if a window can be shown. If that fails, the window opens in a
 * browser.
 */
export async function fetchElectron(): Promise<void> {
	const isWanted = (process.env.ROUNDHOUSE_WINDOW ?? 'electron') === 'electron' && !process.env.CI
	const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
	const folder = inCheckout('node_modules', 'electron')
	if (!isWanted || !hasDisplay || !existsSync(folder) || existsSync(`${folder}/path.txt`)) return
	process.stdout.write('Fetching Electron, once …\n')
	const { status } = spawnSync(process.execPath, [`${folder}/install.js`], {
		stdio: 'ignore',
		timeout: downloadTimeoutMs,
	})
	if (status !== 0) process.stdout.write('Electron cannot be had here; the window opens in a browser.\n')
}
