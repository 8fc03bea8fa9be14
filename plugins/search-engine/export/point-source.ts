import type { Json, JsonObject } from '@roundhouse/kit'
import { aroundHits } from '../grid/page.ts'
import { closePoint, keepAlive, openPoint } from '../grid/point-in-time.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { sortBody } from '../query/sort.ts'
import type { Transport } from '../transport/transport.ts'
import { BatchSize, type HitSource, type SourceOptions, wholeAnswer } from './hit-source.ts'

/** All hits of a search, by `search_after` over a point-in-time: what is written meanwhile neither moves nor doubles a row. */
export class PointSource implements HitSource {
	readonly #transport: Transport
	readonly #body: JsonObject
	readonly #batch: BatchSize
	#id: string
	#after: Json | undefined
	#total: number | undefined

	private constructor({ transport, body, keys, window }: SourceOptions, id: string) {
		this.#transport = transport
		this.#id = id
		this.#body = { ...body, sort: sortBody([...keys, { field: '_shard_doc', order: 'asc', nestedIn: [] }]) }
		this.#batch = new BatchSize(window)
	}

	static async open(options: SourceOptions, signal: AbortSignal): Promise<PointSource> {
		return new PointSource(options, await openPoint(options.transport, options.table, signal))
	}

	get total(): number | undefined {
		return this.#total
	}

	async next(signal: AbortSignal): Promise<readonly Hit[]> {
		const reply = await this.#batch.read(size =>
			this.#transport.send(
				{ method: 'POST', path: '/_search', search: wholeAnswer, body: this.#search(size), isRead: true },
				signal,
			),
		)
		const { around, hits } = readHits(reply)
		if (typeof around.pit_id === 'string') this.#id = around.pit_id
		this.#total ??= aroundHits(around).total?.value
		this.#after = hits.at(-1)?.value('sort')
		return hits
	}

	close(signal: AbortSignal): Promise<void> {
		return closePoint(this.#transport, this.#id, signal)
	}

	#search(size: number): JsonObject {
		return {
			...this.#body,
			size,
			track_total_hits: this.#total === undefined,
			pit: { id: this.#id, keep_alive: keepAlive },
			...(this.#after !== undefined && { search_after: this.#after }),
		}
	}
}
