import { randomUUID } from 'node:crypto'
import { Emitter } from '../../base/emitter.ts'
import { onAbort } from '../../base/on-abort.ts'
import type { AddressDesk, AddressQuestion } from '../connections/network-access.ts'
import type { SecretDesk, SecretQuestion } from '../connections/secret-sources/secret-sources.ts'
import type { Answer, ConsentDesk, Question } from '../mcp/index.ts'
import type { SshDesk, SshQuestion } from '../network/ssh/tunnels.ts'

/** Questions about what a connection of the person needs. No AI client asks them or sees them. */
export type PersonQuestion = SshQuestion | SecretQuestion
export type PersonDesk = SshDesk & SecretDesk

type AnyQuestion = Question | AddressQuestion | PersonQuestion

/** A pending question for the window. */
export type PendingQuestion = AnyQuestion & {
	readonly id: string
	readonly askedAt: string
}

/** `text`: what `ssh` asks for. `remembers`: the user lets this machine remember it. */
export type WindowAnswer = Answer & { readonly text?: string; readonly remembers?: boolean }

interface Pending {
	readonly question: PendingQuestion
	settle(answer: WindowAnswer): void
}

/**
 * Holds the questions of AI clients, drivers, `ssh` and commands for secrets for the user. Every window shows them, and the first answer is used. If
 * no window is open, the desk opens one. If that fails, the answer is `unattended`: no user was asked. The desk itself
 * never approves a question.
 */
export class WindowDesk implements ConsentDesk, AddressDesk, PersonDesk {
	readonly #pending = new Map<string, Pending>()
	readonly #changed = new Emitter()
	/** Subscribes to new and removed questions. */
	readonly onChange = this.#changed.on
	readonly #openWindow: () => Promise<boolean>
	#windows = 0
	/** Connections whose questions of `ssh` and commands a terminal shows, each once for a terminal. */
	readonly #attended: string[] = []

	/** `openWindow` returns whether it succeeded. */
	constructor(openWindow: () => Promise<boolean>) {
		this.#openWindow = openWindow
	}

	pending(): readonly PendingQuestion[] {
		return [...this.#pending.values()].map(({ question }) => question)
	}

	/**
	 * Registers a window. Call the returned function when the window closes. Pending questions then wait for the next
	 * window.
	 */
	attach(): () => void {
		this.#windows++
		return () => {
			this.#windows--
		}
	}

	/** Registers a terminal for the questions about one connection, except those of AI clients. Call the returned function. */
	attend(connection: string): () => void {
		this.#attended.push(connection)
		return () => {
			this.#attended.splice(this.#attended.indexOf(connection), 1)
		}
	}

	get hasWindow(): boolean {
		return this.#windows > 0
	}

	/** Returns whether a window is open, and opens one if not. */
	async ensureWindow(): Promise<boolean> {
		return this.hasWindow || (await this.#openWindow())
	}

	async ask(question: AnyQuestion, signal: AbortSignal): Promise<WindowAnswer> {
		if (signal.aborted) return { decision: 'refused' }
		const isPersons = question.kind === 'ssh' || question.kind === 'secret'
		const isAttended = isPersons && this.#attended.includes(question.connection.id)
		if (!isAttended && !(await this.ensureWindow())) return { decision: 'unattended' }
		const id = randomUUID()
		const { promise, resolve } = Promise.withResolvers<WindowAnswer>()
		const settle = (answer: WindowAnswer) => {
			if (this.#pending.delete(id)) this.#changed.fire()
			resolve(answer)
		}
		using _ = onAbort(signal, () => settle({ decision: 'refused' }))
		this.#pending.set(id, { question: { ...question, id, askedAt: new Date().toISOString() }, settle })
		this.#changed.fire()
		return await promise
	}

	/** Applies the user's answer. An answer to a removed question is ignored. */
	answer(id: string, answer: WindowAnswer): void {
		this.#pending.get(id)?.settle(answer)
	}
}
