import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A fault between the driver and the cluster, from the moment the proxy is armed. For tests. */
export interface Fault {
	/** Number of bytes forwarded to the cluster and back on each connection before it breaks. */
	readonly requestBytes?: number
	readonly answerBytes?: number
	/** `end` closes the connection in order, `reset` does not, `silence` keeps it open and sends nothing more. */
	readonly how?: 'end' | 'reset' | 'silence'
	/**
	 * Returns raw text to send instead of each answer. With `isForwarded: false` the cluster never receives the request.
	 */
	readonly answer?: (real: string) => string
	readonly isForwarded?: boolean
	readonly endsAfterAnswer?: boolean
	/** Delay before each piece, and size of the pieces. */
	readonly delayMs?: number
	readonly pieceBytes?: number
}

/** Starts a proxy that forwards everything until it is armed, so that a test can connect and read mappings first. */
export async function chaosProxy(url: string, fault: Fault) {
	const upstream = new URL(url)
	const sockets = new Set<Socket>()
	let isArmed = false
	const server = createServer(near => {
		const far = createConnection(Number(upstream.port), upstream.hostname)
		for (const socket of [near, far]) {
			sockets.add(socket)
			// Errors are the purpose of this proxy, so they are ignored.
			socket.on('error', () => {})
			socket.on('close', () => void [near, far].map(other => other.destroy()))
		}
		const breakOff = () => {
			if (fault.how === 'silence') return
			if (fault.how === 'end') near.end()
			else near.resetAndDestroy()
		}
		pass(near, chunk => {
			if (!isArmed) return far.write(chunk)
			if (fault.isForwarded === false && fault.answer !== undefined) return answer(near, fault, '')
			return send(far, chunk, fault)
		})(() => (isArmed ? fault.requestBytes : undefined), breakOff)
		pass(far, chunk => {
			if (!isArmed) return near.write(chunk)
			if (fault.answer !== undefined) return answer(near, fault, chunk.toString('latin1'))
			return send(near, chunk, fault)
		})(() => (isArmed ? fault.answerBytes : undefined), breakOff)
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	return {
		hosts: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		arm() {
			isArmed = true
		},
		[Symbol.dispose]() {
			for (const socket of sockets) socket.destroy()
			server.close()
		},
	}
}

/** Forwards data up to a limit, then breaks the connection. */
function pass(from: Socket, hand: (chunk: Buffer) => unknown) {
	return (limit: () => number | undefined, breakOff: () => void) => {
		let passed = 0
		from.on('data', (chunk: Buffer) => {
			const most = limit()
			if (most === undefined) return void hand(chunk)
			const left = most - passed
			passed += chunk.length
			if (chunk.length < left) return void hand(chunk)
			if (left > 0) hand(chunk.subarray(0, left))
			setTimeout(breakOff, 2)
		})
	}
}

function answer(near: Socket, { answer: make, endsAfterAnswer }: Fault, real: string) {
	const text = make?.(real) ?? ''
	if (text !== '') near.write(text, 'latin1')
	if (endsAfterAnswer) near.end()
}

/** Sends data late, in small pieces, or both. */
async function send(to: Socket, chunk: Buffer, { delayMs = 0, pieceBytes = chunk.length }: Fault) {
	for (let at = 0; at < chunk.length; at += pieceBytes) {
		if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
		to.write(chunk.subarray(at, at + pieceBytes))
	}
}
