import { lockHeldError } from '../../base/host-lock.ts'
import { stderrLog } from '../../base/log.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { hostOrLock } from '../api/client.ts'
import type { OpenWindow } from '../desktop/browser.ts'
import { openAddress } from '../desktop/open-address.ts'
import { openWindow } from '../desktop/open-window.ts'
import { startHost } from '../host.ts'
import { type CommandContext, defaultRegistry } from './context.ts'
import { untilStopped } from './until-stopped.ts'
import { untilUnused } from './until-unused.ts'

export interface ServeOptions {
	readonly mcpPort?: number | undefined
	readonly uiPort?: number | undefined
	/** Without it no window is served; commands still reach the host. */
	readonly withUi: boolean
	/** Ends after so many seconds without use, once its starter is gone; without it, runs until it is stopped. */
	readonly whileUsed?: number | undefined
}

/** Runs the host until it is stopped; one JSON line on stdout reports that it is ready. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
	const stopped = untilStopped()
	const support = await openSupportDirectory()
	const log = stderrLog()
	const found = await hostOrLock(support)
	if ('host' in found) {
		await using _ = found.host
		throw lockHeldError(support)
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
		// The line does not admit its reader: use `roundhouse open`.
		ui: options.withUi ? { url: host.uiOrigin } : null,
	}
	process.stdout.write(`${JSON.stringify(ready)}\n`)
	const { whileUsed } = options
	const unused = whileUsed === undefined ? [] : [untilUnused(host, process.stdin, whileUsed * 1000)]
	await Promise.race([stopped, host.stopAsked, ...unused])
	await window?.close()
	await host.stop()
}
