import type { Socket } from 'node:net'

/**
 * Leaves what arrives from now on to whoever takes the socket over. A pause alone goes on reading until a buffer is full,
 * also while the socket is on its way to another process, and what is read then is lost.
 * @returns what reads on, where the socket stays here
 */
export function stopReading(socket: Socket): () => void {
	socket.pause()
	const handle: { readStop(): void; readStart(): void } | null | undefined = Reflect.get(socket, '_handle')
	handle?.readStop()
	return () => {
		if (!socket.destroyed) handle?.readStart()
	}
}
