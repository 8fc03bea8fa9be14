/**
 * Stands for another process until that ends: what asks this one to stop is passed on to it (a terminal's Ctrl-C reaches it
 * by itself as well), and this one ends as it did.
 * @param {import('node:child_process').ChildProcess} child
 * @param {(reason: string) => void} complain says why it could not be started
 */
export function standFor(child, complain) {
	/** @type {readonly NodeJS.Signals[]} */
	const ending = ['SIGINT', 'SIGTERM', 'SIGHUP']
	for (const signal of ending) process.on(signal, () => child.kill(signal))
	child.once('error', error => {
		complain(error.message)
		process.exit(1)
	})
	// The program that started this one may end without a signal; what it requested may then end with it
	// (host/commands/client-gone.ts).
	const parent = process.ppid
	const look = setInterval(() => {
		if (process.ppid === parent || !child.connected) return
		clearInterval(look)
		child.send('orphaned')
	}, 1000)
	look.unref()
	child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
