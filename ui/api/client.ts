import { decode } from '@roundhouse/kit/encoded'
import type {
	ApiError,
	ApiMessage,
	HostEvents,
	HostMethod,
	ParamsOf,
	Progress,
	ResultOf,
} from '../../host/ui-server/api.ts'
import { returnToHost, type WayBack } from './return.ts'

/** An error the host answered with; its message is for people. */
class HostCallError extends Error {
	override readonly name = 'HostCallError'
	readonly code: string

	constructor({ code, message }: ApiError) {
		super(message)
		this.code = code
	}
}

export interface CallOptions {
	readonly signal?: AbortSignal
	readonly onProgress?: (progress: Progress) => void
}

/** The window's line to the host. */
export interface HostConnection {
	call<M extends HostMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<ResultOf<M>>
	on<E extends keyof HostEvents>(event: E, listener: (data: HostEvents[E]) => void): () => void
	/** Calls back when the host is gone, and when it is there again. */
	onLost(listener: () => void): void
	onBack(listener: () => void): () => void
	/** Calls back when it is there again at another address, where the window should be too. */
	onMoved(listener: () => void): void
}

interface Waiting {
	resolve(value: unknown): void
	reject(error: Error): void
	onProgress: ((progress: Progress) => void) | undefined
}

/** What a window asks for again, for it may be otherwise with another host. */
const changes = ['connections.changed', 'drivers.changed', 'consent.changed', 'pairing.changed'] as const

/** Beside the id of a call: more pieces of its answer follow (host/ui-server/api-caller.ts). */
const moreFollows = 0x8000_0000

/** An answer that comes in several messages, as far as it is here. */
interface Pieces {
	readonly bytes: Uint8Array
	filled: number
}

/** Takes up a message of bytes. @returns the answer, once it is whole */
function piecesOf(
	data: ArrayBuffer,
	known: Map<number, Pieces>,
): { readonly id: number; readonly bytes: Uint8Array } | undefined {
	const view = new DataView(data)
	const head = view.getUint32(0, true)
	const isMore = head >= moreFollows
	const id = head % moreFollows
	const piece = new Uint8Array(data, isMore ? 8 : 4)
	const pieces = known.get(id)
	if (!pieces && !isMore) return { id, bytes: piece }
	const whole = pieces ?? { bytes: new Uint8Array(piece.length + view.getUint32(4, true)), filled: 0 }
	whole.bytes.set(piece, whole.filled)
	whole.filled += piece.length
	if (isMore) known.set(id, whole)
	else known.delete(id)
	return isMore ? undefined : { id, bytes: whole.bytes }
}

export function connectHost(url: URL): HostConnection {
	let socket: WebSocket
	let opened: Promise<void>
	let wayBack: WayBack | undefined
	const waiting = new Map<number, Waiting>()
	/** Of answers that come in several. */
	const pieces = new Map<number, Pieces>()
	const listeners = new Map<string, Set<(data: never) => void>>()
	const lost = new Set<() => void>()
	const back = new Set<() => void>()
	const moved = new Set<() => void>()
	const gone = new HostCallError({ code: 'window/host_gone', message: 'Roundhouse stopped. Start it again.' })
	let last = 0

	function open(at: URL): void {
		const { promise, resolve: admit, reject: refuse } = Promise.withResolvers<void>()
		opened = promise
		// Whoever calls is told; where nobody does, nobody has to be.
		opened.catch(() => {})
		socket = new WebSocket(at)
		socket.binaryType = 'arraybuffer'
		socket.addEventListener('open', () => admit(), { once: true })
		socket.addEventListener('message', hear)
		socket.addEventListener('close', () => {
			refuse(gone)
			for (const call of waiting.values()) call.reject(gone)
			waiting.clear()
			pieces.clear()
			for (const listener of lost) listener()
			void comeBack()
		})
	}

	/** Waits for a host that takes the place of the one that went. Its first word is that anything may have changed. */
	async function comeBack(): Promise<void> {
		if (wayBack === undefined) return
		const elsewhere = await returnToHost(wayBack)
		open(elsewhere ?? url)
		await opened.catch(() => {})
		if (socket.readyState !== socket.OPEN) return
		for (const event of changes) for (const listener of listeners.get(event) ?? []) listener(null as never)
		for (const listener of back) listener()
		if (elsewhere) for (const listener of moved) listener()
	}

	function hear({ data }: MessageEvent): void {
		if (data instanceof ArrayBuffer) {
			const whole = piecesOf(data, pieces)
			if (!whole) return
			const call = take(whole.id)
			try {
				// The driver encoded it; every number in it stays as it came.
				call?.resolve(decode(whole.bytes))
			} catch {
				call?.reject(new Error('The driver sent an answer that cannot be read.'))
			}
			return
		}
		const message: ApiMessage = JSON.parse(data)
		if ('event' in message) {
			for (const listener of listeners.get(message.event) ?? []) listener(message.data as never)
		} else if ('progress' in message) waiting.get(message.id)?.onProgress?.(message.progress)
		else if ('error' in message) take(message.id)?.reject(new HostCallError(message.error))
		else take(message.id)?.resolve(message.result)
	}

	function take(id: number): Waiting | undefined {
		const call = waiting.get(id)
		waiting.delete(id)
		return call
	}

	async function call<M extends HostMethod>(
		method: M,
		params: ParamsOf<M>,
		{ signal, onProgress }: CallOptions = {},
	): Promise<ResultOf<M>> {
		// At once where it can: what the caller does next may keep this thread for a while.
		if (socket.readyState !== socket.OPEN) await opened
		if (socket.readyState !== socket.OPEN) throw gone
		signal?.throwIfAborted()
		const id = ++last
		const { promise, resolve, reject } = Promise.withResolvers<unknown>()
		waiting.set(id, { resolve, reject, onProgress })
		socket.send(JSON.stringify({ id, method, params }))
		const cancel = () => socket.send(JSON.stringify({ cancel: id }))
		signal?.addEventListener('abort', cancel, { once: true })
		// The host's method table and this one are the same types.
		return promise.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<ResultOf<M>>
	}

	open(url)
	const learn = async () => {
		wayBack = await call('app.return', {})
	}
	// Without it the window is loaded anew by hand.
	learn().catch(() => {})

	return {
		call,
		on: (event, listener) => {
			const all = listeners.get(event) ?? new Set()
			listeners.set(event, all.add(listener as (data: never) => void))
			return () => all.delete(listener as (data: never) => void)
		},
		onLost: listener => {
			if (socket.readyState > socket.OPEN) listener()
			lost.add(listener)
		},
		onBack: listener => {
			back.add(listener)
			return () => back.delete(listener)
		},
		onMoved: listener => moved.add(listener),
	}
}
