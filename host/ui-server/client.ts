import { WebSocket } from 'ws'
import { readControl } from '../base/control-file.ts'
import { HostError } from '../base/errors.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import type { HostMessage, HostMethod, ParamsOf, ResultOf } from './api.ts'
import { apiErrors } from './errors.ts'

/** The host API as a command calls it: over the socket of a running host, or on parts of its own. */
export interface HostClient extends AsyncDisposable {
	call<M extends HostMethod>(
		method: M,
		params: ParamsOf<M>,
		onProgress?: (progress: { readonly done: number; readonly total?: number }) => void,
	): Promise<ResultOf<M>>
}

interface Waiting {
	resolve(value: unknown): void
	reject(error: Error): void
	onProgress?: ((progress: { readonly done: number; readonly total?: number }) => void) | undefined
}

/** Connects to the running host; `undefined` where none answers. */
export async function connectToHost(
	support: SupportDirectory,
): Promise<(HostClient & { readonly entryUrl: string }) | undefined> {
	const control = await readControl(support)
	if (!control) return undefined
	const socket = new WebSocket(`${control.origin.replace(/^http/, 'ws')}/api`, {
		headers: { authorization: `Bearer ${control.key}` },
		handshakeTimeout: 5000,
	})
	const isOpen = await new Promise<boolean>(resolve => {
		socket.once('open', () => resolve(true))
		// A host that was killed leaves its file behind.
		socket.once('error', () => resolve(false))
	})
	if (!isOpen) return undefined
	const waiting = new Map<number, Waiting>()
	let last = 0
	socket.on('message', (data: Buffer, isBinary) => {
		if (isBinary) {
			const id = data.readUInt32LE(0)
			waiting.get(id)?.resolve(JSON.parse(data.subarray(4).toString('utf8')))
			waiting.delete(id)
			return
		}
		const message: HostMessage = JSON.parse(data.toString('utf8'))
		if ('event' in message) return
		const call = waiting.get(message.id)
		if ('progress' in message) return call?.onProgress?.(message.progress)
		waiting.delete(message.id)
		if ('error' in message)
			call?.reject(new HostError(message.error.code as `${string}/${string}`, message.error.message))
		else call?.resolve(message.result)
	})
	socket.once('close', () => {
		for (const call of waiting.values()) call.reject(apiErrors.make('host_gone'))
	})
	return {
		entryUrl: `${control.origin}/enter?key=${control.key}`,
		call: (method, params, onProgress) =>
			new Promise((resolve, reject) => {
				const id = ++last
				waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress })
				socket.send(JSON.stringify({ id, method, params }))
			}),
		[Symbol.asyncDispose]: async () => socket.close(),
	}
}
