import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { openSupportDirectory } from '../base/support-directory.ts'
import { hostVersion } from '../base/version.ts'
import { runBridge } from '../mcp/bridge/index.ts'
import { watchClient } from './client-gone.ts'
import type { Launch } from './context.ts'

/** How long a host that nobody asked for stays when nobody uses it any more: other bridges may come back to it. */
const idleSeconds = 300

/** The stdio bridge: carries a client's lines to the host's endpoint, starting a host where none runs. */
export async function mcp(launch: Launch, keepHostSeconds = idleSeconds): Promise<void> {
	const support = await openSupportDirectory()
	await runBridge({
		version: hostVersion,
		supportPath: support.path,
		clientGone: watchClient(process.stdin),
		startHost: () => {
			const serve = ['serve', '--while-used', String(keepHostSeconds)]
			const host = spawn(process.execPath, [...process.execArgv, launch.launcher, ...serve], {
				detached: true,
				// The host sees its end of the pipe close when this process ends, whatever ended it.
				stdio: ['pipe', 'ignore', 'ignore'],
			})
			host.on('error', () => {})
			host.stdin.on('error', () => {})
			host.unref()
			// A pipe keeps a process running that waits for nothing else.
			if (host.stdin instanceof Socket) host.stdin.unref()
		},
	})
}
