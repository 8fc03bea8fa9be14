import { spawn } from 'node:child_process'
import { openSupportDirectory } from '../base/support-directory.ts'
import { hostVersion } from '../base/version.ts'
import { runBridge } from '../mcp/bridge/index.ts'
import type { Launch } from './context.ts'

/** The stdio bridge: carries a client's lines to the host's endpoint, starting a host where none runs. */
export async function mcp(launch: Launch): Promise<void> {
	const support = await openSupportDirectory()
	await runBridge({
		version: hostVersion,
		supportPath: support.path,
		startHost: () => {
			const host = spawn(process.execPath, [...process.execArgv, launch.launcher, 'serve'], {
				detached: true,
				stdio: 'ignore',
			})
			host.unref()
		},
	})
}
