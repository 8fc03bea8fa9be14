import { type ChildProcess, spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { DriverError } from '@roundhouse/kit'
import type { Permissions } from '@roundhouse/kit/manifest'
import { beatIntervalMs, channelFd, type DriverMessage } from '@roundhouse/kit/wire/messages'
import type { DriverMethod, ParamsOf, ResultOf } from '@roundhouse/kit/wire/methods'
import { defineErrors } from '../base/errors.ts'
import { layout } from '../base/layout.ts'
import type { Log } from '../base/log.ts'
import type { OwnedFolder } from '../base/owned-folder.ts'
import { type CallOptions, DriverCalls } from './driver-calls.ts'
import { DriverChannel } from './driver-channel.ts'
import { DriverNetwork, type Reaching } from './driver-network.ts'
import { DriverOutput } from './driver-output.ts'
import { flagsOfGrants, type Grants, noGrants } from './grants.ts'
import { watchResidentMemory } from './resident-memory.ts'
import { makeScratch } from './scratch.ts'
import { SocketChannel } from './socket-channel.ts'

export const driverProcessErrors = defineErrors('driver', {
	no_hello: 'The driver {driver} did not start: {reason}.',
})

/**
 * A driver that says nothing for this many beats is taken for hung. Beats are counted, not timed: a machine that sleeps
 * misses none. A sound driver on a busy machine was silent for four.
 */
const beatsUntilHung = 8
const helloTimeoutMs = 10_000
const stopTimeoutMs = 2_000
const hangUpGraceMs = 500

export interface DriverProgram {
	readonly driverId: string
	/** The installed package's folder, the only one the process may read. */
	readonly folder: string
	/** Absolute path of the driver's module. */
	readonly entry: string
	readonly permissions: Permissions
	/** Beyond its own folder. */
	readonly grants?: Grants | undefined
}

/**
 * What a driver's process may do, in Node's own words. `node:sqlite` knows nothing of them, and `node:ffi` is of no use to
 * a driver, so neither is there.
 */
function flagsOf(
	{ permissions, grants = noGrants }: DriverProgram,
	folder: string,
	scratch: string,
): readonly string[] {
	return [
		'--permission',
		`--allow-fs-read=${layout.driverRuntime}`,
		`--allow-fs-read=${folder}`,
		`--allow-fs-read=${scratch}`,
		`--allow-fs-write=${scratch}`,
		...flagsOfGrants(grants),
		'--no-experimental-sqlite',
		'--no-experimental-ffi',
		`--max-old-space-size=${permissions.memoryMb}`,
		'--disallow-code-generation-from-strings',
		'--disable-sigusr1',
		'--freeze-flags-after-init',
		'--no-warnings',
		layout.driverRuntime,
	]
}

/** The pipe that {@link channelFd} names on the other side. */
function pipeOf(child: ChildProcess): Duplex {
	const pipe = child.stdio[channelFd]
	if (pipe instanceof Duplex) return pipe
	throw new Error('A driver process was started without its pipe.')
}

/**
 * One running driver: a Node of its own under the permission flags, with an empty environment, a ceiling on its memory
 * and a scratch folder of its own. It is not trusted: a process that breaks the wire's rules, floods, outgrows its
 * ceiling or falls silent is killed. Whatever ends it, the calls in flight fail with `not_connected`.
 */
export class DriverProcess {
	readonly #child: ChildProcess
	readonly #program: DriverProgram
	readonly #scratch: OwnedFolder
	readonly #output: DriverOutput
	readonly #channel: DriverChannel
	readonly #calls: DriverCalls
	readonly #network: DriverNetwork
	readonly #exited = Promise.withResolvers<string>()
	readonly #hello = Promise.withResolvers<void>()
	#missedBeats = 0
	#endReason: string | undefined
	#isAlive = true

	private constructor(child: ChildProcess, program: DriverProgram, scratch: OwnedFolder, log: Log) {
		this.#child = child
		this.#program = program
		this.#scratch = scratch
		this.#output = new DriverOutput(program.driverId, log)
		this.#channel = new DriverChannel(pipeOf(child), {
			message: (message, attached) => this.#receive(message, attached),
			fault: reason => this.#end(reason),
			closed: () => this.#hungUp(),
		})
		const sockets = new SocketChannel(child, () => this.#end('it spoke where only sockets pass'))
		this.#calls = new DriverCalls(message => this.#channel.send(message))
		this.#network = new DriverNetwork(sockets, message => this.#channel.send(message))
		child.on('error', error => {
			this.#end(error.message)
			// What never started has no exit to tell of.
			if (child.pid === undefined) void this.#onExit('it could not be started')
		})
		child.once('exit', (code, signal) => void this.#onExit(signal ? `killed by ${signal}` : `exit code ${code}`))
		for (const stream of [child.stdout, child.stderr]) {
			stream?.on('data', (data: Buffer) => this.#output.write('warn', data.toString('utf8')))
		}
	}

	/** Starts the process and waits for its hello. @throws HostError `driver/no_hello`, also when `signal` is aborted */
	static async start(program: DriverProgram, log: Log, signal?: AbortSignal): Promise<DriverProcess> {
		// The permission model compares real paths.
		const folder = await realpath(program.folder)
		const scratch = await makeScratch()
		const { path } = scratch
		const child = spawn(process.execPath, [...flagsOf(program, folder, path), program.entry, path], {
			cwd: folder,
			env: {},
			stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
		})
		const driver = new DriverProcess(child, program, scratch, log)
		if (child.pid !== undefined) driver.#watchMemory(child.pid)
		const abort = () => driver.#end('it was stopped')
		signal?.addEventListener('abort', abort, { once: true })
		if (signal?.aborted) abort()
		const timeout = setTimeout(() => driver.#end('it said nothing for 10 s'), helloTimeoutMs)
		try {
			await driver.#hello.promise
		} finally {
			clearTimeout(timeout)
			signal?.removeEventListener('abort', abort)
		}
		driver.#watchBeats()
		return driver
	}

	get isAlive(): boolean {
		return this.#isAlive
	}

	get grants(): Grants {
		return this.#program.grants ?? noGrants
	}

	get pid(): number | undefined {
		return this.#child.pid
	}

	/** Lets the process reach something more. @returns what `connect` is called with, until {@link closeReach} */
	openReach(reaching: Reaching): number {
		return this.#network.openReach(reaching)
	}

	closeReach(reach: number): void {
		this.#network.closeReach(reach)
	}

	/** The ports on loopback that a sample serves. */
	get ports(): readonly number[] {
		return this.#network.ports
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
		if (!this.#isAlive) return Promise.reject(this.#gone())
		// The method is the row whose parameters these are, which TypeScript does not see.
		if (method === 'startSample') this.#network.allowListening((params as ParamsOf<'startSample'>).port)
		return this.#calls.call(method, params, options)
	}

	/** Asks the process to close its connections and go; kills it if it does not. */
	async stop(): Promise<void> {
		if (this.#isAlive) {
			this.#endReason ??= 'it was stopped'
			this.#channel.send({ kind: 'stop' })
			const timeout = setTimeout(() => this.#child.kill('SIGKILL'), stopTimeoutMs)
			await this.#exited.promise
			clearTimeout(timeout)
		}
		await this.#exited.promise
	}

	#receive(message: DriverMessage, attached: Uint8Array): void {
		this.#missedBeats = 0
		switch (message.kind) {
			case 'hello':
				return this.#hello.resolve()
			case 'beat':
				return
			case 'log':
				return this.#output.write('info', message.message)
			case 'dial':
			case 'listen':
			case 'letGo':
				return this.#network.receive(message)
			default: {
				const fault = this.#calls.receive(message, attached)
				if (fault !== undefined) this.#end(fault)
			}
		}
	}

	#watchBeats(): void {
		const timer = setInterval(() => {
			if (++this.#missedBeats > beatsUntilHung) this.#end('it stopped answering')
		}, beatIntervalMs)
		void this.#exited.promise.then(() => clearInterval(timer))
	}

	/** From the first moment: a module may take all the memory there is before it says hello. */
	#watchMemory(pid: number): void {
		const { memoryMb } = this.#program.permissions
		const end = () => this.#end(`it took more than its ${memoryMb} MB of memory`)
		void this.#exited.promise.then(watchResidentMemory(pid, memoryMb, end))
	}

	/** A process that goes closes its pipe too, and then its exit tells more. */
	#hungUp(): void {
		const timer = setTimeout(() => this.#end('it hung up'), hangUpGraceMs)
		void this.#exited.promise.then(() => clearTimeout(timer))
	}

	#end(reason: string): void {
		this.#endReason ??= reason
		this.#child.kill('SIGKILL')
	}

	async #onExit(how: string): Promise<void> {
		this.#isAlive = false
		this.#network.close()
		const reason = this.#endReason ?? `it ended (${how})`
		this.#hello.reject(driverProcessErrors.make('no_hello', { driver: this.#program.driverId, reason }))
		this.#hello.promise.catch(() => {})
		this.#calls.rejectAll(this.#gone(reason))
		// What cannot be removed now is swept at another start.
		await this.#scratch.remove().catch(() => {})
		this.#exited.resolve(reason)
	}

	#gone(reason = this.#endReason ?? 'it ended'): DriverError {
		return new DriverError(
			'not_connected',
			`The driver ${this.#program.driverId} was lost: ${reason}. The next call starts it again.`,
		)
	}
}
