import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { decode } from '@roundhouse/kit'
import { WebSocket } from 'ws'
import { readControl } from '../../base/control-file.ts'
import { Emitter } from '../../base/emitter.ts'
import { HostError } from '../../base/errors.ts'
import type { FileLock } from '../../base/file-lock.ts'
import { lockHeldError, tryLockSupport } from '../../base/host-lock.ts'
import { connectProven } from '../../base/proven-socket.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { ApiMessage, HostMethod, ParamsOf, Progress, ResultOf } from './api.ts'
import { apiErrors } from './errors.ts'

/** Set beside the id of a call if more pieces of its answer follow (api-caller.ts). */
const moreFollows = 0x8000_0000

/** The host API for a command: through the socket of a running host, or on services of this process. */
export interface HostClient extends AsyncDisposable {
	/** Version of the running host. Absent if this process works by itself. */
	readonly version?: string
	/** Fires when the questions of a running host change. */
	readonly onQuestions?: (listener: () => void) => Disposable
	call<M extends HostMethod>(
		method: M,
		params: ParamsOf<M>,
		onProgress?: (progress: Progress) => void,
	): Promise<ResultOf<M>>
}

interface Waiting {
	resolve(value: unknown): void
	reject(error: Error): void
	onProgress?: ((progress: Progress) => void) | undefined
}

const pollMs = 50
/** How long another command may use the support directory, or a host may take to start or stop. */
const patienceMs = 5_000

/**
 * Returns the running host, or the lock on the support directory. No process is trusted as the host while the lock is
 * free: the file of a killed host leads to the program that has its port now.
 * @throws HostError `lock/held` if a process holds the lock and does not answer
 */
export async function hostOrLock(
	support: SupportDirectory,
): Promise<{ readonly host: HostClient } | { readonly lock: FileLock }> {
	for (const deadline = Date.now() + patienceMs; ; await sleep(pollMs)) {
		const lock = tryLockSupport(support)
		if (lock) return { lock }
		const host = await connectToHost(support)
		if (host) return { host }
		if (Date.now() >= deadline) throw lockHeldError(support)
	}
}

/**
 * Connects to the running host; `undefined` if none answers, or another program does.
 * @throws HostError `version/needs_newer` if a newer host runs
 */
export async function connectToHost(support: SupportDirectory): Promise<HostClient | undefined> {
	const control = await readControl(support)
	if (!control) return undefined
	const { port, key, host: version } = control
	const proven = await connectProven({ port, path: '/api', secret: key }).catch(() => undefined)
	if (!proven) return undefined
	const socket = new WebSocket(`ws://127.0.0.1:${port}/api`, {
		headers: { authorization: `Bearer ${key}` },
		handshakeTimeout: 5000,
		createConnection: () => proven,
	})
	const isOpen = await once(socket, 'open').then(
		() => true,
		() => false,
	)
	if (!isOpen) return undefined
	const waiting = new Map<number, Waiting>()
	const questions = new Emitter()
	/** For answers in several pieces. */
	const pieces = new Map<number, readonly Buffer[]>()
	let last = 0
	socket.on('message', (data: Buffer, isBinary) => {
		if (isBinary) {
			const head = data.readUInt32LE(0)
			const id = head % moreFollows
			const sofar = [...(pieces.get(id) ?? []), data.subarray(head >= moreFollows ? 8 : 4)]
			if (head >= moreFollows) {
				pieces.set(id, sofar)
				return
			}
			pieces.delete(id)
			waiting.get(id)?.resolve(decode(Buffer.concat(sofar)))
			waiting.delete(id)
			return
		}
		const message: ApiMessage = JSON.parse(data.toString('utf8'))
		if ('event' in message) {
			if (message.event === 'consent.changed') questions.fire()
			return
		}
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
		version,
		onQuestions: questions.on,
		call: (method, params, onProgress) =>
			new Promise((resolve, reject) => {
				// After its end a socket drops what it is given, without an error.
				if (socket.readyState !== WebSocket.OPEN) return reject(apiErrors.make('host_gone'))
				const id = ++last
				waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, onProgress })
				socket.send(JSON.stringify({ id, method, params }))
			}),
		[Symbol.asyncDispose]: async () => socket.close(),
	}
}
