import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpAddress } from '@roundhouse/kit'
import { HostError, messageOf } from '../../../base/errors.ts'
import { raced } from '../../../base/on-abort.ts'
import { sweepOwnedFolders } from '../../../base/owned-folder.ts'
import { labelOf } from '../address.ts'
import { networkErrors } from '../errors.ts'
import type { SshPrompt } from './askpass.ts'
import { type SshForwards, usualForwards } from './command.ts'
import { haveOwnNames } from './hosts-on-the-way.ts'
import { PipedTunnel } from './piped-tunnel.ts'
import type { SshSetting } from './ssh-setting.ts'
import type { SshStep } from './steps.ts'
import { type OpenTunnel, Tunnel, type TunnelOptions, tunnelPrefix } from './tunnel.ts'

/** A question of `ssh` to the user, or a sentence. */
export interface SshQuestion {
	readonly kind: 'ssh'
	/** `fault`: why a tunnel was not opened. */
	readonly form: SshPrompt['kind'] | 'fault'
	readonly text: string
	readonly destination: string
	/** Whether the answer may be remembered on this machine: the passphrase of a key. */
	readonly canRemember?: boolean
	/** Whether the last answer to it was wrong, of which `ssh` says nothing. */
	readonly isAgain?: boolean
	/** The connection that needs the tunnel first. */
	readonly connection: { readonly id: string; readonly name: string; readonly driverId: string }
}

/** Shows questions of `ssh`. An abort withdraws one. */
export interface SshDesk {
	ask(
		question: SshQuestion,
		signal: AbortSignal,
	): Promise<{
		readonly decision: 'approved' | 'refused' | 'unattended'
		readonly text?: string
		readonly remembers?: boolean
	}>
}

/** Hears what a test of a connection shows of its tunnel. */
export interface SshTrial {
	onStep(step: SshStep): void
	/** Takes the sentence for the person, which no sheet shows then. */
	onFault(fault: Error): void
}

/** Passphrases that the user lets this machine remember, by the connection and the question of `ssh`. */
export interface Passphrases {
	passphrase(connection: string, question: string): Promise<string | undefined>
	rememberPassphrase(connection: string, question: string, passphrase: string): Promise<void>
	forgetPassphrases(connection: string, question: string): Promise<void>
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
	opening?: Promise<OpenTunnel>
	/** Those of the present tunnel. */
	steps: SshStep[]
	readonly trials: Set<SshTrial>
	closing: AbortController
	linger?: ReturnType<typeof setTimeout>
}

interface Opening {
	readonly setting: SshSetting
	readonly connection: SshQuestion['connection']
	readonly trial?: SshTrial | undefined
}

interface TunnelsOptions extends Pick<TunnelOptions, 'extra' | 'silentMs' | 'endingMs'> {
	readonly desk: SshDesk
	/** Without it, answers stay in memory. */
	readonly passphrases?: Passphrases
	readonly lingerMs?: number
	/** Default: what the `ssh` of this platform can do. */
	readonly forwards?: SshForwards
}

/** The tunnels of this host: one `ssh` for each destination, shared by its connections. */
export class Tunnels {
	readonly #options: TunnelsOptions
	readonly #shared = new Map<string, Shared>()
	/**
	 * Passphrases and passwords that opened a tunnel, by `answerKey`: a lost tunnel is opened again without asking.
	 */
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

	hold(setting: SshSetting, connection: SshQuestion['connection'], trial?: SshTrial): HeldTunnel {
		const key = keyOf(setting)
		const user = Symbol('connection')
		const shared = this.#shared.get(key) ?? {
			users: new Set(),
			closing: new AbortController(),
			steps: [],
			trials: new Set(),
		}
		this.#shared.set(key, shared)
		shared.users.add(user)
		clearTimeout(shared.linger)
		const reached = new Set<string>()
		const tell = (error: unknown) => this.#tell(error, { setting, connection, trial })
		return {
			dial: async (address, signal) => {
				for (let isAgain = false; ; isAgain = true) {
					if (!shared.users.has(user)) throw new Error('The connection was closed.')
					if (trial && !shared.trials.has(trial)) {
						shared.trials.add(trial)
						for (const step of shared.opening ? shared.steps : []) trial.onStep(step)
					}
					const tunnel = await raced(signal, this.#opened(shared, { setting, connection, address })).catch(error => {
						if (trial) tell(error)
						throw error
					})
					try {
						const socket = await tunnel.dial(address, signal)
						const label = labelOf(address)
						if (!reached.has(label)) trial?.onStep({ kind: 'forwarded', text: `Reached ${label} from there` })
						reached.add(label)
						return socket
					} catch (error) {
						if (signal.aborted) throw error
						// An `ssh` that has lost its server takes a moment to end.
						const isLost = await Promise.race([tunnel.lost.then(() => true), sleep(lostMs, false)])
						if (isLost && !isAgain) continue
						tell(error)
						throw error
					}
				}
			},
			release: () => {
				if (!shared.users.delete(user)) return
				if (trial) shared.trials.delete(trial)
				if (shared.users.size > 0) return
				shared.linger = setTimeout(() => void this.#close(key, shared), this.#options.lingerMs ?? lingerMs).unref()
			},
		}
	}

	/** Ends all tunnels. */
	async close(): Promise<void> {
		await Promise.all([...this.#shared].map(([key, shared]) => this.#close(key, shared)))
	}

	/** Returns the tunnel, and opens it if there is none or if it was lost. @param opening with the first address */
	#opened(
		shared: Shared,
		{ setting, connection, address }: Opening & { readonly address: TcpAddress },
	): Promise<OpenTunnel> {
		shared.closing.signal.throwIfAborted()
		if (shared.opening) return shared.opening
		shared.steps = []
		const given = new Map<string, { readonly asker: number; readonly text: string }>()
		let isUnattended = false
		const remembered = new Set<string>()
		const { passphrases } = this.#options
		const { id } = connection
		/** A key is of this machine, so its passphrase is for all hosts. */
		const isOfOne = async (question: string) =>
			isPassphrase(question) || (await haveOwnNames(setting, this.#options.extra))
		const options: TunnelOptions = {
			...this.#options,
			signal: shared.closing.signal,
			onStep: step => {
				shared.steps.push(step)
				for (const trial of shared.trials) trial.onStep(step)
			},
			answer: async (prompt, signal) => {
				const known = given.get(prompt.text)
				// One that asks again was given a wrong answer.
				const isAgain = known?.asker === prompt.asker
				if (prompt.kind === 'secret' && !isAgain && !prompt.isOfServer && (await isOfOne(prompt.text))) {
					const text =
						known?.text ??
						this.#answers.get(answerKey(setting, prompt.text)) ??
						(await passphrases?.passphrase(id, prompt.text))
					if (text !== undefined) {
						given.set(prompt.text, { asker: prompt.asker, text })
						return text
					}
				}
				if (isAgain) {
					remembered.delete(prompt.text)
					await passphrases?.forgetPassphrases(id, prompt.text)
				}
				const { decision, text = '', remembers } = await this.#ask({ ...prompt, isAgain, setting, connection }, signal)
				if (remembers && this.#canRemember(prompt, connection)) remembered.add(prompt.text)
				if (decision === 'unattended') isUnattended = true
				const answer = decision !== 'approved' ? undefined : prompt.kind === 'confirm' ? 'yes' : text
				if (answer !== undefined && isKept(prompt)) given.set(prompt.text, { asker: prompt.asker, text: answer })
				return answer
			},
		}
		const { forwards = usualForwards } = this.#options
		const started = forwards === 'pipes' ? PipedTunnel.open(setting, options, address) : Tunnel.open(setting, options)
		const opening: Promise<OpenTunnel> = started.catch(error => {
			const { destination } = setting
			throw isUnattended ? networkErrors.make('ssh_unattended', { destination }) : error
		})
		shared.opening = opening
		const forget = () => {
			if (shared.opening === opening) delete shared.opening
		}
		opening.then(
			tunnel => {
				for (const [prompt, { text }] of given) this.#answers.set(answerKey(setting, prompt), text)
				// Where it is not stored, the user is asked again.
				for (const [prompt, { text }] of given)
					if (remembered.has(prompt)) void passphrases?.rememberPassphrase(id, prompt, text).catch(() => {})
				void tunnel.lost.then(forget)
			},
			error => {
				forget()
				// What opened it before stays if the way broke elsewhere.
				const isRefused = shared.steps.at(-1)?.kind === 'known'
				if (isRefused) for (const prompt of given.keys()) this.#answers.delete(answerKey(setting, prompt))
				// A test that waits for it tells the person itself.
				const isTold = shared.closing.signal.aborted || shared.trials.size > 0
				if (!isTold) this.#tell(error, { setting, connection })
			},
		)
		return opening
	}

	#ask(asked: SshPrompt & Opening & { readonly isAgain: boolean }, signal: AbortSignal): ReturnType<SshDesk['ask']> {
		const { kind, text, isAgain, setting, connection } = asked
		const { destination } = setting
		const canRemember = this.#canRemember(asked, connection)
		const question = {
			kind: 'ssh',
			form: kind,
			text,
			destination,
			connection,
			...(canRemember && { canRemember }),
			...(isAgain && { isAgain }),
		} as const
		return this.#options.desk.ask(question, signal)
	}

	#canRemember({ kind, text, isOfServer }: SshPrompt, { id }: SshQuestion['connection']): boolean {
		return (
			kind === 'secret' && !isOfServer && isPassphrase(text) && id !== '' && this.#options.passphrases !== undefined
		)
	}

	/** What `ssh` says names hosts and files, so the person reads it, and no driver or client. */
	#tell(error: unknown, { setting, connection, trial }: Opening): void {
		if (networkErrors.is(error, 'ssh_unattended') && error instanceof HostError) return trial?.onFault(error)
		if (!(error instanceof HostError) || !(error.cause instanceof Error) || !networkErrors.is(error, 'ssh_failed'))
			return
		if (trial) return trial.onFault(error.cause)
		const { destination } = setting
		const text = messageOf(error.cause)
		const fault = { kind: 'ssh', form: 'fault', text, destination, connection } as const
		// The caller has the error, without the words of ssh.
		this.#options.desk.ask(fault, new AbortController().signal).catch(() => {})
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
const isKept = ({ kind, text, isOfServer }: SshPrompt) =>
	kind === 'secret' &&
	!isOfServer &&
	/passphrase for|password:\s*$/i.test(text) &&
	!/one-time|verification|otp|code/i.test(text)

const isPassphrase = (text: string) => /^Enter passphrase for key '/.test(text)

/** The question for a password names no port, so one of another server may read the same. A key is of this machine. */
const answerKey = (setting: SshSetting, question: string) =>
	isPassphrase(question) ? question : `${keyOf(setting)} ${question}`

const keyOf = ({ destination, identityFile, jump }: SshSetting) => JSON.stringify([destination, identityFile, jump])
