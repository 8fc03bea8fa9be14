import { DriverError, type Progress } from '@roundhouse/kit'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import {
	type DriverMethod,
	driverMethods,
	type ParamsOf,
	permittedBy,
	type ResultOf,
} from '@roundhouse/kit/wire/methods'

export interface CallOptions {
	readonly signal?: AbortSignal | undefined
	readonly onProgress?: ((progress: Progress) => void) | undefined
	/** An AI client's call: what is expensive is refused over a table of so many rows. */
	readonly costLimitRows?: number | undefined
}

/** How long a driver may take to let go of a call that was cancelled. */
const lettingGoMs = 3_000

interface Pending {
	readonly method: DriverMethod
	/** Nobody listens any more once the caller was answered in the driver's place. */
	onProgress: ((progress: Progress) => void) | undefined
	resolve(value: unknown): void
	reject(error: DriverError): void
}

/** What a driver process says of a call. */
type CallMessage = Extract<DriverMessage, { readonly kind: 'progress' | 'result' | 'bytes' | 'error' }>

/** The calls that a driver process has in hand, by number. */
export class DriverCalls {
	readonly #send: (message: HostMessage) => void
	readonly #pending = new Map<number, Pending>()
	#last = 0

	constructor(send: (message: HostMessage) => void) {
		this.#send = send
	}

	/**
	 * Makes one call. An aborted one is cancelled in the driver and settles when the driver has let go of it, or soon
	 * after. @throws DriverError with the driver's own code; `user_cancelled`; `timeout`
	 */
	call<M extends DriverMethod>(method: M, params: ParamsOf<M>, options: CallOptions): Promise<ResultOf<M>> {
		const { signal, onProgress, costLimitRows } = options
		if (signal?.aborted) return Promise.reject(new DriverError('user_cancelled', 'The call was cancelled.'))
		const id = ++this.#last
		const { promise, resolve, reject } = Promise.withResolvers<unknown>()
		const pending: Pending = { method, onProgress, resolve, reject }
		this.#pending.set(id, pending)
		const timers: NodeJS.Timeout[] = []
		/** The number stays known, so that a late answer is no fault of the driver's. */
		const giveUpIn = (ms: number, code: 'user_cancelled' | 'timeout', message: string) =>
			timers.push(
				setTimeout(() => {
					pending.onProgress = undefined
					if (code === 'timeout') this.#send({ kind: 'cancel', id })
					reject(new DriverError(code, message))
				}, ms),
			)
		const cancel = () => {
			this.#send({ kind: 'cancel', id })
			giveUpIn(
				lettingGoMs,
				'user_cancelled',
				'The call was cancelled, but the driver has not let go of it: what it was doing may still happen.',
			)
		}
		const { limitMs } = driverMethods[method]
		if (limitMs !== undefined) {
			giveUpIn(limitMs, 'timeout', `The driver did not answer "${method}" within ${limitMs / 1000} seconds.`)
		}
		signal?.addEventListener('abort', cancel, { once: true })
		const limits = { permitted: permittedBy(method, params), ...(costLimitRows !== undefined && { costLimitRows }) }
		this.#send({ kind: 'call', id, method, params, ...limits })
		const settled = promise.finally(() => {
			signal?.removeEventListener('abort', cancel)
			for (const timer of timers) clearTimeout(timer)
		})
		// The schema of the method has checked the value.
		return settled as Promise<ResultOf<M>>
	}

	/** Takes what the driver says of a call. @returns what is wrong with it, as {@link ChannelEvents} has it */
	receive(message: CallMessage, attached: Uint8Array): string | undefined {
		if (message.kind === 'progress') {
			this.#pending.get(message.id)?.onProgress?.(message.progress)
			return undefined
		}
		const pending = this.#pending.get(message.id)
		if (!pending) return 'it answered a call that nobody made'
		this.#pending.delete(message.id)
		if (message.kind === 'error') {
			pending.reject(new DriverError(message.code, message.message))
			return undefined
		}
		const checked = driverMethods[pending.method].result.safeParse(message.kind === 'bytes' ? attached : message.value)
		if (checked.success) {
			pending.resolve(checked.data)
			return undefined
		}
		const { method } = pending
		pending.reject(new DriverError('internal_failure', `The driver answered "${method}" with something else.`))
		return 'it broke the protocol'
	}

	rejectAll(error: DriverError): void {
		for (const pending of this.#pending.values()) pending.reject(error)
		this.#pending.clear()
	}
}
