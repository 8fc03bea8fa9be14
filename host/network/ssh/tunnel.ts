import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { makeOwnedFolder, type OwnedFolder } from '../../../base/owned-folder.ts'
import { labelOf } from '../address.ts'
import { type AnswerPrompt, Askpass } from './askpass.ts'
import { sshArguments, sshEnvironment } from './command.ts'
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
}

/**
 * Ends `ssh` when the host has ended, whatever killed it: the standard input of this script closes then. Its arguments are
 * those of `ssh`.
 */
const watcher = `exec 3<&0
ssh "$@" 3<&- </dev/null &
ssh=$!
{ cat; kill "$ssh"; } <&3 >/dev/null 2>&1 3<&- &
watch=$!
wait "$ssh"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
`
const pollMs = 25
/** A refused address behind the tunnel shows as a closed socket. After this time without one, it is taken for reached. */
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
	readonly #forwards = new Map<string, Promise<string>>()
	#forwarded = 0
	readonly #proven = new Set<string>()
	readonly #log: SshLog
	#isUsable = true

	private constructor(setting: SshSetting, options: TunnelOptions, folder: OwnedFolder, askpass: Askpass) {
		this.#setting = setting
		this.#options = options
		this.#folder = folder
		this.#log = new SshLog({ ...options, destination: setting.destination })
		this.#ssh = spawn('/bin/sh', ['-c', watcher, 'sh', ...this.#arguments()], {
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
		const folder = await makeOwnedFolder(tunnelPrefix())
		let tunnel: Tunnel | undefined
		const askpass = await Askpass.open(join(folder.path, 'q'), async (prompt, signal) => {
			const log = tunnel ? tunnel.#log : undefined
			const isOfServer = log?.isOfServer(prompt.text) ?? true
			const answer = options.answer({ ...prompt, isOfServer }, signal)
			return log ? log.waitedFor(answer) : answer
		})
		tunnel = new Tunnel(setting, options, folder, askpass)
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
		const path = await known
		signal.throwIfAborted()
		const heard = this.#log.refusals.length
		const socket = connect({ path, signal }).pause()
		await once(socket, 'connect')
		if (this.#proven.has(label)) return socket
		await this.#prove(socket, { label, heard })
		this.#proven.add(label)
		return socket
	}

	async close(): Promise<void> {
		this.#isUsable = false
		this.#ssh.stdin?.end()
		await this.ended
	}

	#arguments(): readonly string[] {
		return sshArguments(this.#setting, ['-v', '-N', '-T', '-M', '-S', this.#control], this.#options.extra)
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
	async #forward(address: TcpAddress): Promise<string> {
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
		return path
	}

	/** The first socket to an address shows whether the far side reaches it. */
	async #prove(socket: Socket, { label, heard }: { readonly label: string; readonly heard: number }): Promise<void> {
		const closed = Promise.withResolvers<true>()
		const end = () => closed.resolve(true)
		socket.once('close', end).once('end', end).once('error', end)
		for (let waited = 0; waited < provenMs; waited += pollMs) {
			const isClosed = await Promise.race([closed.promise, sleep(pollMs, false)])
			const refused = this.#log.refusals[heard]
			if (isClosed || refused !== undefined) {
				socket.destroy()
				throw this.#log.failed(`reach ${label}`, refused ?? 'the server closed the connection')
			}
		}
		socket.off('close', end).off('end', end).off('error', end)
	}
}
