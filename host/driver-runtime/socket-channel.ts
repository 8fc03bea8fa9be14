import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { SocketMessage } from '@roundhouse/kit/wire/messages'
import { stopReading } from '../../base/stop-reading.ts'

/** Node's internal handle of the channel to a child. */
interface ChannelHandle {
	readStop(): void
}

interface Waiting {
	readonly given: SocketMessage
	readonly socket: Socket
	readonly done: PromiseWithResolvers<boolean>
	/** Whether Node has written it completely. */
	isSent: boolean
	isAcknowledged: boolean
}

/**
 * Passes sockets to a driver process over Node's own channel, one at a time. Node trusts the other end of that channel:
 * it parses text of any length. A descriptor of a plain file crashes the host in native code, before any listener runs.
 * So the host never reads the channel. The driver acknowledges over its pipe, whose messages are checked.
 */
export class SocketChannel {
	readonly #child: ChildProcess
	readonly #waiting: Waiting[] = []
	#passing: Waiting | undefined
	#isClosed = false

	constructor(child: ChildProcess) {
		this.#child = child
		if (child.connected) channelOf(child).readStop()
		else this.#isClosed = true
		child.once('disconnect', () => this.#close())
		// Node does not notice the end of a channel that is not read.
		child.once('exit', () => child.connected && child.disconnect())
	}

	/**
	 * Passes a paused socket and its ownership to the driver.
	 * @returns `false` if it was lost before the driver had it
	 */
	pass(given: SocketMessage, socket: Socket): Promise<boolean> {
		const done = Promise.withResolvers<boolean>()
		// A queued socket has no other listener for errors.
		socket.on('error', () => {})
		stopReading(socket)
		this.#waiting.push({ given, socket, done, isSent: false, isAcknowledged: false })
		this.#passNext()
		return done.promise
	}

	/**
	 * Receives the driver's acknowledgement. On a busy machine it may overtake Node's report that the socket was written.
	 * @returns a fault if no socket waits for one
	 */
	acknowledged(): string | undefined {
		const passing = this.#passing
		if (!passing || passing.isAcknowledged) return 'it acknowledged a socket that was not sent'
		passing.isAcknowledged = true
		this.#passed(passing)
		return undefined
	}

	/** Node frees an acknowledged socket, so it learns of the acknowledgement after it has written the socket. */
	#passed(passing: Waiting): void {
		if (passing !== this.#passing || !passing.isSent || !passing.isAcknowledged) return
		this.#child.emit('internalMessage', { cmd: 'NODE_HANDLE_ACK' }, undefined)
		passing.done.resolve(true)
		this.#passing = undefined
		this.#passNext()
	}

	#passNext(): void {
		if (this.#passing) return
		const next = this.#waiting.shift()
		if (!next) return
		const { given, socket, done } = next
		if (this.#isClosed || socket.destroyed) {
			socket.destroy()
			done.resolve(false)
			return this.#passNext()
		}
		// Bytes that were already read are sent along. Later bytes stay in the socket for the driver.
		const head: Buffer | null = socket.readableLength > 0 ? socket.read() : null
		this.#passing = next
		this.#child.send(
			{ ...given, ...(head && { head: head.toString('base64') }) },
			socket,
			{ keepOpen: false },
			error => {
				if (error) return this.#close()
				next.isSent = true
				this.#passed(next)
			},
		)
	}

	#close(): void {
		this.#isClosed = true
		// A socket that could not be sent is still open in this process.
		this.#passing?.socket.destroy()
		this.#passing?.done.resolve(false)
		this.#passing = undefined
		this.#passNext()
	}
}

function channelOf(child: ChildProcess): ChannelHandle {
	const key = Object.getOwnPropertySymbols(child).find(({ description }) => description === 'kChannelHandle')
	const channel = key && (Reflect.get(child, key) as ChannelHandle | null)
	// Fails closed: without the handle the host would read what the driver writes to the channel.
	if (typeof channel?.readStop !== 'function')
		throw new Error('The internal channel of this version of Node is not supported.')
	return channel
}
