/** Settles when the person or the system asks the program to stop. */
export function untilStopped(): Promise<NodeJS.Signals> {
	return new Promise(resolve => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
	})
}
