import type { Json, JsonObject } from '@roundhouse/kit'
import type { SortKey } from '../query/sort.ts'
import { numberOf, objectOf } from '../transport/answer.ts'
import type { OpenView } from './open-view.ts'
import type { ResultWindow } from './result-window.ts'

/** Enough for the value at a fraction of all rows to lie within two hundredths of it. */
const sampleSize = 1_000

/** Each narrows what is left to a twentieth or so: 4 reach any row of any index, unless ties are in the way. */
const mostRounds = 5

/**
 * Finds a position far away by the values of the first sort key: a random sample guesses the value that stands there,
 * the engine counts the rows before it, and the last few thousand rows are skipped.
 *
 * Exact, because the rows before a value are those that hold a smaller one (of several values the smallest places a row;
 * in descending order it is the largest), which is what a `range` counts; ties are left to the skip, which goes by the
 * whole order. Where more rows than the window share a value, or the key is of a kind that this is not sure of, the
 * position comes as near as it can be, and the rest is walked.
 */
export class Jump {
	readonly #view: OpenView
	readonly #key: SortKey | undefined
	readonly #window: ResultWindow

	constructor(view: OpenView, keys: readonly SortKey[], window: ResultWindow) {
		const [first] = keys
		this.#view = view
		// A score is not a value that could be counted by, and another query would give another one.
		const isCountable = first?.isCountable === true && keys.every(({ field }) => field !== '_score')
		this.#key = isCountable ? first : undefined
		this.#window = window
	}

	/** Leaves a position in the view that is at `target` or not far before it. */
	async towards(target: number, signal: AbortSignal): Promise<void> {
		const key = this.#key
		if (key === undefined || this.#view.notices.length > 0) return
		const found = await this.#narrow(key, target, signal)
		if (found.before === undefined) return
		const rest = Math.min(target - found.rows, this.#window.rows)
		if (rest === 0) return
		const query = this.#matching([], [found.before])
		const part = { query, from: rest - 1, size: 1, track_total_hits: true }
		const { hits, total, notices } = await this.#view.look(part, 'hits.total,hits.hits.sort', signal)
		const position = hits[0]?.value('sort')
		const isWhole = total?.value === this.#view.total - found.rows && notices.length === 0
		if (isWhole && Array.isArray(position)) this.#view.forward.keep(found.rows + rest, position)
	}

	/** The rows before a value, as near to `target` as the sample shows; fewer than `target`. */
	async #narrow(key: SortKey, target: number, signal: AbortSignal): Promise<Bound> {
		let low: Bound = { rows: 0 }
		let high: Bound = { rows: this.#view.total }
		for (let round = 0; round < mostRounds && target - low.rows > this.#window.rows; round++) {
			const sample = await this.#sample(key, low, high, signal)
			const guess = sample[Math.floor(((target - low.rows) / (high.rows - low.rows)) * sample.length * 0.98)]
			// Behind all values stand the rows without one.
			const before = guess === undefined ? { exists: { field: key.field } } : beforeValue(key, guess)
			const rows = await this.#view.count(this.#matching([before]), signal)
			if (rows === low.rows || rows === high.rows) break
			if (rows < target) low = { rows, before }
			else high = { rows, before }
		}
		return low
	}

	/** Some values of the rows between two bounds, in their order. Only for a guess: texts are put in order as JavaScript does. */
	async #sample(key: SortKey, low: Bound, high: Bound, signal: AbortSignal): Promise<readonly Json[]> {
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
		const { hits } = await this.#view.look(part, 'hits.hits.fields', signal)
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

/** A value of the key, as the query for the rows before it, and how many these are. */
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
