import type { GridOpening, GridQuery, JsonObject } from '@roundhouse/kit'
import type { Mapping } from '../mapping/mapping.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import type { QueryPlan } from '../query/query.ts'
import { byLastWrite, isByScore, planSort, sortBody } from '../query/sort.ts'
import { type EngineRequest, repeatableRead } from '../transport/engine-request.ts'
import { pathOf } from '../transport/request-path.ts'
import { pageLimit, runtimeFields } from './page.ts'

interface GridSearchParts {
	readonly query: Pick<GridOpening, keyof GridQuery | 'without'>
	readonly plan: QueryPlan
	readonly mapping: Mapping
	/** Large fields that the answers leave out. */
	readonly leftOut?: readonly string[]
}

/** The searches for the rows of one query, in one order. */
export class GridSearch {
	readonly keys: readonly SortKey[]
	/** Whether documents have scores. In another order, the engine does not compute them, and can skip documents. */
	readonly isRanked: boolean
	/** Common members of all searches. */
	readonly body: JsonObject
	/** What the plan and the sort leave out. */
	readonly notices: readonly string[]
	readonly #table: string

	constructor({ query, plan, mapping, leftOut: large = [] }: GridSearchParts) {
		const { keys, notices } = planSort(query.sort, mapping, plan)
		this.#table = query.table
		const { without = [] } = query
		const leftOut = [...without, ...large]
		this.keys = without.length > 0 ? [...keys, byLastWrite] : keys
		this.isRanked = plan.isRanked && isByScore(this.keys)
		this.notices = [...notices, ...plan.notices]
		this.body = {
			query: plan.query,
			seq_no_primary_term: true,
			...(leftOut.length > 0 && { _source: { excludes: leftOut } }),
			...runtimeFields(mapping),
		}
	}

	/** Returns the search for the rows `offset` to `offset + limit`, within the engine's window. */
	from(offset: number, limit: number, countsTotal: boolean): EngineRequest {
		const body = {
			from: offset,
			size: limit,
			...this.body,
			track_total_hits: countsTotal,
			...(this.keys.length > 0 && { sort: sortBody(this.keys) }),
		}
		const path = `${pathOf(this.#table)}/_search`
		return { method: 'POST', path, body, isWhole: true, ...repeatableRead, ...pageLimit(limit) }
	}
}
