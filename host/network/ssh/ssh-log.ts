import { networkErrors } from '../errors.ts'
import { type SshStep, stepAfter, stepOf } from './steps.ts'

/** `ConnectTimeout` of `ssh` counts the time in which a person answers for an earlier hop, so it is not used. */
const defaultSilentMs = 20_000
const mostSaid = 6

interface SshLogOptions {
	readonly destination: string
	/** Hears each step on the way to the server. */
	readonly onStep: (step: SshStep) => void
	/** How long a server or hop may be silent, in milliseconds. The time in which a person answers does not count. */
	readonly silentMs?: number | undefined
}

/** What one `ssh` prints: its log, and sentences for the person. A server has its part in them, so they decide nothing. */
export class SshLog {
	readonly #options: SshLogOptions
	/** The beginning of a line. */
	#heard = ''
	#step: SshStep | undefined
	/** How it signs in. */
	#method = ''
	/** Questions that wait for a person. */
	#questions = 0
	/** When something was heard or answered last, as `performance.now()`. */
	#heardAt = performance.now()
	/** What `ssh` said beside its log, the last lines. */
	#said: readonly string[] = []
	readonly #refusals: string[] = []

	constructor(options: SshLogOptions) {
		this.#options = options
	}

	/** Why addresses were not reached, in the words of the far side. */
	get refusals(): readonly string[] {
		return this.#refusals
	}

	/**
	 * Whether the text of a question may be that of a server, as it wrote it. Since 8.5, `ssh` puts user and host before it,
	 * in parentheses.
	 */
	isOfServer(question: string): boolean {
		return this.#method === 'keyboard-interactive' && !question.startsWith('(')
	}

	/** Takes what `ssh` printed. Returns the lines that it ended. */
	hear(text: string): readonly string[] {
		this.#heardAt = performance.now()
		const lines = `${this.#heard}${text}`.split(/\r?\n/)
		this.#heard = lines.pop() ?? ''
		for (const line of lines) {
			const step = stepOf(line)
			if (step) {
				this.#step = step
				this.#options.onStep(step)
			}
			this.#method = /^debug1: Next authentication method: (\S+)/.exec(line)?.[1] ?? this.#method
			const refused = /open failed: (.+)/.exec(line)?.[1]
			if (refused !== undefined) this.#refusals.push(refused)
			if (line !== '' && !/^(?:debug\d|OpenSSH_|Authenticated to)/.test(line))
				this.#said = [...this.#said, line].slice(-mostSaid)
		}
		return lines
	}

	/** Waits for a person, whose time does not count. */
	async waitedFor<T>(answer: Promise<T>): Promise<T> {
		this.#questions++
		try {
			return await answer
		} finally {
			this.#questions--
			this.#heardAt = performance.now()
		}
	}

	/**
	 * A sign-in may wait for an agent or a key that is touched, of which nothing is heard.
	 * @throws HostError `network/ssh_failed` if nothing was heard for too long
	 */
	requireNews(): void {
		const { silentMs = defaultSilentMs } = this.#options
		const isSilent = this.#questions === 0 && performance.now() - this.#heardAt > silentMs
		if (isSilent && this.#step?.kind !== 'known')
			throw this.failed(stepAfter(this.#step), `no answer within ${Math.round(silentMs / 1000)} s`)
	}

	/** The error for an `ssh` that has ended before it was signed in. */
	ended(): Error {
		const words = [...this.#said, this.#heard].join(' ').trim()
		const isMissing = /ssh: (?:command )?not found/.test(words)
		return this.failed(stepAfter(this.#step), isMissing ? noSsh : words || 'ssh ended, and gave no reason.')
	}

	/** Returns `network/ssh_failed`, whose cause is for the person alone. */
	failed(step: string, reason: string): Error {
		const { destination } = this.#options
		const cause = networkErrors.make('ssh_step', { destination, step, reason })
		return networkErrors.make('ssh_failed', { destination }, { cause })
	}
}

export const noSsh = 'This machine has no ssh. Install OpenSSH.'
