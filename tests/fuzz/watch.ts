import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Watches a system under fuzz from outside: whether its process is alive, how long one message blocks its event loop,
 * and its memory. The system is a separate program, so the work of the fuzzer is not counted.
 */

/** Limits of a system under fuzz. Without a limit a value is only reported. */
export interface VitalLimits {
	/** Maximum time that one message may block the event loop. */
	readonly delayMs?: number
	readonly residentMb?: number
}

export interface WatchReport {
	readonly messages: number
	/** The longest block of the event loop by any message, each time it was sent. */
	readonly longestDelayMs: number
	/** Messages that exceeded the limit once and not again, because of delays of the machine or later work. */
	readonly passingDelays: number
	readonly mostResidentMb: number
	/** The heap after the run minus the heap before it, both after garbage collection. */
	readonly keptMb: number
}

interface Vitals {
	readonly delayMs: number
	readonly residentMb: number
	readonly heapMb: number
}

type Question = 'vitals' | 'swept vitals'
type Said<Ready> = { readonly ready: Ready } | { readonly vitals: Vitals }

/** A busy machine sometimes delays anything. A real block repeats, so there is a pause between the attempts. */
const attempts = 6
const firstPauseMs = 50
const silenceMs = 30_000

/**
 * The program under fuzz calls this once when it is ready. `stop` is called when the watch ends, and then the program
 * ends too.
 */
export function underWatch<Ready>(ready: Ready, stop: () => Promise<void>): void {
	const turns = new Turns()
	// A message to a watch that has ended is ignored.
	const say = (message: Said<Ready>) => process.send?.(message, undefined, {}, () => {})
	process.on('message', (question: Question) => {
		const delayMs = turns.takeLongestMs()
		if (question === 'swept vitals') global.gc?.()
		const { rss, heapUsed } = process.memoryUsage()
		say({ vitals: { delayMs, residentMb: toMb(rss), heapMb: toMb(heapUsed) } })
		turns.takeLongestMs()
	})
	// A listener per message would be a leak. The watch detects the end of the program.
	process.on('warning', warning => {
		if (warning.name === 'MaxListenersExceededWarning') throw warning
	})
	process.once('disconnect', () => void stop().finally(() => process.exit(0)))
	say({ ready })
}

/**
 * Measures a turn of the event loop. Between two measurements there is a turn and a pause. The result is limited to the
 * time that the thread has worked, because a loop that waits without work is delayed by the machine.
 */
class Turns {
	#time = performance.now()
	#cpu = process.threadCpuUsage()
	#longestMs = 0

	constructor() {
		setInterval(() => this.#look(), 1)
	}

	/** The longest turn since the last request. */
	takeLongestMs(): number {
		this.#look()
		const longestMs = this.#longestMs
		this.#longestMs = 0
		return longestMs
	}

	#look(): void {
		const { user, system } = process.threadCpuUsage(this.#cpu)
		const time = performance.now()
		this.#longestMs = Math.max(this.#longestMs, Math.min(time - this.#time, (user + system) / 1000))
		this.#time = time
		this.#cpu = process.threadCpuUsage()
	}
}

export class Watch<Ready> implements AsyncDisposable {
	/** What the program reported about itself, such as its address. */
	readonly ready: Ready
	readonly #child: ChildProcess
	readonly #limits: VitalLimits
	readonly #heapBeforeMb: number
	#messages = 0
	#longestDelayMs = 0
	#passingDelays = 0
	#mostResidentMb = 0

	private constructor(child: ChildProcess, ready: Ready, limits: VitalLimits, heapBeforeMb: number) {
		this.#child = child
		this.ready = ready
		this.#limits = limits
		this.#heapBeforeMb = heapBeforeMb
	}

	/** Starts a program that calls {@link underWatch}. */
	static async start<Ready>(program: string, limits: VitalLimits = {}): Promise<Watch<Ready>> {
		const child = fork(program, { execArgv: ['--expose-gc'] })
		const said = await hear<{ readonly ready: Ready }>(child)
		const { heapMb } = await ask(child, 'swept vitals')
		return new Watch(child, said.ready, limits, heapMb)
	}

	/**
	 * Sends one message and checks the system afterwards. A message over the limit is sent again.
	 * @throws Error if the system exceeds a limit, does not answer, or has ended
	 */
	async feed<T>(send: () => Promise<T>): Promise<T> {
		this.#messages++
		let shortestMs = Number.POSITIVE_INFINITY
		for (let attempt = 1; ; attempt++) {
			const result = await send()
			const { delayMs, residentMb } = await ask(this.#child, 'vitals')
			shortestMs = Math.min(shortestMs, delayMs)
			this.#mostResidentMb = Math.max(this.#mostResidentMb, residentMb)
			const { delayMs: longestMs = Number.POSITIVE_INFINITY, residentMb: mostMb = Number.POSITIVE_INFINITY } =
				this.#limits
			if (residentMb > mostMb) throw new Error(`It holds ${residentMb.toFixed(0)} MB; ${mostMb} are its limit.`)
			if (delayMs <= longestMs) {
				if (attempt > 1) this.#passingDelays++
				this.#longestDelayMs = Math.max(this.#longestDelayMs, shortestMs)
				return result
			}
			if (attempt < attempts) {
				await sleep(firstPauseMs * 2 ** attempt)
				continue
			}
			throw new Error(`One message holds the event loop for ${shortestMs.toFixed(0)} ms; ${longestMs} are its limit.`)
		}
	}

	async report(): Promise<WatchReport> {
		const { heapMb } = await ask(this.#child, 'swept vitals')
		return {
			messages: this.#messages,
			longestDelayMs: this.#longestDelayMs,
			passingDelays: this.#passingDelays,
			mostResidentMb: this.#mostResidentMb,
			keptMb: heapMb - this.#heapBeforeMb,
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
		const gone = once(this.#child, 'exit')
		this.#child.disconnect()
		await gone
	}
}

async function ask(child: ChildProcess, question: Question): Promise<Vitals> {
	const heard = hear<{ readonly vitals: Vitals }>(child)
	child.send(question)
	return (await heard).vitals
}

/**
 * Returns the next message of the program.
 * @throws Error if it ends or stays silent
 */
async function hear<T>(child: ChildProcess): Promise<T> {
	using listening = new DisposableStack()
	const { promise, resolve, reject } = Promise.withResolvers<T>()
	const onMessage = (message: unknown) => resolve(message as T)
	const onExit = (code: number | null, signal: string | null) =>
		reject(new Error(`The system under fuzz has ended with ${signal ?? `code ${code}`}.`))
	const timer = setTimeout(() => reject(new Error(`The system under fuzz is silent for ${silenceMs} ms.`)), silenceMs)
	child.once('message', onMessage).once('exit', onExit)
	listening.defer(() => {
		clearTimeout(timer)
		child.off('message', onMessage).off('exit', onExit)
	})
	return await promise
}

function toMb(bytes: number): number {
	return bytes / 1024 / 1024
}
