import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { makeOwnedFolder, type OwnedFolder } from '../../../base/owned-folder.ts'
import { labelOf } from '../address.ts'
import { networkErrors } from '../errors.ts'
import { type AnswerPrompt, Askpass } from './askpass.ts'
import { destinationArgument, type SshSetting } from './ssh-setting.ts'
import { type SshStep, stepAfter, stepOf } from './steps.ts'

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

/** Everything that a file of the user could forward or run here besides is off. */
const fixed = {
	ClearAllForwardings: 'yes',
	ControlPersist: 'no',
	ForwardAgent: 'no',
	ForwardX11: 'no',
	PermitLocalCommand: 'no',
	RemoteCommand: 'none',
	ServerAliveCountMax: '3',
	ServerAliveInterval: '15',
	StreamLocalBindMask: '0177',
} as const

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
/** `ConnectTimeout` of `ssh` counts the time in which a person answers for an earlier hop, so it is not used. */
const defaultSilentMs = 20_000
/** A refused address behind the tunnel shows as a closed socket. After this time without one, it is taken for reached. */
const provenMs = 250
const mostSaid = 6
/** Time for the last words of an `ssh` that has ended. */
const heardMs = 200

/** One `ssh` to a destination. Each address behind it is a socket file that `ssh` listens on. */
export class Tunnel {
	/** Resolves when `ssh` has ended. */
	readonly lost: Promise<void>
	/** Resolves when nothing of it is left. */
	readonly ended: Promise<void>
	readonly #ssh: ChildProcess
	readonly #folder: OwnedFolder
	readonly #options: TunnelOptions
	readonly #setting: SshSetting
	readonly #forwards = new Map<string, Promise<string>>()
	readonly #proven = new Set<string>()
	#isUsable = true
	/** The beginning of a line of `ssh`. */
	#heard = ''
	#step: SshStep | undefined
	/** Questions that wait for a person. */
	#questions = 0
	/** When something was heard or answered last, as `performance.now()`. */
	#heardAt = performance.now()
	/** What `ssh` said beside its log, the last lines. */
	#said: readonly string[] = []
	/** Why addresses were not reached, in the words of the far side. */
	readonly #refusals: string[] = []

	private constructor(setting: SshSetting, options: TunnelOptions, folder: OwnedFolder, askpass: Askpass) {
		this.#setting = setting
		this.#options = options
		this.#folder = folder
		this.#ssh = spawn('/bin/sh', ['-c', watcher, 'sh', ...this.#arguments()], {
			stdio: ['pipe', 'ignore', 'pipe'],
			// A terminal's interrupt is for the host, and `ssh` has no terminal to ask at.
			detached: true,
			env: environment(askpass.program),
		})
		this.#ssh.stdin?.on('error', () => {})
		this.#ssh.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
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
			const answer = options.answer(prompt, signal)
			return tunnel ? tunnel.#waitedFor(answer) : answer
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
		const heard = this.#refusals.length
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
		const { destination, identityFile, jump } = this.#setting
		const key = identityFile?.replaceAll('%', '%%')
		return [
			...['-v', '-N', '-T', '-M', '-S', this.#control],
			...Object.entries(fixed).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
			...(key === undefined ? [] : ['-o', 'IdentitiesOnly=yes', '-i', key]),
			...(jump === undefined ? [] : ['-J', jump]),
			...(this.#options.extra ?? []),
			'--',
			destinationArgument(destination),
		]
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
			this.#requireNews()
			await sleep(pollMs)
		}
		await this.ended
		throw this.#failed(stepAfter(this.#step), this.#words())
	}

	/** A sign-in may wait for an agent or a key that is touched, of which nothing is heard. */
	#requireNews(): void {
		const { silentMs = defaultSilentMs } = this.#options
		const isSilent = this.#questions === 0 && performance.now() - this.#heardAt > silentMs
		if (isSilent && this.#step?.kind !== 'known')
			throw this.#failed(stepAfter(this.#step), `no answer within ${Math.round(silentMs / 1000)} s`)
	}

	async #waitedFor<T>(answer: Promise<T>): Promise<T> {
		this.#questions++
		try {
			return await answer
		} finally {
			this.#questions--
			this.#heardAt = performance.now()
		}
	}

	/** Lets `ssh` listen on a socket file for an address, which the far side resolves. */
	async #forward(address: TcpAddress): Promise<string> {
		const path = join(this.#folder.path, String(this.#forwards.size))
		const forward = `${path}:${labelOf(address)}`
		const args = ['-S', this.#control, '-O', 'forward', ...(this.#options.extra ?? []), '-L', forward, '--']
		const { promise, resolve } = Promise.withResolvers<string | undefined>()
		const options = { env: environment(), timeout: 20_000 }
		execFile('ssh', [...args, destinationArgument(this.#setting.destination)], options, (error, _, stderr) =>
			resolve(error ? stderr.trim() || error.message : undefined),
		)
		const fault = await promise
		if (fault !== undefined) throw this.#failed(`forward ${labelOf(address)}`, fault)
		return path
	}

	/** The first socket to an address shows whether the far side reaches it. */
	async #prove(socket: Socket, { label, heard }: { readonly label: string; readonly heard: number }): Promise<void> {
		const closed = Promise.withResolvers<true>()
		const end = () => closed.resolve(true)
		socket.once('close', end).once('end', end).once('error', end)
		for (let waited = 0; waited < provenMs; waited += pollMs) {
			const isClosed = await Promise.race([closed.promise, sleep(pollMs, false)])
			const refused = this.#refusals[heard]
			if (isClosed || refused !== undefined) {
				socket.destroy()
				throw this.#failed(`reach ${label}`, refused ?? 'the server closed the connection')
			}
		}
		socket.off('close', end).off('end', end).off('error', end)
	}

	#hear(text: string): void {
		this.#heardAt = performance.now()
		const lines = `${this.#heard}${text}`.split(/\r?\n/)
		this.#heard = lines.pop() ?? ''
		for (const line of lines) {
			const step = stepOf(line)
			if (step) {
				this.#step = step
				this.#options.onStep(step)
			}
			const refused = /open failed: (.+)/.exec(line)?.[1]
			if (refused !== undefined) this.#refusals.push(refused)
			if (line !== '' && !/^(?:debug\d|OpenSSH_|Authenticated to)/.test(line))
				this.#said = [...this.#said, line].slice(-mostSaid)
		}
	}

	#words(): string {
		const words = [...this.#said, this.#heard].join(' ').trim()
		if (/ssh: (?:command )?not found/.test(words)) return 'This machine has no ssh. Install OpenSSH.'
		return words || 'ssh ended, and gave no reason.'
	}

	#failed(step: string, reason: string): Error {
		const { destination } = this.#setting
		const cause = networkErrors.make('ssh_step', { destination, step, reason })
		return networkErrors.make('ssh_failed', { destination }, { cause })
	}
}

/** Nothing of the host's environment but what `ssh` needs. */
function environment(askpass?: string): NodeJS.ProcessEnv {
	const { PATH, USER, LOGNAME, SSH_AUTH_SOCK } = process.env
	return {
		HOME: homedir(),
		...(PATH !== undefined && { PATH }),
		...(USER !== undefined && { USER }),
		...(LOGNAME !== undefined && { LOGNAME }),
		...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }),
		// Older releases ask by a program only if there is a display.
		...(askpass !== undefined && { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' }),
	}
}
