import type { Socket } from 'node:net'
import { type Duplex, duplexPair, pipeline } from 'node:stream'
import { directContext } from '@roundhouse/kit/testing'
import { startSample } from '../../plugins/search-engine/sample/main.ts'

/** The sample cluster in the process of the test. While it is paused, it sends no answers. */
export interface PausableSample {
	readonly url: string
	pause(): void
	resume(): void
	close(): Promise<void>
}

export async function startPausableSample(): Promise<PausableSample> {
	/** Connections, each with the end from which the answers of the sample come. */
	const connections = new Map<Socket, Duplex>()
	let isPaused = false
	const { listen } = directContext()
	const { url, close } = await startSample({
		listen: (onConnection, options) =>
			listen(socket => {
				const [ours, samples] = duplexPair()
				connections.set(socket, ours)
				socket.once('close', () => connections.delete(socket))
				pipeline(socket, ours, () => samples.destroy())
				if (!isPaused) ours.pipe(socket)
				// An HTTP server accepts any duplex stream.
				onConnection(samples as Socket)
			}, options),
	})
	return {
		url,
		close,
		pause: () => {
			isPaused = true
			for (const [socket, ours] of connections) ours.unpipe(socket)
		},
		resume: () => {
			isPaused = false
			for (const [socket, ours] of connections) ours.pipe(socket)
		},
	}
}
