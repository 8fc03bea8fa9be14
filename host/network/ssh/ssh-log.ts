import { messageOf } from '../../../base/errors.ts'
import { networkErrors } from '../errors.ts'
import { sshVersion } from './command.ts'
import { type SshStep, stepAfter, stepOf } from './steps.ts'

/** `ConnectTimeout` of `ssh` counts the time in which a person answers for an earlier hop, so it is not used. */
const defaultSilentMs = 20_000
const mostSaid = 6
const mostRefusals = 100

interface SshLogOptions {
	readonly destination: string
	/** Hears each step on the way to the server. */
	readonly onStep: (step: SshStep) => void
	/** How long a server or hop may be silent, in milliseconds. The time in which a person answers does not count. */
	readonly silentMs?: number | undefined
}

interface Refusal {
	readonly channel: string
	readonly words: string
	/** What `ssh` says of the channel when it ends. The path of its socket file is in it. */
	place?: string
	/** As `performance.now()`. */
	readonly heardAt: number
}

/** What one `ssh` prints: its log, and sentences for the person. A server has its part in them, so they decide nothing. */
export class SshLog {
	readonly #options: SshLogOptions
	/** The beginning of a line. */
	#heard = ''
	#step: SshStep | undefined
	/** Questions that wait for a person. */
	#questions = 0
	/** When something was heard or answered last, as `performance.now()`. */
	#heardAt = performance.now()
	/** What `ssh` said beside its log, the last lines. */
	#said: readonly string[] = []
	/** The last ones. */
	#refusals: readonly Refusal[] = []

	constructor(options: SshLogOptions) {
		this.#options = options
	}

	/** Why an address was not reached, in the words of the far side. */
	get refusal(): string | undefined {
		return this.#refusals.at(-1)?.words
	}

	/** As `refusal`, of a socket to a socket file. @param since as `performance.now()` */
	refusalAt(path: string, since: number): string | undefined {
		return this.#refusals.findLast(({ place, heardAt }) => heardAt >= since && place?.includes(` to ${path} port `))
			?.words
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
			this.#hearChannel(line)
			if (line !== '' && !/^(?:debug\d|OpenSSH_|Authenticated to)/.test(line))
				this.#said = [...this.#said, line].slice(-mostSaid)
		}
		return lines
	}

	#hearChannel(line: string): void {
		const [, channel, words] = /^channel (\d+): open failed: (.+)/.exec(line) ?? []
		if (channel !== undefined && words !== undefined)
			this.#refusals = [...this.#refusals, { channel, words, heardAt: this.#heardAt }].slice(-mostRefusals)
		const [, ended, place] = /^debug1: channel (\d+): free: (.+)/.exec(line) ?? []
		const refusal = this.#refusals.findLast(({ channel, place }) => channel === ended && place === undefined)
		if (refusal && place !== undefined) refusal.place = place
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
		return this.failed(stepAfter(this.#step), words || 'ssh ended, and gave no reason.')
	}

	/** Returns what `ssh` says of itself. @throws HostError `network/ssh_failed` if there is none */
	async version(): Promise<string> {
		return sshVersion().catch(error => {
			throw this.failed(
				'start',
				error.code === 'ENOENT' ? 'This machine has no ssh. Install OpenSSH.' : messageOf(error),
			)
		})
	}

	/** Returns `network/ssh_failed`, whose cause is for the person alone. */
	failed(step: string, reason: string): Error {
		const { destination } = this.#options
		const cause = networkErrors.make('ssh_step', { destination, step, reason })
		return networkErrors.make('ssh_failed', { destination }, { cause })
	}
}
