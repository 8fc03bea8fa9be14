/**
 * Settles when the user or the system asks the program to stop. Later signals are ignored: a Ctrl-C that arrives twice,
 * from the terminal and from a parent, must not interrupt the shutdown.
 */
export function untilStopped(): Promise<NodeJS.Signals> {
	return new Promise(resolve => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
	})
}
