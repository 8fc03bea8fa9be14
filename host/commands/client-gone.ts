import { setInterval } from 'node:timers/promises'

const lookMs = 500

/** What the launcher says once the program that started it has ended (host/bin/stand-for.mjs). */
const orphaned = 'orphaned'

/**
 * Aborts when the program that started us has ended, seen once its end of our input is closed: alone that says nothing,
 * for who pipes a few lines in closes it too and waits for the answers.
 */
export function watchClient(input: NodeJS.ReadableStream): AbortSignal {
	const gone = new AbortController()
	const parent = process.ppid
	let hasLauncherLost = false
	process.on('message', message => {
		if (message === orphaned) hasLauncherLost = true
	})
	process.channel?.unref()
	input.once('end', async () => {
		for await (const _ of setInterval(lookMs, undefined, { ref: false })) {
			if (!hasLauncherLost && process.ppid === parent && isRunning(parent)) continue
			gone.abort()
			return
		}
	})
	return gone.signal
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0)
		return true
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM'
	}
}
