import { supportPath } from '../base/support-path.ts'
import { hostVersion } from '../base/version.ts'
import { runBridge } from '../mcp/bridge/index.ts'
import { watchClient } from './client-gone.ts'

/** The bridge as a bundle for AI clients carries it: by itself, with no host beside it that it could start. */
await runBridge({
	version: hostVersion,
	supportPath: supportPath(),
	clientGone: watchClient(process.stdin),
	// A client starts it with itself, and the person may start Roundhouse later.
	staysWithoutHost: true,
	startHost: () => {
		throw new Error('it is not running on this machine. Start it (its README says how to get it), then try again.')
	},
})
