import { syncBuiltinESMExports } from 'node:module'

/** Node's ways to signal another process. */
const ways = ['kill', '_kill', '_debugProcess', '_debugEnd'] as const

/**
 * Takes from this process the ways to signal others, before a driver's module is loaded. Node's permission flags say
 * nothing of signals, and SIGUSR1 alone makes any Node process of this person open its inspector: to whoever can
 * connect to that, the process belongs.
 */
export function giveUpSignals(): void {
	const refuse = () => {
		throw Object.assign(new Error('A driver may not signal processes.'), { code: 'ERR_ACCESS_DENIED' })
	}
	for (const name of ways) {
		Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false })
	}
	// `import { kill } from 'node:process'` would get what was there before.
	syncBuiltinESMExports()
}
