import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { realpath } from 'node:fs/promises'
import { Duplex } from 'node:stream'
import { DriverError } from '@roundhouse/kit'
import { wrongAnswer } from '@roundhouse/kit/answer-shape'
import type { Permissions } from '@roundhouse/kit/manifest'
import { oneLine } from '@roundhouse/kit/shown-text'
import { channelFd, type DriverMessage } from '@roundhouse/kit/wire/messages'
import type { ParamsOf, ResultOf } from '@roundhouse/kit/wire/methods'
import { defineErrors } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { onAbort } from '../../base/on-abort.ts'
import { hostVersion } from '../../base/version.ts'
import { DriverCalls, type WrongAnswer } from './driver-calls.ts'
import { DriverChannel } from './driver-channel.ts'
import { DriverNetwork } from './driver-network.ts'
import { DriverOutput } from './driver-output.ts'
import { type FileGrants, noGrants } from './file-grants.ts'
import { Heartbeat } from './heartbeat.ts'
import { packageFault } from './program-files.ts'
import { watchResidentMemory } from './resident-memory.ts'
import { makeScratch, type Scratch } from './scratch.ts'
import { SocketChannel } from './socket-channel.ts'
import { type Development, spawnDriver } from './spawn-driver.ts'
import { noWall, type Wall } from './wall/confinement.ts'
import { wallFailedExitCode } from './wall/spec.ts'
import { machineWall, usableWall } from './wall/wall.ts'

export const driverProcessErrors = defineErrors('driver', {
	no_hello: 'The driver {driver} did not start: {reason}.',
	wall_unknown:
		'{driver} was not started, because Roundhouse could not find out whether the operating system confines it ({reason}). The machine may be too busy. Try again. To run drivers without this protection, start Roundhouse with ROUNDHOUSE_DRIVERS_WITHOUT_WALL=1.',
	package_gone:
		'The files of Roundhouse {fault} while Roundhouse {version} runs, so it cannot start a driver. Open connections keep working. Close Roundhouse (roundhouse stop), then start it again.',
})

/** @throws HostError `driver/wall_unknown` */
async function usualWall({ displayName, driverId }: DriverProgram): Promise<Wall> {
	const found = await machineWall()
	const wall = usableWall(found)
	if (wall) return wall
	const { silence: reason = '' } = found
	throw driverProcessErrors.make('wall_unknown', { driver: displayName ?? driverId, reason })
}

const helloTimeoutMs = 10_000
const stopTimeoutMs = 2_000
const closedPipeGraceMs = 500

export interface DriverProgram {
	readonly driverId: string
	/** What messages to the user call the driver. Default: its id. */
	readonly displayName?: string | undefined
	/** The installed package's folder, the only one the process may read. */
	readonly folder: string
	/** Absolute path of the driver's module. */
	readonly entry: string
	readonly permissions: Permissions
	/** Files and folders beyond the package's folder. */
	readonly grants?: FileGrants | undefined
	readonly development?: Development | undefined
}

export interface StartOptions {
	/** Aborts the start. */
	readonly signal?: AbortSignal | undefined
	/** Set by tests. Default: the wall of this machine. */
	readonly wall?: Wall | undefined
}

/** Returns the host's end of the pipe that {@link channelFd} names in the child. */
function pipeOf(child: ChildProcess): Duplex {
	const pipe = child.stdio[channelFd]
	if (pipe instanceof Duplex) return pipe
	throw new Error('A driver process was started without its pipe.')
}

interface DriverProcessParts {
	readonly spawned: ReturnType<typeof spawnDriver>
	readonly scratch: Scratch
	readonly log: Log
}

/**
 * One running driver process (spawn-driver.ts), with its calls, its sockets and its scratch folder. The host does not
 * trust it: it kills a process that breaks the protocol, floods, exceeds its memory limit or stops sending beats. Calls
 * in flight then fail with `not_connected`.
 */
export class DriverProcess {
	readonly #child: ChildProcess
	readonly #program: DriverProgram
	readonly #scratch: Scratch
	readonly #held: Disposable | undefined
	/** Resolves when all that the process printed has been logged, which may be after its exit. */
	readonly outputEnded: Promise<unknown>
	readonly #output: DriverOutput
	readonly #channel: DriverChannel
	readonly #calls: DriverCalls
	readonly #sockets: SocketChannel
	/** The sockets that the host opens for the process. */
	readonly network: DriverNetwork
	readonly #exited = Promise.withResolvers<string>()
	readonly #hello = Promise.withResolvers<void>()
	#heartbeat: Heartbeat | undefined
	#endReason: string | undefined
	#isAlive = true

	private constructor(program: DriverProgram, { spawned, scratch, log }: DriverProcessParts) {
		const { child, held } = spawned
		this.#child = child
		this.#held = held
		this.#program = program
		this.#scratch = scratch
		this.#output = new DriverOutput(program.driverId, log)
		this.#channel = new DriverChannel(pipeOf(child), program.driverId, {
			message: (message, attached) => this.#receive(message, attached),
			fault: reason => this.#end(reason),
			closed: () => this.#pipeClosed(),
		})
		this.#sockets = new SocketChannel(child)
		this.#calls = new DriverCalls(this.#name, message => this.#channel.send(message), this.wrongAnswer)
		this.network = new DriverNetwork(this.#sockets, message => this.#channel.send(message))
		child.on('error', error => {
			this.#end(error.message)
			// A process that never started emits no `exit`.
			if (child.pid === undefined) void this.#onExit('it could not be started')
		})
		child.once('exit', (code, signal) => {
			void this.#onExit(describeExit(code, signal, program.permissions))
		})
		const streams = [child.stdout, child.stderr].filter(stream => stream !== null)
		for (const stream of streams) {
			stream.on('data', (data: Buffer) => this.#output.write('warn', data.toString('utf8')))
		}
		this.outputEnded = Promise.allSettled(streams.map(stream => once(stream, 'close')))
	}

	/**
	 * Starts the process and waits for its hello.
	 * @throws HostError `driver/no_hello`, also when the start is aborted; `driver/wall_unknown`
	 */
	static async start(program: DriverProgram, log: Log, { signal, wall }: StartOptions = {}): Promise<DriverProcess> {
		const fault = packageFault()
		if (fault) throw driverProcessErrors.make('package_gone', { fault, version: hostVersion })
		const { entry, grants, permissions, development } = program
		const folder = await realpath(program.folder)
		// A debugger listens on a port, which the operating system's part of the sandbox denies.
		const chosen = wall ?? (development?.inspects ? noWall : await usualWall(program))
		const scratch = await makeScratch()
		const start = { entry, folder, scratch: scratch.path, grants, memoryMb: permissions.memoryMb, development }
		const spawned = spawnDriver(start, chosen)
		const driver = new DriverProcess(program, { spawned, scratch, log })
		const { pid } = spawned.child
		if (pid !== undefined) {
			await scratch.usedBy(pid)
			driver.#watchMemory(pid)
		}
		using _ = onAbort(signal, () => driver.#end('it was stopped'))
		const timeout = setTimeout(() => driver.#end('it sent no hello within 10 s'), helloTimeoutMs)
		try {
			await driver.#hello.promise
		} finally {
			clearTimeout(timeout)
		}
		if (pid !== undefined) driver.#watchBeats(pid)
		return driver
	}

	get #name(): string {
		return this.#program.displayName ?? this.#program.driverId
	}

	get isAlive(): boolean {
		return this.#isAlive
	}

	get grants(): FileGrants {
		return this.#program.grants ?? noGrants
	}

	get pid(): number | undefined {
		return this.#child.pid
	}

	/** Resolves with the reason when the process has ended and its scratch folder is removed. */
	get exited(): Promise<string> {
		return this.#exited.promise
	}

	get call(): DriverCalls['call'] {
		return this.#calls.call
	}

	/** Starts the sample, for which the process may listen on loopback. @throws DriverError */
	startSample(params: ParamsOf<'startSample'> = {}): Promise<ResultOf<'startSample'>> {
		this.network.allowListening(params.port)
		return this.call('startSample', params)
	}

	/** Logs what is wrong with an answer, for the driver's author. @returns the error for the caller */
	readonly wrongAnswer: WrongAnswer = (method, fault) => {
		this.#output.write('warn', `wrong answer: ${fault}`)
		return new DriverError('internal_failure', wrongAnswer(method, fault, this.#name))
	}

	/** Whether no caller waits for an answer. */
	get isIdle(): boolean {
		return this.#calls.isIdle
	}

	/** Resolves once no caller waits for an answer. */
	idle(): Promise<void> {
		return this.#calls.idle()
	}

	/** Asks the process to close its connections and exit. Kills it after a timeout. */
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
		this.#heartbeat?.heard()
		switch (message.kind) {
			case 'hello':
				return this.#hello.resolve()
			case 'loadFailed':
				this.#output.write('warn', message.reason)
				return this.#end(oneLine(message.reason))
			case 'beat':
				return
			case 'log':
				return this.#output.write('info', message.message)
			case 'dial':
			case 'listen':
			case 'letGo':
				return this.network.receive(message)
			case 'taken':
				return this.#endOnFault(this.#sockets.acknowledged())
			default:
				return this.#endOnFault(this.#calls.receive(message, attached))
		}
	}

	#endOnFault(fault: string | undefined): void {
		if (fault !== undefined) this.#end(fault)
	}

	#watchBeats(pid: number): void {
		const heartbeat = new Heartbeat(pid, () => this.#end('it stopped answering'))
		this.#heartbeat = heartbeat
		void this.#exited.promise.then(() => heartbeat[Symbol.dispose]())
	}

	/** Called right after the start: a module could exhaust the memory before its hello. */
	#watchMemory(pid: number): void {
		const { memoryMb } = this.#program.permissions
		const end = () => this.#end(`it used more than its ${memoryMb} MB of memory`)
		void this.#exited.promise.then(watchResidentMemory(pid, memoryMb, end))
	}

	/** Waits before it kills: a process that exits also closes its pipe, and its exit gives a better reason. */
	#pipeClosed(): void {
		const timer = setTimeout(() => this.#end('it closed its pipe'), closedPipeGraceMs)
		void this.#exited.promise.then(() => clearTimeout(timer))
	}

	#end(reason: string): void {
		this.#endReason ??= reason
		this.#child.kill('SIGKILL')
	}

	async #onExit(how: string): Promise<void> {
		this.#isAlive = false
		this.network.close()
		this.#held?.[Symbol.dispose]()
		const reason = this.#endReason ?? `it ended (${how})`
		this.#hello.reject(driverProcessErrors.make('no_hello', { driver: this.#name, reason }))
		this.#hello.promise.catch(() => {})
		this.#calls.end(this.#lostError(reason))
		await this.#scratch.remove()
		this.#exited.resolve(reason)
	}

	#lostError(reason: string): DriverError {
		return new DriverError(
			'not_connected',
			`The driver ${this.#name} was lost: ${reason}. The next call starts it again.`,
		)
	}
}

function describeExit(code: number | null, signal: NodeJS.Signals | null, { memoryMb }: Permissions): string {
	if (signal === 'SIGABRT') return `aborted, most likely at the ${memoryMb} MB of permissions.memoryMb`
	if (signal) return `killed by ${signal}`
	if (code === wallFailedExitCode)
		return 'the sandbox of the operating system could not be set up; the log names the step that failed'
	return `exit code ${code}`
}
