import type { JsonObject } from '@roundhouse/kit'
import { aroundHits } from '../grid/page.ts'
import { keepAlive } from '../grid/point-in-time.ts'
import type { ResultWindow } from '../grid/result-window.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { sortBody } from '../query/sort.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { type HitSource, type SourceOptions, wholeAnswer } from './hit-source.ts'

/**
 * Number of rows per batch. A scroll cannot change its batch size later, so the initial size must also be suitable for
 * large documents.
 */
const rowsPerBatch = 500

/**
 * Reads all hits of a search on engine versions 7.0 to 7.11. These versions cannot sort a point-in-time by
 * `_shard_doc`.
 */
export class ScrollSource implements HitSource {
	readonly #transport: Transport
	readonly #table: string
	readonly #body: JsonObject
	readonly #window: ResultWindow
	#id: string | undefined
	#total: number | undefined

	constructor({ transport, table, body, keys, window }: SourceOptions) {
		this.#transport = transport
		this.#table = table
		this.#window = window
		this.#body = { ...body, sort: keys.length > 0 ? sortBody(keys) : ['_doc'], track_total_hits: true }
	}

	get total(): number | undefined {
		return this.#total
	}

	async next(signal: AbortSignal): Promise<readonly Hit[]> {
		// Not retried: each request advances the scroll, also if its answer is lost.
		const reply = await this.#window.within(rowsPerBatch, size =>
			this.#transport.send({ method: 'POST', isRead: false, ...this.#request(size) }, signal),
		)
		const { around, hits } = readHits(reply)
		if (typeof around._scroll_id === 'string') this.#id = around._scroll_id
		this.#total ??= aroundHits(around).total?.value
		return hits
	}

	async close(signal: AbortSignal): Promise<void> {
		if (this.#id === undefined) return
		const body = { scroll_id: this.#id }
		await this.#transport.exchange({ method: 'DELETE', path: '/_search/scroll', body, isRead: true }, signal)
	}

	#request(size: number) {
		if (this.#id !== undefined) return { path: '/_search/scroll', body: { scroll: keepAlive, scroll_id: this.#id } }
		return {
			path: `${pathOf(this.#table)}/_search`,
			search: `scroll=${keepAlive}&${wholeAnswer}`,
			body: { ...this.#body, size },
		}
	}
}
