import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { onAbort, raced } from '../../../base/on-abort.ts'
import { makeOwnedFolder, type OwnedFolder } from '../../../base/owned-folder.ts'
import { Semaphore } from '../../../base/semaphore.ts'
import { labelOf } from '../address.ts'
import { isSince, sshArguments, sshEnvironment, sshProgram } from './command.ts'
import { PipedAskpass } from './piped-askpass.ts'
import { socketPair } from './socket-pair.ts'
import { SshLog } from './ssh-log.ts'
import type { SshSetting } from './ssh-setting.ts'
import { defaultEndingMs, type OpenTunnel, type TunnelOptions, tunnelPrefix } from './tunnel.ts'

/** A server drops sign-ins beyond ten at once (`MaxStartups` of `sshd`). */
const mostLogins = 4
const pollMs = 100
const hasGroups = process.platform !== 'win32'
/** Time for the last words of an `ssh` that has ended. */
const heardMs = 200
/** The first release of Windows in which no prompt begins with the text of a server. */
const oldest = [8, 6] as const

interface PipedTunnelParts {
	readonly setting: SshSetting
	readonly options: TunnelOptions
	readonly version: string
	readonly folder: OwnedFolder
	readonly askpass: PipedAskpass
}

/**
 * A tunnel without forwards: `ssh -W` for each socket, through its standard input and output. It needs no open port, so no
 * other user of the machine reaches it, and it costs a sign-in for each socket, whose answers are remembered by the owner.
 * A killed host closes the input, so the far side ends the connection and `ssh` ends; Windows ends `ssh` with the host.
 */
export class PipedTunnel implements OpenTunnel {
	readonly lost: Promise<void>
	readonly #closing = new AbortController()
	readonly #setting: SshSetting
	readonly #options: TunnelOptions
	readonly #version: string
	readonly #folder: OwnedFolder
	readonly #askpass: PipedAskpass
	readonly #pipes = new Set<SshPipe>()
	readonly #logins = new Semaphore(mostLogins)
	/** Signed in, for the first socket to its address. */
	#first: SshPipe | undefined

	private constructor({ setting, options, version, folder, askpass }: PipedTunnelParts) {
		this.#setting = setting
		this.#options = options
		this.#version = version
		this.#folder = folder
		this.#askpass = askpass
		this.lost = new Promise(resolve => onAbort(this.#closing.signal, resolve))
	}

	/**
	 * Signs in for a first socket, which is not opened yet.
	 * @throws as those of `Tunnel.open`
	 */
	static async open(setting: SshSetting, options: TunnelOptions, address: TcpAddress): Promise<PipedTunnel> {
		const version = await usableVersion(setting, options)
		const folder = await makeOwnedFolder(tunnelPrefix())
		let tunnel: PipedTunnel | undefined
		const askpass = await PipedAskpass.open(folder.path, (prompt, signal) => {
			const answer = options.answer(prompt, signal)
			return tunnel ? tunnel.#waitedFor(answer) : answer
		}).catch(async error => {
			await folder.remove()
			throw error
		})
		tunnel = new PipedTunnel({ setting, options, version, folder, askpass })
		try {
			const first = tunnel.#start(address, options.onStep)
			await raced(options.signal, first.signedIn)
			tunnel.#first = first
			return tunnel
		} catch (error) {
			await tunnel.close()
			throw error
		}
	}

	async dial(address: TcpAddress, signal: AbortSignal): Promise<Socket> {
		signal.throwIfAborted()
		const first = this.#first
		if (first?.label === labelOf(address) && first.isRunning) {
			this.#first = undefined
			return this.#opened(first, signal)
		}
		return this.#opened(await this.#signedIn(address, signal), signal)
	}

	async close(): Promise<void> {
		this.#closing.abort(new Error('The tunnel was closed.'))
		await Promise.all([...this.#pipes].map(pipe => pipe.close()))
		await this.#askpass.close()
		await this.#folder.remove()
	}

	/** Which `ssh` asks is not known, because one for a host on the way asks too. */
	#waitedFor<T>(answer: Promise<T>): Promise<T> {
		return [...this.#pipes].reduce((waited, { log }) => log.waitedFor(waited), answer)
	}

	async #signedIn(address: TcpAddress, signal: AbortSignal): Promise<SshPipe> {
		const release = await this.#logins.acquire(AbortSignal.any([signal, this.#closing.signal]))
		let pipe: SshPipe | undefined
		try {
			pipe = this.#start(address, () => {})
			await raced(signal, pipe.signedIn)
			return pipe
		} catch (error) {
			await pipe?.close()
			throw error
		} finally {
			release()
		}
	}

	async #opened(pipe: SshPipe, signal: AbortSignal): Promise<Socket> {
		try {
			await raced(signal, pipe.reached)
			return await pipe.joined(signal)
		} catch (error) {
			await pipe.close()
			throw error
		}
	}

	#start(address: TcpAddress, onStep: TunnelOptions['onStep']): SshPipe {
		this.#closing.signal.throwIfAborted()
		const { silentMs, endingMs = defaultEndingMs, extra } = this.#options
		const options = ['-vv', '-T', '-S', 'none', '-W', labelOf(address)]
		const pipe = new SshPipe({
			address,
			args: sshArguments(this.#setting, { options, version: this.#version, extra }),
			environment: sshEnvironment(this.#askpass.variables),
			log: new SshLog({ destination: this.#setting.destination, onStep, silentMs }),
			endingMs,
		})
		this.#pipes.add(pipe)
		void pipe.ended.then(() => this.#pipes.delete(pipe))
		return pipe
	}
}

interface SshPipeOptions {
	readonly address: TcpAddress
	readonly args: readonly string[]
	readonly environment: NodeJS.ProcessEnv
	readonly log: SshLog
	readonly endingMs: number
}

/** One `ssh` and its socket. */
class SshPipe {
	readonly label: string
	readonly log: SshLog
	/** Settled when the last server has let the user in. */
	readonly signedIn: Promise<void>
	/** Settled when the far side has connected to the address. */
	readonly reached: Promise<void>
	readonly ended: Promise<void>
	readonly #ssh: ChildProcessWithoutNullStreams
	readonly #endingMs: number

	constructor({ address, args, environment, log, endingMs }: SshPipeOptions) {
		this.label = labelOf(address)
		this.log = log
		this.#endingMs = endingMs
		const ssh = spawn(sshProgram(), args, { stdio: 'pipe', env: environment, windowsHide: true, detached: hasGroups })
		this.#ssh = ssh
		const [signedIn, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
		this.signedIn = signedIn.promise
		this.reached = reached.promise
		let isSignedIn = false
		// Also a host on the way says that it connects, but to the next host.
		const mark = `:${address.host}:${address.port}`
		ssh.stdin.on('error', () => {})
		ssh.stdout.on('error', () => {})
		ssh.stderr.setEncoding('utf8').on('data', (text: string) => {
			for (const line of log.hear(text)) {
				if (/^debug1: channel_connect_stdio_fwd:/.test(line) && line.replaceAll(' ', '').endsWith(mark)) {
					isSignedIn = true
					signedIn.resolve()
				} else if (isSignedIn && /^debug2: channel \d+: open confirm /.test(line)) reached.resolve()
			}
		})
		const fail = (error: unknown) => {
			signedIn.reject(error)
			reached.reject(error)
		}
		// One of them is not waited for.
		for (const { promise } of [signedIn, reached]) promise.catch(() => {})
		const watch = setInterval(() => {
			try {
				if (isSignedIn) clearInterval(watch)
				else log.requireNews()
			} catch (error) {
				fail(error)
				clearInterval(watch)
				this.#stop()
			}
		}, pollMs)
		const heard = new Promise(resolve => ssh.stderr.once('close', resolve))
		this.ended = new Promise(resolve => ssh.once('exit', resolve).once('error', resolve))
			.then(() => Promise.race([heard, sleep(heardMs)]))
			.then(() => {
				clearInterval(watch)
				const reason = log.refusal ?? 'the server closed the connection'
				fail(isSignedIn ? log.failed(`reach ${this.label}`, reason) : log.ended())
			})
	}

	get isRunning(): boolean {
		return this.#ssh.exitCode === null && this.#ssh.signalCode === null
	}

	/** Returns a socket whose other end is this `ssh`, which ends with it. */
	async joined(signal: AbortSignal): Promise<Socket> {
		const [near, far] = await socketPair(signal)
		near.pipe(this.#ssh.stdin)
		this.#ssh.stdout.pipe(near)
		near.once('close', () => this.#stop())
		void this.ended.then(() => near.end())
		return far
	}

	async close(): Promise<void> {
		this.#stop()
		await this.ended
	}

	/** One that is stuck is killed after a time, with the hops that it has started. */
	#stop(): void {
		this.#ssh.kill()
		const { pid } = this.#ssh
		const kill = () => {
			if (!hasGroups || pid === undefined) this.#ssh.kill('SIGKILL')
			else if (this.isRunning) process.kill(-pid, 'SIGKILL')
		}
		const late = setTimeout(kill, this.#endingMs)
		void this.ended.then(() => clearTimeout(late))
	}
}

/** Returns what `ssh` says of itself. @throws HostError `network/ssh_failed` if there is none, or if it is too old */
async function usableVersion({ destination }: SshSetting, { onStep }: TunnelOptions): Promise<string> {
	const log = new SshLog({ destination, onStep })
	const version = await log.version()
	if (isSince(version, oldest)) return version
	throw log.failed('start', `${version} is too old. Install OpenSSH ${oldest.join('.')} or later.`)
}
