import type { Socket } from 'node:net'

/**
 * Stops reading a socket, so that unread data is left to the process that takes the socket over. `pause` alone
 * continues to read until a buffer is full, also while the socket is being transferred, and loses that data.
 * @returns a function that resumes reading, if the socket stays in this process
 */
export function stopReading(socket: Socket): () => void {
	socket.pause()
	const handle: { readStop(): void; readStart(): void } | null | undefined = Reflect.get(socket, '_handle')
	handle?.readStop()
	return () => {
		if (!socket.destroyed) handle?.readStart()
	}
}
