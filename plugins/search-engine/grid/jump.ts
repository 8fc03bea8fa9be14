import type { Json, JsonObject } from '@roundhouse/kit'
import type { SortKey } from '../mapping/sort-key.ts'
import { numberOf, objectOf } from '../transport/answer.ts'
import type { OpenView } from './open-view.ts'
import type { ResultWindow } from './result-window.ts'

/** Enough to place the value at a fraction of all rows within two hundredths. */
const sampleSize = 1_000

/** Each round reduces the rest to about a twentieth, so 4 reach any row of any index, except for ties. */
const maxRounds = 5

/**
 * Finds a distant position by the values of the first sort key. A random sample estimates the value there, the engine
 * counts the rows before it, and the last few thousand rows are skipped.
 *
 * The result is exact, because the rows before a value are those with a smaller one, which is what a `range` counts. Of
 * several values the smallest determines the row's place; in descending order the largest. Ties are left to the skip,
 * which uses the full order. If more rows than the window share a value, or the kind of key is not certain, the
 * position is only near the target. The rest is then walked.
 */
export class Jump {
	readonly #view: OpenView
	readonly #key: SortKey | undefined
	readonly #window: ResultWindow

	constructor(view: OpenView, keys: readonly SortKey[], window: ResultWindow) {
		const [first] = keys
		this.#view = view
		// A score is not a value that can be counted by, and a different query would change it.
		const isCountable = first?.isCountable === true && keys.every(({ field }) => field !== '_score')
		this.#key = isCountable ? first : undefined
		this.#window = window
	}

	/** Keeps a position in the view that is at `target` or shortly before it. */
	async towards(target: number, signal: AbortSignal): Promise<void> {
		const key = this.#key
		if (key === undefined || this.#view.notices.length > 0) return
		const found = await this.#narrow(key, target, signal)
		if (found.before === undefined) return
		const rest = Math.min(target - found.rows, this.#window.rows)
		if (rest === 0) return
		const query = this.#matching([], [found.before])
		const part = { query, from: rest - 1, size: 1, track_total_hits: true }
		const { hits, total, notices } = await this.#view.look(part, { filterPath: 'hits.total,hits.hits.sort' }, signal)
		const position = hits[0]?.value('sort')
		const isWhole = total?.value === this.#view.total - found.rows && notices.length === 0
		if (isWhole && Array.isArray(position)) this.#view.forward.keep(found.rows + rest, position)
	}

	/** Returns the rows before a value, as close to `target` as the sample allows, but fewer than `target`. */
	async #narrow(key: SortKey, target: number, signal: AbortSignal): Promise<Bound> {
		let low: Bound = { rows: 0 }
		let high: Bound = { rows: this.#view.total }
		for (let round = 0; round < maxRounds && target - low.rows > this.#window.rows; round++) {
			const sample = await this.#sample(key, { low, high }, signal)
			const guess = sample[Math.floor(((target - low.rows) / (high.rows - low.rows)) * sample.length * 0.98)]
			// Rows without a value come after all values.
			const before = guess === undefined ? { exists: { field: key.field } } : beforeValue(key, guess)
			const rows = await this.#view.count(this.#matching([before]), signal)
			if (rows === low.rows || rows === high.rows) break
			if (rows < target) low = { rows, before }
			else high = { rows, before }
		}
		return low
	}

	/**
	 * Returns some sorted values of the rows between two bounds. Only for an estimate, so texts are sorted by
	 * JavaScript's order.
	 */
	async #sample(
		key: SortKey,
		{ low, high }: { readonly low: Bound; readonly high: Bound },
		signal: AbortSignal,
	): Promise<readonly Json[]> {
		const among = this.#matching(
			high.before === undefined ? [] : [high.before],
			low.before === undefined ? [] : [low.before],
		)
		const part = {
			query: { function_score: { query: among, random_score: {}, boost_mode: 'replace' } },
			size: Math.min(sampleSize, this.#window.rows),
			sort: ['_score'],
			docvalue_fields: [{ field: key.field, ...formatOf(key) }],
		}
		const { hits } = await this.#view.look(part, { filterPath: 'hits.hits.fields' }, signal)
		const isAscending = key.order === 'asc'
		const values = hits.map(hit => {
			const all = objectOf(hit.value('fields'))[key.field]
			const inOrder = Array.isArray(all) ? all.toSorted(compare) : []
			return inOrder.at(isAscending ? 0 : -1)
		})
		const known = values.filter(value => value !== undefined).toSorted(compare)
		return isAscending ? known : known.toReversed()
	}

	#matching(must: readonly JsonObject[], mustNot: readonly JsonObject[] = []): JsonObject {
		return { bool: { filter: [this.#view.query, ...must], must_not: mustNot } }
	}
}

/** A value of the key: the query for the rows before it, and their number. */
interface Bound {
	readonly rows: number
	readonly before?: JsonObject
}

function beforeValue(key: SortKey, value: Json): JsonObject {
	return { range: { [key.field]: { [key.order === 'asc' ? 'lt' : 'gt']: value, ...formatOf(key) } } }
}

function formatOf({ isDate }: SortKey): JsonObject {
	return isDate === true ? { format: 'epoch_millis' } : {}
}

function compare(a: Json, b: Json): number {
	const [left, right] = [comparable(a), comparable(b)]
	return left < right ? -1 : left > right ? 1 : 0
}

function comparable(value: Json): number | string {
	return typeof value === 'string' ? value : numberOf(value)
}
