import { supportPath } from '../../base/support-path.ts'
import { hostVersion } from '../../base/version.ts'
import { runBridge } from '../mcp/bridge/index.ts'
import { watchClient } from './client-gone.ts'

/** The bridge in a bundle for AI clients: without a host beside it that it could start. */
await runBridge({
	version: hostVersion,
	supportPath: supportPath(),
	clientGone: watchClient(process.stdin),
	// The client starts it at its own start, and the user may start Roundhouse later.
	staysWithoutHost: true,
	startHost: () => {
		throw new Error('it is not running on this machine. Start it (its README says how to get it), then try again.')
	},
})
