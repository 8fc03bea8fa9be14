import { DriverError, type FactSection, type Json, type JsonObject } from '@roundhouse/kit'
import type { ClusterConnection } from '../transport/cluster-connection.ts'
import { bareWords, EngineError } from '../transport/engine-error.ts'
import { NotOffered, saysNotOffered } from '../transport/serverless.ts'
import { type SectionContent, within } from './describe.ts'

/** The request of a section: a GET, some with a body. */
export interface FactRequest {
	readonly path: string
	readonly search?: string
	readonly body?: JsonObject
	/** `false` if Elasticsearch Serverless does not offer it. Such a request is not sent there. */
	readonly isOnServerless?: false
}

/** Reads sections of facts. A section that the cluster rejects says why, and does not affect the others. */
export class FactReader {
	readonly #cluster: ClusterConnection
	readonly #signal: AbortSignal

	constructor(cluster: ClusterConnection, signal: AbortSignal) {
		this.#cluster = cluster
		this.#signal = signal
	}

	get isServerless(): boolean {
		return this.#cluster.engine.isServerless
	}

	/** @throws DriverError */
	async read({ isOnServerless, ...request }: FactRequest): Promise<Json> {
		if (this.isServerless && isOnServerless === false) throw new NotOffered()
		return (await this.#cluster.transport.send({ method: 'GET', ...request, isRead: true }, this.#signal)).json()
	}

	/** Like {@link section}, but returns nothing if this distribution or version does not have the endpoint. */
	async sectionIfThere(
		title: string,
		request: FactRequest,
		describe: (answer: Json) => SectionContent,
	): Promise<FactSection | undefined> {
		try {
			return { title, statement: statementOf(request), ...within(describe(await this.read(request))) }
		} catch (error) {
			if (isUnknownEndpoint(error)) return undefined
			if (isEmptyAnswer(error)) return { title, statement: statementOf(request), ...describe({}) }
			return this.#refused(title, request, error)
		}
	}

	async section(title: string, request: FactRequest, describe: (answer: Json) => SectionContent): Promise<FactSection> {
		try {
			return { title, statement: statementOf(request), ...within(describe(await this.read(request))) }
		} catch (error) {
			return this.#refused(title, request, error)
		}
	}

	#refused(title: string, request: FactRequest, error: unknown): FactSection {
		if (!(error instanceof DriverError) || error.code === 'user_cancelled') throw error
		// A credential that may not read the version of the cluster does not show that this is Serverless.
		const refusal = saysNotOffered(error) ? new NotOffered() : error
		if (refusal instanceof NotOffered) return { title, notice: refusal.message }
		return { title, statement: statementOf(request), notice: error.message }
	}
}

/** The engine names an unknown path or method in a text, and any other error in an object. */
function isUnknownEndpoint(error: unknown): boolean {
	return error instanceof EngineError && [400, 404, 405].includes(error.status) && error.type === bareWords
}

/** Some lists without members are answered with 404 and no error: `GET /_ingest/pipeline`. */
const isEmptyAnswer = (error: unknown) => error instanceof EngineError && error.status === 404 && error.type === ''

function statementOf({ path, search, body }: FactRequest): string {
	const line = `GET ${path}${search === undefined ? '' : `?${search}`}`
	return body === undefined ? line : `${line}\n${JSON.stringify(body, null, 2)}`
}
