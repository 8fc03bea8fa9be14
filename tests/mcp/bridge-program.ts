import { runBridge } from '../../host/mcp/bridge/index.ts'

/** The bridge as a separate program, for clients that start one: `node bridge-program.ts <support directory>`. */
await runBridge({
	supportPath: process.argv[2] ?? '',
	version: '0.1.0',
	startHost: () => {
		throw new Error('no host is running')
	},
})
