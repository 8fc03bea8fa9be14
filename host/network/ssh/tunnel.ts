import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { makeOwnedFolder, type OwnedFolder } from '../../../base/owned-folder.ts'
import { Semaphore } from '../../../base/semaphore.ts'
import { labelOf } from '../address.ts'
import { type AnswerPrompt, Askpass } from './askpass.ts'
import { isSince, sshArguments, sshEnvironment } from './command.ts'
import { SshLog } from './ssh-log.ts'
import { destinationArgument, type SshSetting } from './ssh-setting.ts'
import type { SshStep } from './steps.ts'

/** Prefix of the folders of tunnels. A socket file has a short path, so it is not in the host's folder. */
export const tunnelPrefix = (): string => join(tmpdir(), 'rh-ssh-')

export interface TunnelOptions {
	readonly answer: AnswerPrompt
	/** Hears each step on the way to the server. */
	readonly onStep: (step: SshStep) => void
	/** Further arguments of `ssh`: those of a test. */
	readonly extra?: readonly string[]
	/** Aborts an opening that no connection waits for. */
	readonly signal: AbortSignal
	/** How long a server or hop may be silent, in milliseconds. The time in which a person answers does not count. */
	readonly silentMs?: number
	/** How long an `ssh` may take to end, in milliseconds, before it is killed. */
	readonly endingMs?: number
}

export const defaultEndingMs = 2_000

/**
 * Ends `ssh` when the host has ended, whatever killed it: the standard input of this script closes then. Its arguments are
 * how long `ssh` may take to end, in seconds, and those of `ssh`. It leads a group, of which a stuck `ssh` and the hops that
 * it has started are.
 */
const watcher = `exec 3<&0
ending=$1
shift
ssh "$@" 3<&- </dev/null &
ssh=$!
{ cat; kill "$ssh"; sleep "$ending"; kill -9 0; } <&3 >/dev/null 2>&1 3<&- &
watch=$!
wait "$ssh"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
`
const pollMs = 25
/** `ssh` says that the far side refused an address. After this time without that, it is taken for reached. */
const provenMs = 250
/** Time for the last words of an `ssh` that has ended. */
const heardMs = 200

/** What a connection needs of a tunnel that is open. */
export interface OpenTunnel {
	/** Resolves when it can open no more sockets. */
	readonly lost: Promise<void>
	/** Opens a socket to an address behind the tunnel, paused. @throws HostError `network/ssh_failed` */
	dial(address: TcpAddress, signal: AbortSignal): Promise<Socket>
	close(): Promise<void>
}

interface Forward {
	/** The socket file. */
	readonly path: string
	/** Sockets are opened one after another, so that a refusal is that of the first one. */
	readonly opening: Semaphore
	isProven: boolean
}

interface TunnelParts {
	readonly setting: SshSetting
	readonly options: TunnelOptions
	readonly log: SshLog
	readonly version: string
	readonly folder: OwnedFolder
	readonly askpass: Askpass
}

/** One `ssh` to a destination. Each address behind it is a socket file that `ssh` listens on. */
export class Tunnel implements OpenTunnel {
	/** Resolves when `ssh` has ended. */
	readonly lost: Promise<void>
	/** Resolves when nothing of it is left. */
	readonly ended: Promise<void>
	readonly #ssh: ChildProcess
	readonly #folder: OwnedFolder
	readonly #options: TunnelOptions
	readonly #setting: SshSetting
	readonly #forwards = new Map<string, Promise<Forward>>()
	#forwarded = 0
	readonly #log: SshLog
	#isUsable = true

	private constructor({ setting, options, log, version, folder, askpass }: TunnelParts) {
		this.#setting = setting
		this.#options = options
		this.#folder = folder
		this.#log = log
		const { endingMs = defaultEndingMs, extra } = options
		const args = sshArguments(setting, { options: ['-v', '-N', '-T', '-M', '-S', this.#control], version, extra })
		this.#ssh = spawn('/bin/sh', ['-c', watcher, 'sh', String(endingMs / 1000), ...args], {
			stdio: ['pipe', 'ignore', 'pipe'],
			// A terminal's interrupt is for the host, and `ssh` has no terminal to ask at.
			detached: true,
			env: sshEnvironment({ SSH_ASKPASS: askpass.program }),
		})
		this.#ssh.stdin?.on('error', () => {})
		this.#ssh.stderr?.setEncoding('utf8').on('data', (text: string) => void this.#log.hear(text))
		const { stderr } = this.#ssh
		const heard = new Promise(resolve => stderr?.once('close', resolve))
		// A program that asks for `ssh` keeps its standard error open until the question is withdrawn.
		this.lost = Promise.race([once(this.#ssh, 'exit'), once(this.#ssh, 'error')]).then(() => {
			this.#isUsable = false
		})
		this.ended = this.lost.then(async () => {
			await Promise.race([heard, sleep(heardMs)])
			await askpass.close()
			await folder.remove()
		})
	}

	/**
	 * Starts `ssh`, and waits until it is signed in.
	 * @throws HostError `network/ssh_failed`, whose cause says the step and what `ssh` said, for the person alone; the
	 * signal's reason
	 */
	static async open(setting: SshSetting, options: TunnelOptions): Promise<Tunnel> {
		const log = new SshLog({ ...options, destination: setting.destination })
		const version = await log.version()
		// An earlier one shows the words of a server as they are. A later one puts user and host before them.
		const isOfServer = !isSince(version, [8, 5])
		const folder = await makeOwnedFolder(tunnelPrefix())
		const askpass = await Askpass.open(join(folder.path, 'q'), (prompt, signal) =>
			log.waitedFor(options.answer({ ...prompt, isOfServer }, signal)),
		).catch(async error => {
			await folder.remove()
			throw error
		})
		const tunnel = new Tunnel({ setting, options, log, version, folder, askpass })
		try {
			await tunnel.#ready()
			return tunnel
		} catch (error) {
			await tunnel.close()
			throw error
		}
	}

	/** Opens a socket to an address behind the tunnel, paused. @throws HostError `network/ssh_failed` */
	async dial(address: TcpAddress, signal: AbortSignal): Promise<Socket> {
		const label = labelOf(address)
		const known = this.#forwards.get(label) ?? this.#forward(address)
		this.#forwards.set(label, known)
		known.catch(() => this.#forwards.delete(label))
		const forward = await known
		const release = await forward.opening.acquire(signal)
		try {
			const since = performance.now()
			const socket = connect({ path: forward.path, signal }).pause()
			await once(socket, 'connect')
			if (!forward.isProven) await this.#prove(socket, { label, since, path: forward.path })
			signal.throwIfAborted()
			forward.isProven = true
			return socket
		} finally {
			release()
		}
	}

	async close(): Promise<void> {
		this.#isUsable = false
		this.#ssh.stdin?.end()
		await this.ended
	}

	get #control(): string {
		return join(this.#folder.path, 'c')
	}

	/** The control socket is there when `ssh` is signed in. */
	async #ready(): Promise<void> {
		const { signal } = this.#options
		while (this.#isUsable) {
			signal.throwIfAborted()
			const found = await lstat(this.#control).catch(() => undefined)
			if (found?.isSocket()) return
			this.#log.requireNews()
			await sleep(pollMs)
		}
		await this.ended
		throw this.#log.ended()
	}

	/** Lets `ssh` listen on a socket file for an address, which the far side resolves. */
	async #forward(address: TcpAddress): Promise<Forward> {
		// A path is used once: the file of another address may be there still.
		const path = join(this.#folder.path, String(this.#forwarded++))
		const forward = `${path}:${labelOf(address)}`
		// This call asks the running ssh for each forward of a configuration too, so it reads none.
		const args = ['-F', 'none', '-S', this.#control, '-O', 'forward', '-L', forward, '--']
		const { promise, resolve } = Promise.withResolvers<string | undefined>()
		const options = { env: sshEnvironment(), timeout: 20_000 }
		execFile('ssh', [...args, destinationArgument(this.#setting.destination)], options, (error, _, stderr) =>
			resolve(error ? stderr.trim() || error.message : undefined),
		)
		const fault = await promise
		if (fault !== undefined) throw this.#log.failed(`forward ${labelOf(address)}`, fault)
		return { path, opening: new Semaphore(1), isProven: false }
	}

	/** The first socket to an address shows whether the far side reaches it. Nothing is read from it, also not its end. */
	async #prove(socket: Socket, { label, since, path }: { label: string; since: number; path: string }): Promise<void> {
		const ignore = () => {}
		socket.on('error', ignore)
		for (let waited = 0; waited < provenMs && !socket.destroyed; waited += pollMs) {
			await sleep(pollMs)
			const refusal = this.#log.refusalAt(path, since)
			if (refusal === undefined) continue
			socket.destroy()
			throw this.#log.failed(`reach ${label}`, refusal)
		}
		socket.off('error', ignore)
	}
}
