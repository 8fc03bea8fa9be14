import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { HostError, messageOf } from '../../../base/errors.ts'
import { raced } from '../../../base/on-abort.ts'
import { sweepOwnedFolders } from '../../../base/owned-folder.ts'
import { networkErrors } from '../errors.ts'
import type { SshPrompt } from './askpass.ts'
import type { SshSetting } from './ssh-setting.ts'
import { Tunnel, type TunnelOptions, tunnelPrefix } from './tunnel.ts'

/** A question of `ssh` to the user, or a sentence. */
export interface SshQuestion {
	readonly kind: 'ssh'
	/** `fault`: why a tunnel was not opened. */
	readonly form: SshPrompt['kind'] | 'fault'
	readonly text: string
	readonly destination: string
	/** The connection that needs the tunnel first. */
	readonly connection: { readonly id: string; readonly name: string; readonly driverId: string }
}

/** Shows questions of `ssh`. An abort withdraws one. */
export interface SshDesk {
	ask(
		question: SshQuestion,
		signal: AbortSignal,
	): Promise<{ readonly decision: 'approved' | 'refused' | 'unattended'; readonly text?: string }>
}

/** What a connection holds of a tunnel. */
export interface HeldTunnel {
	/** Opens a socket behind the tunnel. The first one opens the tunnel. */
	dial(address: TcpAddress, signal: AbortSignal): Promise<Socket>
	/** The last connection that releases a tunnel closes it. */
	release(): void
}

/** A driver that is closed and opened again, as a test is before it is saved, keeps the tunnel. */
const lingerMs = 10_000
/** Time for an `ssh` to end whose connection is gone. */
const lostMs = 500

interface Shared {
	readonly users: Set<symbol>
	opening?: Promise<Tunnel>
	closing: AbortController
	linger?: ReturnType<typeof setTimeout>
}

interface TunnelsOptions extends Pick<TunnelOptions, 'extra'> {
	readonly desk: SshDesk
	readonly lingerMs?: number
}

/** The tunnels of this host: one `ssh` for each destination, shared by its connections. */
export class Tunnels {
	readonly #options: TunnelsOptions
	readonly #shared = new Map<string, Shared>()
	/** Passphrases and passwords that opened a tunnel, by their question: a lost tunnel is opened again without asking. */
	readonly #answers = new Map<string, string>()

	constructor(options: TunnelsOptions) {
		this.#options = options
	}

	/** Removes what killed hosts have left. */
	static sweep(): Promise<void> {
		return sweepOwnedFolders(tunnelPrefix())
	}

	/** The destinations of the tunnels that are open. */
	get open(): readonly string[] {
		return [...this.#shared].filter(([, { opening }]) => opening !== undefined).map(([key]) => JSON.parse(key)[0])
	}

	hold(setting: SshSetting, connection: SshQuestion['connection']): HeldTunnel {
		const key = JSON.stringify([setting.destination, setting.identityFile, setting.jump])
		const user = Symbol('connection')
		const shared = this.#shared.get(key) ?? { users: new Set(), closing: new AbortController() }
		this.#shared.set(key, shared)
		shared.users.add(user)
		clearTimeout(shared.linger)
		return {
			dial: async (address, signal) => {
				for (let isAgain = false; ; isAgain = true) {
					if (!shared.users.has(user)) throw new Error('The connection was closed.')
					const tunnel = await raced(signal, this.#opened(shared, setting, connection))
					try {
						return await tunnel.dial(address, signal)
					} catch (error) {
						if (signal.aborted) throw error
						// An `ssh` that has lost its server takes a moment to end.
						const isLost = await Promise.race([tunnel.lost.then(() => true), sleep(lostMs, false)])
						if (isLost && !isAgain) continue
						this.#tell(error, setting, connection)
						throw error
					}
				}
			},
			release: () => {
				shared.users.delete(user)
				if (shared.users.size > 0) return
				shared.linger = setTimeout(() => void this.#close(key, shared), this.#options.lingerMs ?? lingerMs).unref()
			},
		}
	}

	/** Ends all tunnels. */
	async close(): Promise<void> {
		await Promise.all([...this.#shared].map(([key, shared]) => this.#close(key, shared)))
	}

	/** Returns the tunnel, and opens it if there is none or if it was lost. */
	#opened(shared: Shared, setting: SshSetting, connection: SshQuestion['connection']): Promise<Tunnel> {
		if (shared.opening) return shared.opening
		const given = new Map<string, { readonly asker: number; readonly text: string }>()
		const opening = Tunnel.open(setting, {
			...this.#options,
			signal: shared.closing.signal,
			answer: async (prompt, signal) => {
				const known = given.get(prompt.text)
				// One that asks again was given a wrong answer.
				const isAgain = known?.asker === prompt.asker
				if (prompt.kind === 'secret' && !isAgain) {
					const text = known?.text ?? this.#answers.get(prompt.text)
					if (text !== undefined) {
						given.set(prompt.text, { asker: prompt.asker, text })
						return text
					}
				}
				const answer = await this.#ask({ ...prompt, setting, connection }, signal)
				if (answer !== undefined && isKept(prompt)) given.set(prompt.text, { asker: prompt.asker, text: answer })
				return answer
			},
		})
		shared.opening = opening
		const forget = () => {
			if (shared.opening === opening) delete shared.opening
		}
		opening.then(
			tunnel => {
				for (const [prompt, { text }] of given) this.#answers.set(prompt, text)
				void tunnel.lost.then(forget)
			},
			error => {
				forget()
				for (const prompt of given.keys()) this.#answers.delete(prompt)
				if (!shared.closing.signal.aborted) this.#tell(error, setting, connection)
			},
		)
		return opening
	}

	async #ask(
		asked: SshPrompt & { readonly setting: SshSetting; readonly connection: SshQuestion['connection'] },
		signal: AbortSignal,
	): Promise<string | undefined> {
		const { kind, text, setting, connection } = asked
		const question = { kind: 'ssh', form: kind, text, destination: setting.destination, connection } as const
		const answer = await this.#options.desk.ask(question, signal)
		if (answer.decision !== 'approved') return undefined
		return kind === 'confirm' ? 'yes' : (answer.text ?? '')
	}

	/** What `ssh` says names hosts and files, so the person reads it, and no driver or client. */
	#tell(error: unknown, { destination }: SshSetting, connection: SshQuestion['connection']): void {
		if (!(error instanceof HostError) || !networkErrors.is(error, 'ssh_failed')) return
		const text = messageOf(error.cause)
		void this.#options.desk.ask(
			{ kind: 'ssh', form: 'fault', text, destination, connection },
			new AbortController().signal,
		)
	}

	async #close(key: string, shared: Shared): Promise<void> {
		clearTimeout(shared.linger)
		if (this.#shared.get(key) === shared) this.#shared.delete(key)
		shared.closing.abort(new Error('The tunnel was closed.'))
		const tunnel = await shared.opening?.catch(() => undefined)
		await tunnel?.close()
	}
}

/** A code is good once. */
const isKept = ({ kind, text }: SshPrompt) =>
	kind === 'secret' && /passphrase for|password:\s*$/i.test(text) && !/one-time|verification|otp|code/i.test(text)
