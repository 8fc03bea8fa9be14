import type { ApiError, ApiMessage, HostEvents, HostMethod, ParamsOf, Progress, ResultOf } from '../../host/api/api.ts'
import { InvalidResponseError } from './driver-answers.ts'
import { PendingCalls } from './pending-calls.ts'
import { type ReconnectInfo, returnToHost } from './return.ts'

/** An error that the host answered with. Its message is for users. */
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

/** The window's connection to the host. */
export interface HostConnection {
	call<M extends HostMethod>(method: M, params: ParamsOf<M>, options?: CallOptions): Promise<ResultOf<M>>
	on<E extends keyof HostEvents>(event: E, listener: (data: HostEvents[E]) => void): () => void
	/** Subscribes to the loss of the connection to the host. Returns a function that unsubscribes. */
	onLost(listener: () => void): () => void
	/** Subscribes to the reconnection. Returns a function that unsubscribes. */
	onReconnected(listener: () => void): () => void
	/** Subscribes to a reconnection to the host at a different URL. The window should then navigate to that URL. */
	onMoved(listener: () => void): void
}

/** Events that the window emits after a reconnection, so that listeners reload their data. */
const changes = ['connections.changed', 'drivers.changed', 'consent.changed', 'pairing.changed'] as const

export function connectHost(url: URL): HostConnection {
	let socket: WebSocket
	let opened: Promise<void>
	let reconnectInfo: ReconnectInfo | undefined
	const pending = new PendingCalls()
	const listeners = new Map<string, Set<(data: never) => void>>()
	const lost = new Set<() => void>()
	const back = new Set<() => void>()
	const moved = new Set<() => void>()
	const hostStoppedError = new HostCallError({
		code: 'window/host_gone',
		message: 'Roundhouse stopped. Start it again.',
	})

	function open(at: URL): void {
		const { promise, resolve, reject } = Promise.withResolvers<void>()
		opened = promise
		// The caller handles the rejection. If there is no caller, it is ignored.
		opened.catch(() => {})
		socket = new WebSocket(at)
		socket.binaryType = 'arraybuffer'
		socket.addEventListener('open', () => resolve(), { once: true })
		socket.addEventListener('message', onMessage)
		socket.addEventListener('close', () => {
			reject(hostStoppedError)
			pending.rejectAll(hostStoppedError)
			for (const listener of lost) listener()
			void reconnect()
		})
	}

	/** Waits for a restarted host and reconnects. Then emits all change events, because any data may be stale. */
	async function reconnect(): Promise<void> {
		if (reconnectInfo === undefined) return
		const newUrl = await returnToHost(reconnectInfo)
		open(newUrl ?? url)
		await opened.catch(() => {})
		if (socket.readyState !== socket.OPEN) return
		for (const event of changes) for (const listener of listeners.get(event) ?? []) listener(null as never)
		for (const listener of back) listener()
		if (newUrl) for (const listener of moved) listener()
	}

	function onMessage({ data }: MessageEvent): void {
		if (data instanceof ArrayBuffer) return pending.receive(data)
		const message: ApiMessage = JSON.parse(data)
		if ('event' in message) {
			for (const listener of listeners.get(message.event) ?? []) listener(message.data as never)
		} else if ('progress' in message) pending.progress(message.id, message.progress)
		else if ('error' in message) pending.reject(message.id, new HostCallError(message.error))
		else pending.resolve(message.id, message.result)
	}

	async function call<M extends HostMethod>(
		method: M,
		params: ParamsOf<M>,
		{ signal, onProgress }: CallOptions = {},
	): Promise<ResultOf<M>> {
		// Sends the call synchronously if the socket is open, because the caller may block the thread afterwards.
		if (socket.readyState !== socket.OPEN) await opened
		if (socket.readyState !== socket.OPEN) throw hostStoppedError
		signal?.throwIfAborted()
		const { id, answer } = pending.add(method, onProgress)
		socket.send(JSON.stringify({ id, method, params }))
		const cancel = () => socket.send(JSON.stringify({ cancel: id }))
		signal?.addEventListener('abort', cancel, { once: true })
		const ended = answer.finally(() => signal?.removeEventListener('abort', cancel))
		// The method table guarantees the type of the result.
		return ended.catch((error: unknown) => rethrow(error, params as object)) as Promise<ResultOf<M>>
	}

	/**
	 * Rethrows the error of a call. If a driver returned an invalid response, asks the host for a message that names the
	 * driver.
	 */
	async function rethrow(error: unknown, params: object): Promise<never> {
		if (!(error instanceof InvalidResponseError)) throw error
		const { method, message: fault } = error
		// Calls with encoded answers have a connection or a grid.
		const { connection, grid } = params as { readonly connection?: string; readonly grid: number }
		const answered = connection === undefined ? { grid } : { connection }
		const message = await call('answers.refuse', { ...answered, method, fault })
		throw new HostCallError({ code: 'driver/internal_failure', message })
	}

	open(url)
	const loadReconnectInfo = async () => {
		reconnectInfo = await call('app.return', {})
	}
	// If this call fails, the window cannot reconnect, and the user must reload it.
	loadReconnectInfo().catch(() => {})

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
			return () => lost.delete(listener)
		},
		onReconnected: listener => {
			back.add(listener)
			return () => back.delete(listener)
		},
		onMoved: listener => moved.add(listener),
	}
}
