import { setInterval } from 'node:timers/promises'
import { isRunning } from '../../base/is-running.ts'

const lookMs = 500

/** The launcher's message after the program that started it has ended (host/bin/stand-for.mjs). */
const orphaned = 'orphaned'

/**
 * Aborts when the program that started this one has ended. That is checked once stdin is closed. A script that pipes a
 * few lines also closes stdin and then waits for answers, so a closed stdin alone does not mean that the client is
 * gone.
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
