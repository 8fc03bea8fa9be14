import { connect } from 'node:net'

/** A program on this machine accepts at once, or there is none. */
const waitMs = 300

/** Returns whether a program listens on a port of this machine. Nothing is sent to it. */
export function isListening(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect({ host: '127.0.0.1', port })
		const end = (isOpen: boolean) => {
			socket.destroy()
			resolve(isOpen)
		}
		socket.setTimeout(waitMs, () => end(false))
		socket.once('connect', () => end(true)).once('error', () => end(false))
	})
}
