import { DriverError, type FactSection, type Json, type JsonObject } from '@roundhouse/kit'
import type { Transport } from '../transport/transport.ts'
import { type SectionContent, within } from './describe.ts'

/** The request of a section: a GET, some with a body. */
export interface FactRequest {
	readonly path: string
	readonly search?: string
	readonly body?: JsonObject
}

/** Reads sections of facts. A section that the cluster rejects says why, and does not affect the others. */
export class FactReader {
	readonly #transport: Transport
	readonly #signal: AbortSignal

	constructor(transport: Transport, signal: AbortSignal) {
		this.#transport = transport
		this.#signal = signal
	}

	async section(title: string, request: FactRequest, describe: (answer: Json) => SectionContent): Promise<FactSection> {
		const { path, search, body } = request
		const line = `GET ${path}${search === undefined ? '' : `?${search}`}`
		const statement = body === undefined ? line : `${line}\n${JSON.stringify(body, null, 2)}`
		try {
			const reply = await this.#transport.send({ method: 'GET', ...request, isRead: true }, this.#signal)
			return { title, statement, ...within(describe(reply.json())) }
		} catch (error) {
			if (!(error instanceof DriverError) || error.code === 'user_cancelled') throw error
			return { title, statement, notice: error.message }
		}
	}
}
