import { randomUUID } from 'node:crypto'
import { Emitter } from '../base/emitter.ts'
import type { ReachDesk, ReachQuestion } from '../connections/reaches.ts'
import type { Answer, ConsentDesk, Question } from '../mcp/index.ts'

/** A question on its way to the person, as the window shows it. */
export type PendingQuestion = (Question | ReachQuestion) & { readonly id: string; readonly askedAt: string }

interface Pending {
	readonly question: PendingQuestion
	settle(answer: Answer): void
}

/**
 * Where the questions of AI clients and drivers meet the person: every window shows them, and the first answer counts. Where no window
 * is open one is opened; where none can be had the answer is that nobody was asked. Nothing is approved here.
 */
export class WindowDesk implements ConsentDesk, ReachDesk {
	readonly #pending = new Map<string, Pending>()
	readonly #changed = new Emitter()
	/** Tells when a question comes or goes. */
	readonly onChange = this.#changed.on
	readonly #openWindow: () => Promise<boolean>
	#windows = 0

	/** `openWindow` says whether it could. */
	constructor(openWindow: () => Promise<boolean>) {
		this.#openWindow = openWindow
	}

	pending(): readonly PendingQuestion[] {
		return [...this.#pending.values()].map(({ question }) => question)
	}

	/** A window came; returns what to call when it goes. Questions wait on for the next one. */
	attach(): () => void {
		this.#windows++
		return () => {
			this.#windows--
		}
	}

	get hasWindow(): boolean {
		return this.#windows > 0
	}

	/** Whether a window is there to ask in; one is opened where none is. */
	async ensureWindow(): Promise<boolean> {
		return this.hasWindow || (await this.#openWindow())
	}

	async ask(question: Question | ReachQuestion, signal: AbortSignal): Promise<Answer> {
		if (signal.aborted) return { decision: 'refused' }
		if (!(await this.ensureWindow())) return { decision: 'nobody' }
		const id = randomUUID()
		const { promise, resolve } = Promise.withResolvers<Answer>()
		const settle = (answer: Answer) => {
			if (this.#pending.delete(id)) this.#changed.fire()
			resolve(answer)
		}
		const withdraw = () => settle({ decision: 'refused' })
		signal.addEventListener('abort', withdraw, { once: true })
		this.#pending.set(id, { question: { ...question, id, askedAt: new Date().toISOString() }, settle })
		this.#changed.fire()
		return promise.finally(() => signal.removeEventListener('abort', withdraw))
	}

	/** The person's answer; one to a question that is gone is of no effect. */
	answer(id: string, answer: Answer): void {
		this.#pending.get(id)?.settle(answer)
	}
}
