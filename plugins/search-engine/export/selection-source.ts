import { DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { BatchSize } from '../grid/batch-size.ts'
import { decodeRowId, type RowKey } from '../grid/row-id.ts'
import { type Hit, readHits } from '../hits/read-hits.ts'
import { repeatableRead } from '../transport/engine-request.ts'
import type { Transport } from '../transport/transport.ts'
import type { HitSource } from './hit-source.ts'

interface SelectedTable {
	readonly transport: Transport
	readonly table: string
}

/** Reads selected documents by id, in the order of the selection. */
export class SelectionSource implements HitSource {
	readonly #transport: Transport
	readonly #keys: readonly RowKey[]
	readonly #batch = new BatchSize()
	#done = 0
	#repeats = 0

	constructor({ transport, table }: SelectedTable, rowIds: readonly string[]) {
		this.#transport = transport
		this.#keys = rowIds.map(id => decodeRowId(id, table))
	}

	get total(): number {
		return this.#keys.length
	}

	get repeats(): number {
		return this.#repeats
	}

	async next(signal: AbortSignal): Promise<readonly Hit[]> {
		if (this.#done === this.#keys.length) return []
		const reply = await this.#batch.read({
			ask: size => {
				const docs = this.#keys.slice(this.#done, this.#done + size).map(addressOf)
				const request = { method: 'POST', path: '/_mget', body: { docs }, isWhole: true } as const
				return this.#transport.send({ ...request, ...repeatableRead }, signal)
			},
			sizeOf: ({ bytes }) => bytes.length,
		})
		this.#repeats += reply.repeats
		const { hits } = readHits(reply, ['docs'])
		const gone = hits.find(hit => hit.value('found') !== true)
		if (gone !== undefined) throw new DriverError('not_found', whyMissing(gone.read()))
		this.#done += hits.length
		return hits
	}

	async close(): Promise<void> {}
}

function addressOf({ index, id, routing }: RowKey): Json {
	return { _index: index, _id: id, ...(routing !== undefined && { routing }) }
}

function whyMissing({ _index, _id, error }: JsonObject): string {
	const reason = isJsonObject(error) ? `: ${String(error.reason)}` : ' any more'
	return `${String(_index)} has no document with the _id "${String(_id)}"${reason}. Select the documents again.`
}
