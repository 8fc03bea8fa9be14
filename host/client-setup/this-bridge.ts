import type { Bridge } from './clients.ts'

/**
 * Returns how a client starts the bridge of this installation. Includes the support directory if it is not the default.
 */
export function bridgeOf(launcher: string): Bridge {
	const home = process.env.ROUNDHOUSE_HOME
	const args = [...process.execArgv, launcher, 'mcp']
	return { command: process.execPath, args, env: home ? { ROUNDHOUSE_HOME: home } : {} }
}
