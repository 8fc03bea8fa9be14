import { spawn } from 'node:child_process'
import { openSupportDirectory } from '../base/support-directory.ts'
import { runBridge } from '../mcp/bridge/bridge.ts'
import type { Launch } from './context.ts'

/** The stdio bridge: carries a client's lines to the host's endpoint, starting a host where none runs. */
export async function mcp(launch: Launch): Promise<void> {
	const support = await openSupportDirectory()
	await runBridge({
		supportPath: support.path,
		startHost: () => {
			const host = spawn(process.execPath, [launch.launcher, 'serve'], { detached: true, stdio: 'ignore' })
			host.unref()
		},
	})
}
