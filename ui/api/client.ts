import type { ApiError, ApiMessage, HostEvents, HostMethod, ParamsOf, Progress, ResultOf } from '../../host/api/api.ts'
import { WrongAnswer } from './driver-answers.ts'
import { PendingCalls } from './pending-calls.ts'
import { returnToHost, type WayBack } from './return.ts'

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
	/** Subscribes to losing and regaining the host. */
	onLost(listener: () => void): void
	onBack(listener: () => void): () => void
	/** Subscribes to the host's return at another address, to which the window should move. */
	onMoved(listener: () => void): void
}

/** Subscribes to a change of host, after which data must be read again. */
const changes = ['connections.changed', 'drivers.changed', 'consent.changed', 'pairing.changed'] as const

export function connectHost(url: URL): HostConnection {
	let socket: WebSocket
	let opened: Promise<void>
	let wayBack: WayBack | undefined
	const pending = new PendingCalls()
	const listeners = new Map<string, Set<(data: never) => void>>()
	const lost = new Set<() => void>()
	const back = new Set<() => void>()
	const moved = new Set<() => void>()
	const gone = new HostCallError({ code: 'window/host_gone', message: 'Roundhouse stopped. Start it again.' })

	function open(at: URL): void {
		const { promise, resolve: admit, reject: deny } = Promise.withResolvers<void>()
		opened = promise
		// The caller handles the rejection. If there is no caller, it is ignored.
		opened.catch(() => {})
		socket = new WebSocket(at)
		socket.binaryType = 'arraybuffer'
		socket.addEventListener('open', () => admit(), { once: true })
		socket.addEventListener('message', hear)
		socket.addEventListener('close', () => {
			deny(gone)
			pending.rejectAll(gone)
			for (const listener of lost) listener()
			void comeBack()
		})
	}

	/** Waits for the host that replaces the lost one. Its first event is that any data may have changed. */
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
		// Synchronously if possible, because the caller may block this thread next.
		if (socket.readyState !== socket.OPEN) await opened
		if (socket.readyState !== socket.OPEN) throw gone
		signal?.throwIfAborted()
		const { id, answer } = pending.add(method, onProgress)
		socket.send(JSON.stringify({ id, method, params }))
		const cancel = () => socket.send(JSON.stringify({ cancel: id }))
		signal?.addEventListener('abort', cancel, { once: true })
		const ended = answer.finally(() => signal?.removeEventListener('abort', cancel))
		// The host's method table and this one are the same types.
		return ended.catch((error: unknown) => refuse(error, params as object)) as Promise<ResultOf<M>>
	}

	/** Throws the error of a call. The host says which driver gave a wrong answer. */
	async function refuse(error: unknown, params: object): Promise<never> {
		if (!(error instanceof WrongAnswer)) throw error
		const { method, message: fault } = error
		// Calls with encoded answers have a connection or a grid.
		const { connection, grid } = params as { readonly connection?: string; readonly grid: number }
		const answered = connection === undefined ? { grid } : { connection }
		const message = await call('answers.refuse', { ...answered, method, fault })
		throw new HostCallError({ code: 'driver/internal_failure', message })
	}

	open(url)
	const learn = async () => {
		wayBack = await call('app.return', {})
	}
	// Without it the user reloads the window.
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
