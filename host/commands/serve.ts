import { stderrLog } from '../base/log.ts'
import { openSupportDirectory } from '../base/support-directory.ts'
import { openAddress } from '../desktop/open-address.ts'
import { type OpenWindow, openWindow } from '../desktop/open-window.ts'
import { startHost } from '../host.ts'
import { type CommandContext, defaultRegistry } from './context.ts'
import { untilStopped } from './until-stopped.ts'

export interface ServeOptions {
	readonly mcpPort?: number | undefined
	readonly uiPort?: number | undefined
	/** Without the window's server. */
	readonly withUi: boolean
}

/** Runs the host until it is stopped; one JSON line on stdout says when it is ready. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
	const stopped = untilStopped()
	const support = await openSupportDirectory()
	const log = stderrLog()
	let summoned: OpenWindow | undefined
	const host = await startHost({
		support,
		log,
		openAddress,
		summonWindow: async url => {
			summoned = await openWindow(url, { support, log })
			return summoned !== undefined
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
		ui: options.withUi ? { url: host.uiUrl } : null,
	}
	process.stdout.write(`${JSON.stringify(ready)}\n`)
	await stopped
	await summoned?.close()
	await host.stop()
}
