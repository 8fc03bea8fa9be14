import { DriverError, type HiddenColumns, type Progress } from '@roundhouse/kit'
import type { DriverMessage, HostMessage } from '@roundhouse/kit/wire/messages'
import {
	type DriverMethod,
	driverMethods,
	type ParamsOf,
	permittedBy,
	type ResultOf,
} from '@roundhouse/kit/wire/methods'
import { onAbort } from '../../base/on-abort.ts'
import { describeFault } from './answer-fault.ts'
import { ReportedError } from './reported-error.ts'

export interface CallOptions {
	readonly signal?: AbortSignal | undefined
	readonly onProgress?: ((progress: Progress) => void) | undefined
	/** Set for calls of AI clients: the driver refuses an expensive operation on a table with more rows than this. */
	readonly costLimitRows?: number | undefined
	/** Set for calls of AI clients: columns whose values the driver must not show. */
	readonly hiddenColumns?: readonly HiddenColumns[] | undefined
}

/** How long a driver may take to end a call after it was cancelled. */
const cancelGraceMs = 3_000

interface Pending {
	readonly method: DriverMethod
	/** Undefined once the host has settled the call in place of the driver. */
	onProgress: ((progress: Progress) => void) | undefined
	resolve(value: unknown): void
	reject(error: DriverError): void
}

/** A message of a driver process about one call. */
type CallMessage = Extract<DriverMessage, { readonly kind: 'progress' | 'result' | 'bytes' | 'error' }>

/** Reports what is wrong with an answer to the driver's author. @returns the error for the caller */
export type WrongAnswer = (method: DriverMethod, fault: string) => DriverError

/** The calls in flight to one driver process, by number. */
export class DriverCalls {
	readonly #driver: string
	readonly #send: (message: HostMessage) => void
	readonly #wrongAnswer: WrongAnswer
	readonly #pending = new Map<number, Pending>()
	#last = 0
	/** Set when the process has ended. */
	#lost: DriverError | undefined
	/** Calls whose callers still wait. A call that timed out may stay pending. */
	#awaited = 0
	#idle = Promise.withResolvers<void>()

	/** @param driver what messages call it */
	constructor(driver: string, send: (message: HostMessage) => void, wrongAnswer: WrongAnswer) {
		this.#driver = driver
		this.#send = send
		this.#wrongAnswer = wrongAnswer
	}

	/**
	 * Makes one call. An aborted call is cancelled in the driver. It settles when the driver ends it, or after a short
	 * grace period.
	 * @throws DriverError with the driver's own code; `user_cancelled`; `timeout`; `not_connected` when the process ended
	 */
	readonly call = <M extends DriverMethod>(
		method: M,
		params: ParamsOf<M>,
		options: CallOptions = {},
	): Promise<ResultOf<M>> => {
		if (this.#lost) return Promise.reject(this.#lost)
		const { signal, onProgress, costLimitRows, hiddenColumns } = options
		if (signal?.aborted) return Promise.reject(new DriverError('user_cancelled', 'The call was cancelled.'))
		const id = ++this.#last
		const { promise, resolve, reject } = Promise.withResolvers<unknown>()
		const pending: Pending = { method, onProgress, resolve, reject }
		this.#pending.set(id, pending)
		const timers: NodeJS.Timeout[] = []
		/**
		 * Settles the call in place of the driver. The number stays pending, so that a late answer is not a protocol fault.
		 */
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
				cancelGraceMs,
				'user_cancelled',
				'The call was cancelled, but the driver has not stopped it. Its changes may still take effect.',
			)
		}
		const { limitMs } = driverMethods[method]
		giveUpIn(
			limitMs,
			'timeout',
			`The driver ${this.#driver} did not answer "${method}" within ${limitMs / 1000} seconds.`,
		)
		const listening = onAbort(signal, cancel)
		const limits = {
			permitted: permittedBy(method, params),
			...(costLimitRows !== undefined && { costLimitRows }),
			...(hiddenColumns && { hiddenColumns }),
		}
		this.#send({ kind: 'call', id, method, params, ...limits })
		this.#awaited++
		const settled = promise.finally(() => {
			if (--this.#awaited === 0) this.#idle.resolve()
			listening[Symbol.dispose]()
			for (const timer of timers) clearTimeout(timer)
		})
		// The schema of the method has checked the value.
		return settled as Promise<ResultOf<M>>
	}

	/**
	 * Receives a message about a call.
	 * @returns the protocol fault of the driver, as in {@link ChannelEvents}; else `undefined`
	 */
	receive(message: CallMessage, attached: Uint8Array): string | undefined {
		if (message.kind === 'progress') {
			this.#pending.get(message.id)?.onProgress?.(message.progress)
			return undefined
		}
		const pending = this.#pending.get(message.id)
		if (!pending) return 'it answered an unknown call'
		this.#pending.delete(message.id)
		if (message.kind === 'error') {
			const unexpected = `The driver ${this.#driver} failed unexpectedly. The log has the reason.`
			pending.reject(
				message.message === ''
					? new DriverError(message.code, unexpected, message)
					: new ReportedError(this.#driver, message.code, message.message, message),
			)
			return undefined
		}
		const { method } = pending
		const answer = message.kind === 'bytes' ? attached : message.value
		const checked = driverMethods[method].result.safeParse(answer)
		if (checked.success) {
			pending.resolve(checked.data)
			return undefined
		}
		pending.reject(this.#wrongAnswer(method, describeFault(method, checked.error, answer)))
		return undefined
	}

	/** Resolves once no caller waits for an answer. */
	async idle(): Promise<void> {
		if (this.#awaited === 0) return
		this.#idle = Promise.withResolvers()
		await this.#idle.promise
	}

	get isIdle(): boolean {
		return this.#awaited === 0
	}

	/** Rejects the calls in flight and all later ones, because the process has ended. */
	end(error: DriverError): void {
		this.#lost = error
		for (const pending of this.#pending.values()) pending.reject(error)
		this.#pending.clear()
	}
}
