import type { JsonObject } from '@roundhouse/kit'
import { aroundHits } from '../grid/page.ts'
import { keepAlive } from '../grid/point-in-time.ts'
import type { ResultWindow } from '../grid/result-window.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { sortBody } from '../query/sort.ts'
import { openHeld } from '../transport/held-open.ts'
import type { Reply } from '../transport/reply.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'
import { type HitSource, type SourceOptions, wholeAnswer, wholeHits } from './hit-source.ts'

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
	/** A scroll is never repeated. */
	readonly repeats = 0
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
		const reply = this.#id === undefined ? await this.#open(signal) : await this.#advance(this.#id, signal)
		const { around, hits } = wholeHits(reply)
		if (typeof around._scroll_id === 'string') this.#id = around._scroll_id
		this.#total ??= aroundHits(around).total?.value
		return hits
	}

	async close(signal: AbortSignal): Promise<void> {
		if (this.#id !== undefined) await this.#closeScroll(this.#id, signal)
	}

	#open(signal: AbortSignal): Promise<Reply> {
		const request = {
			method: 'POST',
			path: `${pathOf(this.#table)}/_search`,
			search: `scroll=${keepAlive}&${wholeAnswer}`,
			isRead: false,
		} as const
		return openHeld(
			unstopped =>
				this.#window.within(rowsPerBatch, size =>
					this.#transport.send({ ...request, body: { ...this.#body, size } }, unstopped),
				),
			async reply => {
				const { _scroll_id: id } = readHits(reply).around
				if (typeof id === 'string') await this.#closeScroll(id, AbortSignal.timeout(5_000))
			},
			signal,
		)
	}

	/** Not retried: each request advances the scroll, also if its answer is lost. */
	#advance(id: string, signal: AbortSignal): Promise<Reply> {
		const body = { scroll: keepAlive, scroll_id: id }
		return this.#transport.send({ method: 'POST', path: '/_search/scroll', body, isRead: false }, signal)
	}

	async #closeScroll(id: string, signal: AbortSignal): Promise<void> {
		const body = { scroll_id: id }
		await this.#transport.exchange({ method: 'DELETE', path: '/_search/scroll', body, isRead: true }, signal)
	}
}
