import type { Bridge } from './clients.ts'

/** How a client starts this installation's bridge; it names the support directory where that is not the usual one. */
export function bridgeOf(launcher: string): Bridge {
	const home = process.env.ROUNDHOUSE_HOME
	const args = [...process.execArgv, launcher, 'mcp']
	return { command: process.execPath, args, env: home ? { ROUNDHOUSE_HOME: home } : {} }
}
