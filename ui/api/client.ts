import { parseJson } from '@roundhouse/kit/json'
import type {
	ApiError,
	ApiMessage,
	HostEvents,
	HostMethod,
	ParamsOf,
	Progress,
	ResultOf,
} from '../../host/ui-server/api.ts'

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
	/** Calls back when the host is gone. */
	onLost(listener: () => void): void
}

interface Waiting {
	resolve(value: unknown): void
	reject(error: Error): void
	onProgress: ((progress: Progress) => void) | undefined
}

export function connectHost(url: URL): HostConnection {
	const socket = new WebSocket(url)
	socket.binaryType = 'arraybuffer'
	const waiting = new Map<number, Waiting>()
	const listeners = new Map<string, Set<(data: never) => void>>()
	const lost = new Set<() => void>()
	const { promise: opened, resolve: admit, reject: refuse } = Promise.withResolvers<void>()
	socket.addEventListener('open', () => admit(), { once: true })
	// Whoever calls is told; where nobody does, nobody has to be.
	opened.catch(() => {})
	const gone = new HostCallError({ code: 'window/host_gone', message: 'Roundhouse stopped. Start it again.' })
	let last = 0

	socket.addEventListener('message', ({ data }) => {
		if (data instanceof ArrayBuffer) {
			const id = new DataView(data).getUint32(0, true)
			// The driver encoded it; every number in it stays as it came.
			take(id)?.resolve(parseJson(new TextDecoder().decode(new Uint8Array(data, 4))))
			return
		}
		const message: ApiMessage = JSON.parse(data)
		if ('event' in message) {
			for (const listener of listeners.get(message.event) ?? []) listener(message.data as never)
		} else if ('progress' in message) waiting.get(message.id)?.onProgress?.(message.progress)
		else if ('error' in message) take(message.id)?.reject(new HostCallError(message.error))
		else take(message.id)?.resolve(message.result)
	})
	socket.addEventListener('close', () => {
		refuse(gone)
		for (const call of waiting.values()) call.reject(gone)
		waiting.clear()
		for (const listener of lost) listener()
	})

	function take(id: number): Waiting | undefined {
		const call = waiting.get(id)
		waiting.delete(id)
		return call
	}

	return {
		call: async (method, params, { signal, onProgress } = {}) => {
			await opened
			if (socket.readyState !== socket.OPEN) throw gone
			signal?.throwIfAborted()
			const id = ++last
			const { promise, resolve, reject } = Promise.withResolvers<unknown>()
			waiting.set(id, { resolve, reject, onProgress })
			socket.send(JSON.stringify({ id, method, params }))
			const cancel = () => socket.send(JSON.stringify({ cancel: id }))
			signal?.addEventListener('abort', cancel, { once: true })
			// The host's method table and this one are the same types.
			return promise.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<ResultOf<typeof method>>
		},
		on: (event, listener) => {
			const all = listeners.get(event) ?? new Set()
			listeners.set(event, all.add(listener as (data: never) => void))
			return () => all.delete(listener as (data: never) => void)
		},
		onLost: listener => {
			if (socket.readyState > socket.OPEN) listener()
			else lost.add(listener)
		},
	}
}
