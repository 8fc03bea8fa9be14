import { type Filter, type GridQuery, isJsonObject, parseJson } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect } from 'vitest'
import { connect } from '../../connect.ts'
import type { SearchConnection } from '../../connection.ts'
import { call, decode } from '../fixture.ts'
import { documents, keyword, manySource, mappings } from './documents.ts'

export interface Engine {
	readonly url: string
	/** Where the driver connects, if not to `url`. */
	readonly hosts?: string
	close(): Promise<void>
}

/** The cluster under test: a connection of the driver, direct requests, and two tables that are deleted at the end. */
export class EngineUnderTest {
	readonly #open: () => Promise<Engine>
	#engine: Engine | undefined
	#connection: SearchConnection | undefined
	/** Five documents with a field of each kind. */
	readonly table = `rh-contract-${Date.now().toString(36)}`
	/** 10,500 documents, which is more than `index.max_result_window`. */
	readonly largeTable = `${this.table}-many`

	constructor(open: () => Promise<Engine>) {
		this.#open = open
	}

	get url(): string {
		if (this.#engine === undefined) throw new Error('not open')
		return this.#engine.url
	}

	get connection(): SearchConnection {
		if (this.#connection === undefined) throw new Error('not open')
		return this.#connection
	}

	async open() {
		this.#engine = await this.#open()
		this.#connection = await connect(
			{ hosts: this.#engine.hosts ?? this.url, auth: 'none', timeZone: 'UTC' },
			directContext(),
			call(),
		)
		await this.createTable(this.table, mappings)
		await this.createTable(this.largeTable, { properties: { m: keyword, n: { type: 'long' } } })
		await this.bulk(this.table, documents)
		await this.bulk(
			this.largeTable,
			Array.from({ length: 10_500 }, (_, n) => [String(n), manySource(n)] as const),
		)
	}

	async close() {
		await this.request('DELETE', `/${this.table}`)
		await this.request('DELETE', `/${this.largeTable}`)
		await this.#connection?.close()
		await this.#engine?.close()
	}

	/** Returns the same cluster with another connection of the driver. */
	through(connection: SearchConnection): ConnectedEngine {
		const { table } = this
		return {
			connection,
			table,
			request: (method, path, body) => this.request(method, path, body),
			bulk: (index, lines) => this.bulk(index, lines),
			queryOf: more => this.queryOf(more),
		}
	}

	/** Creates a table with one shard and no replica. `settings` are merged into the default settings. */
	async createTable(name: string, mappings: object, settings: object = {}) {
		const body = { settings: { number_of_shards: 1, number_of_replicas: 0, ...settings }, mappings }
		const { status, body: answer } = await this.request('PUT', `/${name}`, body)
		expect(status, JSON.stringify(answer)).toBe(200)
	}

	async request(method: string, path: string, body?: unknown) {
		const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
		const response = await fetch(`${this.url}${path}`, {
			method,
			...(text !== undefined && { body: text }),
			headers: { 'content-type': 'application/json' },
		})
		const answer = await response.text()
		return { status: response.status, body: answer === '' ? null : parseJson(answer) }
	}

	async bulk(index: string, lines: readonly (readonly [id: string, source: string])[]) {
		const text = lines.map(([id, source]) => `{"index":{"_index":"${index}","_id":"${id}"}}\n${source}\n`).join('')
		const { body } = await this.request('POST', '/_bulk?refresh=true', text)
		expect(isJsonObject(body) && body.errors).toBe(false)
	}

	/** Returns the error of a request that the engine rejects. */
	async errorOf(method: string, path: string, body?: unknown) {
		const answer = await this.request(method, path, body)
		const error = isJsonObject(answer.body) && isJsonObject(answer.body.error) ? answer.body.error : {}
		const shards = Array.isArray(error.failed_shards) ? error.failed_shards : []
		const shard = isJsonObject(shards[0]) && isJsonObject(shards[0].reason) ? shards[0].reason : error
		return { status: answer.status, type: shard.type, reason: String(shard.reason) }
	}

	queryOf(more: Partial<GridQuery> = {}): GridQuery {
		return { table: this.table, filters: [], match: 'all', sort: [], ...more }
	}

	/** Returns the ids of the first hundred rows, in order. */
	async idsOf(more: Partial<GridQuery>): Promise<string[]> {
		const grid = await this.connection.openGrid(this.queryOf(more), call())
		const page = decode(await grid.page({ offset: 0, limit: 100 }, call()))
		await grid.close()
		return page.rows.map(row => String(row.cells[0]))
	}

	async idsMatching(...filters: Filter[]): Promise<string> {
		return (await this.idsOf({ filters })).sort().join(' ')
	}
}

/** What tests of a connection need. */
export type ConnectedEngine = Pick<EngineUnderTest, 'connection' | 'table' | 'request' | 'bulk' | 'queryOf'>

export function filter(column: string, operator: Filter['operator'], ...values: string[]): Filter {
	return { column, operator, values }
}
