import { join } from 'node:path'
import { stderrLog } from '../base/log.ts'
import { openSupportDirectory } from '../base/support-directory.ts'
import { findElectron, runElectron } from '../desktop/electron.ts'
import { openAddress } from '../desktop/open-address.ts'
import { openWindow } from '../desktop/open-window.ts'
import { startHost } from '../host.ts'
import { connectToHost } from '../ui-server/client.ts'
import { type CommandContext, defaultRegistry } from './context.ts'
import { untilStopped } from './until-stopped.ts'

/**
 * Opens the window: in Electron where its binary is here, else in an installed browser's app mode, else by printing
 * the address. It shows the running host, or runs one until the window is closed or the command is stopped.
 */
export async function open(context: CommandContext): Promise<void> {
	const registry = await defaultRegistry(context)
	const electron = await findElectron()
	if (electron) {
		const main = join(context.launch.checkout, 'dist', 'host', 'electron.js')
		await runElectron(electron, main, [
			`--registry=${registry.url}`,
			`--registry-key=${registry.fingerprint}`,
			`--launcher=${context.launch.launcher}`,
		])
		return
	}
	const stopped = untilStopped()
	const support = await openSupportDirectory()
	const log = stderrLog()
	await using running = await connectToHost(support)
	const host = running
		? undefined
		: await startHost({ support, registry, launcher: context.launch.launcher, openAddress, log })
	try {
		const url = running?.entryUrl ?? host?.uiUrl ?? ''
		const window = await openWindow(url, { support, log })
		if (!window) {
			process.stdout.write(`Open Roundhouse in a browser on this machine:\n\n  ${url}\n\nPress Ctrl-C to stop.\n`)
			await stopped
			return
		}
		process.stdout.write('Roundhouse is open. Close its window or press Ctrl-C to stop.\n')
		await Promise.race([stopped, window.closed])
		await window.close()
	} finally {
		await host?.stop()
	}
}
