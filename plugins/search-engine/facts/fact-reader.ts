import { DriverError, type FactSection, type Json, type JsonObject } from '@roundhouse/kit'
import type { Transport } from '../transport/transport.ts'
import { type Told, within } from './telling.ts'

/** What a section is read from: a GET, and the body that some take. */
export interface Question {
	readonly path: string
	readonly search?: string
	readonly body?: JsonObject
}

/** Reads sections of facts. One that the cluster refuses says why, and the others stand all the same. */
export class FactReader {
	readonly #transport: Transport
	readonly #signal: AbortSignal

	constructor(transport: Transport, signal: AbortSignal) {
		this.#transport = transport
		this.#signal = signal
	}

	async section(title: string, question: Question, tell: (answer: Json) => Told): Promise<FactSection> {
		const { path, search, body } = question
		const line = `GET ${path}${search === undefined ? '' : `?${search}`}`
		const statement = body === undefined ? line : `${line}\n${JSON.stringify(body, null, 2)}`
		try {
			const reply = await this.#transport.send({ method: 'GET', ...question, isRead: true }, this.#signal)
			return { title, statement, ...within(tell(reply.json())) }
		} catch (error) {
			if (!(error instanceof DriverError) || error.code === 'user_cancelled') throw error
			return { title, statement, notice: error.message }
		}
	}
}
