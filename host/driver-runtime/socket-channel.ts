import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { GivenSocket } from '@roundhouse/kit/wire/messages'
import { stopReading } from '../base/stop-reading.ts'

/** All that Node itself says on the driver's end: that a socket has arrived. */
const acknowledgement = Buffer.from('{"cmd":"NODE_HANDLE_ACK"}\n')

/** Node's end of the channel to a child, which has no public name. */
interface ChannelHandle {
	onread: (this: ChannelHandle, data: ArrayBuffer | undefined) => unknown
	/** What the child sent beside its bytes. */
	pendingHandle?: { close(): void } | null
}

interface Waiting {
	readonly given: GivenSocket
	readonly socket: Socket
	readonly done: PromiseWithResolvers<boolean>
	/** Node has written it, whole: before that nobody can have it. */
	isSent: boolean
}

/**
 * Passes sockets to a driver process over Node's own channel, one at a time. Node would parse whatever the other end
 * writes there, without a limit, and trust it: a forged word of it ends the host. So nothing is parsed. The one sentence
 * that is due is recognised by its bytes, and `fault` is told of anything else.
 */
export class SocketChannel {
	readonly #child: ChildProcess
	readonly #fault: () => void
	readonly #waiting: Waiting[] = []
	#passing: Waiting | undefined
	#isClosed = false

	constructor(child: ChildProcess, fault: () => void) {
		this.#child = child
		this.#fault = fault
		if (child.connected) this.#guard(channelOf(child))
		else this.#isClosed = true
		child.once('disconnect', () => this.#close())
	}

	/** Passes a paused socket, which is the driver's from then on. @returns `false` where it was lost on the way */
	pass(given: GivenSocket, socket: Socket): Promise<boolean> {
		const done = Promise.withResolvers<boolean>()
		// Until its turn comes nobody else hears of its end.
		socket.on('error', () => {})
		stopReading(socket)
		this.#waiting.push({ given, socket, done, isSent: false })
		this.#passNext()
		return done.promise
	}

	#guard(channel: ChannelHandle): void {
		const own = channel.onread
		let seen = Buffer.alloc(0)
		const child = this.#child
		// Node frees what is acknowledged, also what it has still to write.
		const isDue = () => this.#passing?.isSent === true
		const acknowledged = () => this.#acknowledged()
		const fault = () => this.#fault()
		channel.onread = function (this: ChannelHandle, data) {
			if (this.pendingHandle) {
				this.pendingHandle.close()
				this.pendingHandle = null
				return fault()
			}
			// The end of the channel, which Node cleans up after.
			if (data === undefined) return own.call(this, data)
			seen = Buffer.concat([seen, Buffer.from(data)])
			if (!isDue() || !acknowledgement.subarray(0, seen.length).equals(seen)) return fault()
			if (seen.length < acknowledgement.length) return
			seen = Buffer.alloc(0)
			child.emit('internalMessage', { cmd: 'NODE_HANDLE_ACK' }, undefined)
			acknowledged()
		}
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
		// What was read before it stopped goes along; what arrives from then on is the taker's.
		const head: Buffer | null = socket.readableLength > 0 ? socket.read() : null
		this.#passing = next
		this.#child.send(
			{ ...given, ...(head && { head: head.toString('base64') }) },
			socket,
			{ keepOpen: false },
			error => {
				if (error) this.#close()
				else next.isSent = true
			},
		)
	}

	#acknowledged(): void {
		this.#passing?.done.resolve(true)
		this.#passing = undefined
		this.#passNext()
	}

	#close(): void {
		this.#isClosed = true
		// Where it could not be sent it is still here.
		this.#passing?.socket.destroy()
		this.#passing?.done.resolve(false)
		this.#passing = undefined
		this.#passNext()
	}
}

function channelOf(child: ChildProcess): ChannelHandle {
	const key = Object.getOwnPropertySymbols(child).find(({ description }) => description === 'kChannelHandle')
	const channel = key && (Reflect.get(child, key) as ChannelHandle | null)
	// A Node that keeps it elsewhere must not run a driver unguarded.
	if (typeof channel?.onread !== 'function')
		throw new Error('This Node has another channel than the one that is known.')
	return channel
}
