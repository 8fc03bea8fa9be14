import { createSignal } from 'solid-js'
import type { Column, Filter, GridQuery, Sort } from '../../../host/ui-server/api.ts'
import { type FilterRow, filterTargets, operatorsFor, toFilters } from './filters.ts'

export type Match = 'all' | 'any'

/** What a grid asks for: the sort and the raw query at once, the filters when they are applied. */
export function createTableQuery(table: string) {
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	const [raw, setRaw] = createSignal('')
	const [rows, setRows] = createSignal<readonly FilterRow[]>([])
	const [match, setMatch] = createSignal<Match>('all')
	const [applied, setApplied] = createSignal<{ readonly filters: readonly Filter[]; readonly match: Match }>({
		filters: [],
		match: 'all',
	})
	const apply = () => setApplied({ filters: toFilters(rows()), match: match() })
	/** Rows that are taken away have nothing to apply. */
	const change = (next: readonly FilterRow[]) => {
		setRows(next)
		if (next.length === 0) apply()
	}

	return {
		query: (): GridQuery => ({ table, ...applied(), sort: sort(), ...(raw() && { raw: raw() }) }),
		isNarrowed: () => applied().filters.length > 0 || raw() !== '',
		sort,
		setSort,
		raw,
		setRaw,
		filters: {
			rows,
			match,
			setMatch,
			apply,
			change,
			count: () => applied().filters.length,
			isOpen: () => rows().length > 0,
			/** Opens the bar with one row, or takes all filters away. */
			toggle: (columns: readonly Column[]) => change(rows().length === 0 ? [emptyFilter(columns)] : []),
		},
	}
}

export function emptyFilter(columns: readonly Column[]): FilterRow {
	// Whoever filters by hand asks for values that people write, rather than for what the engine says of a row.
	const column = columns.find(({ isReadOnly }) => !isReadOnly) ?? columns[0]
	const [target] = column ? filterTargets([column]) : []
	const [operator] = operatorsFor(target).map(([name]) => name)
	return { column: column?.name ?? '', operator: operator ?? 'equals', text: '', isOn: true }
}
