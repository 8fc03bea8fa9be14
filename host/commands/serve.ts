import { heldBy } from '../base/host-lock.ts'
import { stderrLog } from '../base/log.ts'
import { openSupportDirectory } from '../base/support-directory.ts'
import type { OpenWindow } from '../desktop/browser.ts'
import { openAddress } from '../desktop/open-address.ts'
import { openWindow } from '../desktop/open-window.ts'
import { startHost } from '../host.ts'
import { hostOrLock } from '../ui-server/client.ts'
import { type CommandContext, defaultRegistry } from './context.ts'
import { untilStopped } from './until-stopped.ts'
import { untilUnused } from './until-unused.ts'

export interface ServeOptions {
	readonly mcpPort?: number | undefined
	readonly uiPort?: number | undefined
	/** Without it no window is served; commands reach the host all the same. */
	readonly withUi: boolean
	/** Ends by itself so many seconds after the last use, once its starter has gone; else it waits to be stopped. */
	readonly whileUsed?: number | undefined
}

/** Runs the host until it is stopped; one JSON line on stdout says when it is ready. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
	const stopped = untilStopped()
	const support = await openSupportDirectory()
	const log = stderrLog()
	const found = await hostOrLock(support)
	if ('host' in found) {
		await using _ = found.host
		throw heldBy(support)
	}
	let window: OpenWindow | undefined
	const host = await startHost({
		support,
		lock: found.lock,
		hasWindow: options.withUi,
		log,
		openAddress,
		openWindow: async url => {
			window = await openWindow(url, support)
			return window !== undefined
		},
		registry: await defaultRegistry(context),
		launcher: context.launch.launcher,
		mcpPort: options.mcpPort,
		uiPort: options.uiPort,
	})
	const ready = {
		ready: true,
		pid: process.pid,
		home: support.path,
		mcp: host.info.mcp,
		// Whoever reads the line is not let in by it: `roundhouse open` is for that.
		ui: options.withUi ? { url: host.uiOrigin } : null,
	}
	process.stdout.write(`${JSON.stringify(ready)}\n`)
	const { whileUsed } = options
	const unused = whileUsed === undefined ? [] : [untilUnused(host, process.stdin, whileUsed * 1000)]
	await Promise.race([stopped, ...unused])
	await window?.close()
	await host.stop()
}
