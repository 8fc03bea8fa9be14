/** Ends of a pipe, from the one that calls to the one that answers. */
interface Pipe {
	readonly caller: string
	readonly callee: string
}

/**
 * Prints the messages of a pipe, one line each: what it is, the number and the method of its call, its size, and for an
 * answer the time since the call. It prints no parameters and no answers, which may contain secrets.
 */
export class CallTrace {
	readonly #pipe: Pipe
	readonly #write: (line: string) => void
	readonly #calls = new Map<number, { readonly method: string; readonly startedAt: number }>()

	constructor(pipe: Pipe, write: (line: string) => void) {
		this.#pipe = pipe
		this.#write = write
	}

	/** A call was sent or received. @param size in bytes */
	call(id: number, method: string, size: number): void {
		this.#calls.set(id, { method, startedAt: performance.now() })
		this.#print('caller', `call #${id} ${method}, ${bytes(size)}`)
	}

	/** @param kind of a message of the caller about a call, for example `cancel` */
	about(id: number, kind: string, size: number): void {
		this.#print('caller', `${kind} #${id} ${this.#methodOf(id)}, ${bytes(size)}`)
	}

	/** @param kind of a message before the answer, for example `progress` */
	meanwhile(id: number, kind: string, size: number): void {
		this.#print('callee', `${kind} #${id} ${this.#methodOf(id)}, ${bytes(size)}`)
	}

	/** @param kind of the answer, for example `result` or `error` */
	answer(id: number, kind: string, size: number): void {
		const call = this.#calls.get(id)
		const took = call ? `, ${(performance.now() - call.startedAt).toFixed(1)} ms` : ''
		this.#print('callee', `${kind} #${id} ${this.#methodOf(id)}, ${bytes(size)}${took}`)
		this.#calls.delete(id)
	}

	#methodOf(id: number): string {
		return this.#calls.get(id)?.method ?? 'an unknown call'
	}

	#print(from: keyof Pipe, text: string): void {
		const { caller, callee } = this.#pipe
		const ends = from === 'caller' ? `${caller} → ${callee}` : `${callee} → ${caller}`
		this.#write(`${new Date().toISOString().slice(11, 23)} ${ends}: ${text}\n`)
	}
}

const bytes = (size: number) => `${size.toLocaleString('en-US')} ${size === 1 ? 'byte' : 'bytes'}`

/** Returns a trace that prints to stderr, if the environment has `ROUNDHOUSE_TRACE=calls`. */
export function traceOf(pipe: Pipe): CallTrace | undefined {
	if (process.env.ROUNDHOUSE_TRACE !== 'calls') return undefined
	return new CallTrace(pipe, line => void process.stderr.write(line))
}
