import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DriverError, type Progress } from '@roundhouse/kit'
import type { Permissions } from '@roundhouse/kit/manifest'
import {
	beatIntervalMs,
	type DriverMessage,
	type DriverMethod,
	type HostMessage,
	type ParamsOf,
	type ResultOf,
} from '@roundhouse/kit/wire'
import { driverMessageSchema, resultSchemas } from '@roundhouse/kit/wire-schemas'
import { defineErrors } from '../base/errors.ts'
import { layout } from '../base/layout.ts'
import type { Log } from '../base/log.ts'

export const driverProcessErrors = defineErrors('driver', {
	no_hello: 'The driver {driver} did not start: {reason}.',
})

/** A driver that says nothing for this many beats is taken for hung. Beats are counted, not timed: a machine that sleeps misses none. */
const beatsUntilHung = 3
const helloTimeoutMs = 10_000
const stopTimeoutMs = 2_000

export interface DriverProgram {
	readonly driverId: string
	/** The installed package's folder, the only one the process may read. */
	readonly folder: string
	/** Absolute path of the driver's module. */
	readonly entry: string
	readonly permissions: Permissions
}

export interface CallOptions {
	readonly signal?: AbortSignal | undefined
	readonly onProgress?: ((progress: Progress) => void) | undefined
}

interface Pending {
	readonly method: DriverMethod
	readonly onProgress: ((progress: Progress) => void) | undefined
	resolve(value: unknown): void
	reject(error: DriverError): void
}

/**
 * One running driver: a forked Node under the permission flags, with an empty environment, a memory ceiling and a
 * scratch folder of its own. It is not trusted: each message is checked against the wire's schemas, and a process that
 * sends anything else, or falls silent, is killed. Whatever ends it, the calls in flight fail with `not_connected`.
 */
export class DriverProcess {
	readonly #child: ChildProcess
	readonly #program: DriverProgram
	readonly #scratch: string
	readonly #log: Log
	readonly #pending = new Map<number, Pending>()
	readonly #exited = Promise.withResolvers<string>()
	readonly #hello = Promise.withResolvers<void>()
	#lastCall = 0
	#missedBeats = 0
	#endReason: string | undefined
	#isAlive = true

	private constructor(child: ChildProcess, program: DriverProgram, scratch: string, log: Log) {
		this.#child = child
		this.#program = program
		this.#scratch = scratch
		this.#log = log
		child.on('message', message => this.#receive(message))
		child.on('error', error => this.#end(error.message))
		child.once('exit', (code, signal) => void this.#onExit(signal ? `killed by ${signal}` : `exit code ${code}`))
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (data: Buffer) =>
				log.warn(`driver ${program.driverId}: ${data.toString('utf8').slice(0, 4000)}`),
			)
		}
	}

	/** Starts the process and waits for its hello. @throws HostError `driver/no_hello` */
	static async start(program: DriverProgram, log: Log): Promise<DriverProcess> {
		// The permission model compares real paths, and a temporary folder is often behind a link.
		const scratch = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-driver-')))
		await mkdir(scratch, { recursive: true })
		const folder = await realpath(program.folder)
		const child = fork(layout.driverRuntime, [program.entry, scratch], {
			cwd: folder,
			env: {},
			serialization: 'advanced',
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			execArgv: [
				'--permission',
				`--allow-fs-read=${layout.driverRuntime}`,
				`--allow-fs-read=${folder}`,
				`--allow-fs-read=${scratch}`,
				`--allow-fs-write=${scratch}`,
				`--max-old-space-size=${program.permissions.memoryMb}`,
				'--disallow-code-generation-from-strings',
				'--no-warnings',
			],
		})
		const driver = new DriverProcess(child, program, scratch, log)
		const timeout = setTimeout(() => driver.#end('it said nothing for 10 s'), helloTimeoutMs)
		try {
			await driver.#hello.promise
		} finally {
			clearTimeout(timeout)
		}
		driver.#watchBeats()
		return driver
	}

	get isAlive(): boolean {
		return this.#isAlive
	}

	get pid(): number | undefined {
		return this.#child.pid
	}

	/** Settles, with the reason, when the process has ended and its scratch folder is gone. */
	get exited(): Promise<string> {
		return this.#exited.promise
	}

	/**
	 * Calls the driver. An aborted call is cancelled in the driver and settles when the driver has let go of it.
	 * @throws DriverError with the driver's own code; `not_connected` when the process ended.
	 */
	call<M extends DriverMethod>(method: M, params: ParamsOf<M>, options: CallOptions = {}): Promise<ResultOf<M>> {
		const { signal, onProgress } = options
		if (!this.#isAlive) return Promise.reject(this.#gone())
		if (signal?.aborted) return Promise.reject(new DriverError('user_cancelled', 'The call was cancelled.'))
		const id = ++this.#lastCall
		const { promise, resolve, reject } = Promise.withResolvers<unknown>()
		this.#pending.set(id, { method, onProgress, resolve, reject })
		const cancel = () => this.#send({ kind: 'cancel', id })
		signal?.addEventListener('abort', cancel, { once: true })
		this.#send({ kind: 'call', id, method, params })
		// The schema of the method has checked the value.
		return promise.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<ResultOf<M>>
	}

	/** Asks the process to close its connections and go; kills it if it does not. */
	async stop(): Promise<void> {
		if (this.#isAlive) {
			this.#endReason ??= 'it was stopped'
			this.#send({ kind: 'stop' })
			const timeout = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs)
			await this.#exited.promise
			clearTimeout(timeout)
		}
		await this.#exited.promise
	}

	#send(message: HostMessage): void {
		// A failed send means the process is going; its exit rejects the calls.
		if (this.#isAlive && this.#child.connected) this.#child.send(message, () => {})
	}

	#receive(raw: unknown): void {
		const parsed = driverMessageSchema.safeParse(raw)
		if (!parsed.success) return this.#end('it broke the protocol')
		this.#missedBeats = 0
		const message: DriverMessage = parsed.data
		switch (message.kind) {
			case 'hello':
				return this.#hello.resolve()
			case 'beat':
				return
			case 'log':
				return this.#log.info(`driver ${this.#program.driverId}: ${message.message}`)
			case 'progress':
				return this.#pending.get(message.id)?.onProgress?.(message.progress)
			case 'result':
				return this.#settle(message.id, message.value)
			case 'error':
				return this.#take(message.id)?.reject(new DriverError(message.code, message.message))
		}
	}

	#settle(id: number, value: unknown): void {
		const pending = this.#take(id)
		if (!pending) return
		const checked = resultSchemas[pending.method].safeParse(value)
		if (checked.success) return pending.resolve(checked.data)
		pending.reject(new DriverError('internal_failure', `The driver answered "${pending.method}" with something else.`))
		this.#end('it broke the protocol')
	}

	#take(id: number): Pending | undefined {
		const pending = this.#pending.get(id)
		if (!pending) this.#end('it answered a call that nobody made')
		this.#pending.delete(id)
		return pending
	}

	#watchBeats(): void {
		const timer = setInterval(() => {
			if (++this.#missedBeats > beatsUntilHung) this.#end('it stopped answering')
		}, beatIntervalMs)
		void this.#exited.promise.then(() => clearInterval(timer))
	}

	#end(reason: string): void {
		this.#endReason ??= reason
		this.#child.kill('SIGKILL')
	}

	async #onExit(how: string): Promise<void> {
		this.#isAlive = false
		const reason = this.#endReason ?? `it ended (${how})`
		this.#hello.reject(driverProcessErrors.make('no_hello', { driver: this.#program.driverId, reason }))
		this.#hello.promise.catch(() => {})
		for (const pending of this.#pending.values()) pending.reject(this.#gone(reason))
		this.#pending.clear()
		await rm(this.#scratch, { recursive: true, force: true }).catch(() => {})
		this.#exited.resolve(reason)
	}

	#gone(reason = this.#endReason ?? 'it ended'): DriverError {
		return new DriverError(
			'not_connected',
			`The driver ${this.#program.driverId} was lost: ${reason}. The next call starts it again.`,
		)
	}
}
