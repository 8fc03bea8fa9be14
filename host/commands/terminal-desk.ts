import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { onAbort } from '../../base/on-abort.ts'
import { withoutControls } from '../../base/terminal-text.ts'
import type { WindowQuestion } from '../api/api.ts'
import type { HostClient } from '../api/client.ts'
import type { PersonDesk, PersonQuestion } from '../api/consent-desk.ts'

interface Answered {
	readonly decision: 'approved' | 'refused'
	readonly text?: string
}

/** Whether a person sits at the standard streams. */
export const hasTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stdout.isTTY)

/** Asks what `ssh` and commands for secrets need at the terminal. A secret is not shown while it is typed. */
export class TerminalDesk implements PersonDesk {
	readonly #input: NodeJS.ReadableStream
	readonly #output: NodeJS.WritableStream
	/** One line has the answer to one question. */
	#queue: Promise<unknown> = Promise.resolve()

	constructor({ input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }) {
		this.#input = input
		this.#output = output
	}

	/** An abort withdraws the question. */
	ask(question: PersonQuestion, signal: AbortSignal): Promise<Answered> {
		const asked = this.#queue.then(() => this.#ask(question, signal))
		this.#queue = asked
		return asked
	}

	async #ask(question: PersonQuestion, signal: AbortSignal): Promise<Answered> {
		if (signal.aborted) return { decision: 'refused' }
		this.#output.write(`${linesOf(question)}\n`)
		// What nothing answers ends with its `ssh`: a key that is touched.
		if (question.form === 'notice' || question.form === 'fault') return { decision: 'refused' }
		const isSecret = question.form === 'secret'
		const answer = await this.#line(isSecret ? 'Answer (it is not shown): ' : 'Yes or no? [y/N] ', { isSecret, signal })
		if (answer === undefined) return { decision: 'refused' }
		if (isSecret) return { decision: 'approved', text: answer }
		return { decision: /^y(es)?$/i.test(answer.trim()) ? 'approved' : 'refused' }
	}

	/** Returns a line, or `undefined` if the user leaves the question or it is withdrawn. */
	async #line(prompt: string, { isSecret, signal }: { readonly isSecret: boolean; readonly signal: AbortSignal }) {
		this.#output.write(prompt)
		const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
		const reader = createInterface({ input: this.#input, output: isSecret ? silent : this.#output, terminal: isSecret })
		const { promise, resolve } = Promise.withResolvers<string | undefined>()
		reader.once('line', resolve).once('SIGINT', () => resolve(undefined))
		reader.once('close', () => resolve(undefined))
		using _ = onAbort(signal, () => resolve(undefined))
		const line = await promise
		reader.close()
		if (isSecret || line === undefined) this.#output.write('\n')
		return line
	}
}

function linesOf(question: PersonQuestion): string {
	const { kind, text, connection } = question
	const whose = connection.name || 'a new connection'
	const head =
		kind === 'ssh'
			? `${question.isAgain ? 'The last answer was not accepted. ' : ''}For ${whose}, ssh says of ${question.destination}:`
			: question.form === 'agree'
				? `May this command read ${question.field} of ${whose}?`
				: `The command that reads ${question.field} of ${whose} failed:`
	return withoutControls(
		`${head}\n  ${(kind === 'secret' ? `${question.command}\n${text}` : text).replaceAll('\n', '\n  ')}`,
	)
}

/**
 * Asks the questions of a running host about one connection at the terminal while `work` runs. A window may answer first.
 */
export async function atTerminal<T>(
	{ host, connection, desk }: { readonly host: HostClient; readonly connection: string; readonly desk: TerminalDesk },
	work: () => Promise<T>,
): Promise<T> {
	const shown = new Map<string, AbortController>()
	const show = async (question: WindowQuestion) => {
		if (shown.has(question.id) || (question.kind !== 'ssh' && question.kind !== 'secret')) return
		const withdrawn = new AbortController()
		shown.set(question.id, withdrawn)
		const { decision, text } = await desk.ask(question, withdrawn.signal)
		if (withdrawn.signal.aborted || question.form === 'notice') return
		const answer = { id: question.id, isApproved: decision === 'approved', ...(text !== undefined && { text }) }
		await host.call('consent.answer', answer)
	}
	const look = async () => {
		const pending = (await host.call('consent.pending', {})).filter(one => one.connection.id === connection)
		for (const [id, withdrawn] of shown) if (!pending.some(one => one.id === id)) withdrawn.abort()
		await Promise.all(pending.map(show))
	}
	// The host ends these calls with the socket of the command.
	const ignore = () => {}
	using _ = host.onQuestions?.(() => void look().catch(ignore))
	host.call('consent.attend', { connection }).catch(ignore)
	try {
		return await work()
	} finally {
		for (const withdrawn of shown.values()) withdrawn.abort()
	}
}
