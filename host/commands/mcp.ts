import { openSupportDirectory } from '../../base/support-directory.ts'
import { hostVersion } from '../../base/version.ts'
import { runBridge } from '../mcp/bridge/index.ts'
import { startBackgroundHost } from './background-host.ts'
import { watchClient } from './client-gone.ts'
import type { Launch } from './context.ts'

/** How long an unused host stays that a bridge started: other bridges may return to it. */
const idleSeconds = 300

/** The stdio bridge: passes a client's lines to the host's endpoint, and starts a host if none runs. */
export async function mcp(launch: Launch, keepHostSeconds = idleSeconds): Promise<void> {
	const support = await openSupportDirectory()
	await runBridge({
		version: hostVersion,
		supportPath: support.path,
		clientGone: watchClient(process.stdin),
		startHost: isRunning => startBackgroundHost(launch, support, { idleSeconds: keepHostSeconds, isRunning }),
	})
}
