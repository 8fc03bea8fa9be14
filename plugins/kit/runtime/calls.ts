import type { Call, Progress } from '../api/call.ts'
import { DriverError, type Fault, faultOf, isDriverError } from '../api/errors.ts'
import { frameLimits } from '../wire/frames.ts'
import type { DriverMessage, HostMessage } from '../wire/messages.ts'
import type { DriverMethods } from './driver-methods.ts'
import { latestOnly } from './latest-only.ts'
import { describeFailure, framesOf } from './load-driver.ts'
import { SocketFailure } from './passed-sockets.ts'
import type { Permission } from './permission.ts'
import { placeInSource } from './place-in-source.ts'

/**
 * Upper limit of progress reports of one call per second. Further reports are replaced by the latest one, because
 * progress is only for display.
 */
const progressPerSecond = 200

type CallMessage = Extract<HostMessage, { readonly kind: 'call' }>
export type Send = (message: DriverMessage, attached?: Uint8Array) => void

/** The host's calls in this process. Each is run, may be cancelled, and is answered once. */
export class Calls {
	readonly #methods: DriverMethods
	readonly #send: Send
	readonly #permission: Permission
	readonly #running = new Map<number, AbortController>()

	constructor(methods: DriverMethods, permission: Permission, send: Send) {
		this.#methods = methods
		this.#permission = permission
		this.#send = send
	}

	cancel(id: number): void {
		this.#running.get(id)?.abort()
	}

	cancelAll(): void {
		for (const abort of this.#running.values()) abort.abort()
	}

	run(message: CallMessage): Promise<void> {
		return this.#permission.during(message, () => this.#run(message))
	}

	async #run({ id, method, params }: CallMessage): Promise<void> {
		const abort = new AbortController()
		this.#running.set(id, abort)
		const report = latestOnly<Progress>(progressPerSecond, 1000, progress =>
			this.#send({ kind: 'progress', id, progress: shortened(progress) }),
		)
		const call: Call = {
			signal: abort.signal,
			progress: progress => {
				if (this.#running.has(id)) report.take(progress)
			},
		}
		try {
			const value = await this.#methods.run(method, params, call)
			report.end()
			this.#answer(id, value)
		} catch (error) {
			report.end()
			this.#send({ kind: 'error', id, ...describeError(error, method, abort.signal) })
		} finally {
			this.#running.delete(id)
		}
	}

	/**
	 * Sends the answer. Bytes are attached to the message. An answer beyond the host's limits becomes an error, because
	 * the host would end the process.
	 */
	#answer(id: number, value: unknown): void {
		if (!(value instanceof Uint8Array)) {
			// A missing value must reach the check of the host, which names the method.
			return this.#send({ kind: 'result', id, value: value ?? null })
		}
		if (value.length > frameLimits.attachedBytes) {
			const [size, most] = [value.length, frameLimits.attachedBytes].map(bytes => Math.round(bytes / 1024 / 1024))
			throw new DriverError(
				'query_failed',
				`The answer has ${size} MB, but the limit is ${most} MB. Request less data.`,
			)
		}
		this.#send({ kind: 'bytes', id }, value)
	}
}

/** Cuts a progress message to the host's limit. */
function shortened({ message, ...counted }: Progress): Progress {
	return { ...counted, ...(message !== undefined && { message: message.slice(0, 1000) }) }
}

function describeError(error: unknown, method: string, signal: AbortSignal): Fault {
	if (isDriverError(error)) return { ...faultOf(error), message: error.message.slice(0, 100_000) }
	if (error instanceof SocketFailure) {
		return { code: error.code === 'ERR_ACCESS_DENIED' ? 'denied' : 'not_connected', message: error.message }
	}
	if (signal.aborted) return { code: 'user_cancelled', message: 'The call was cancelled.' }
	// The text of an unexpected error may contain anything. It goes to the host's log, and the host tells the caller.
	const place = error instanceof Error ? `\n${framesOf(error)}` : `, in ${method}${placeOfMethod(method)}`
	process.stderr.write(`${describeFailure(error)}${place}\n`)
	return { code: 'internal_failure', message: '' }
}

/** Returns where a member of that name is defined, not called. Some methods have other names in the driver API. */
const placeOfMethod = (method: string) => placeInSource(new RegExp(`(?<![.\\w])${method}\\s*[:(]`))
