import { batch, createSignal } from 'solid-js'
import type { Column, Filter, GridQuery, RowChoice, Sort } from '../../../host/api/api.ts'
import { type BarQuery, isBarQuery } from '../query-bar/bar-query.ts'
import { hasEnds, isTimeRange, isWithinDay, type TimeRange, timeFilters } from '../time/time-range.ts'
import { inverted } from './cell-filter.ts'
import { type FilterRow, filterTargets, isFilterRow, operatorsFor, toFilters } from './filters.ts'

export type Match = 'all' | 'any'

/** A part of the query that leaves rows out. */
interface Narrowing {
	readonly label: string
	remove(): void
}

/** A grid's query: sort and raw query at once, filters when they are applied. */
export function createTableQuery(table: string) {
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	const [raw, setRaw] = createSignal('')
	const [typed, setTyped] = createSignal<string>()
	const setBar = (query: BarQuery) =>
		batch(() => {
			setRaw(query.raw)
			setTyped(query.typed)
		})
	const [time, setTime] = createSignal<TimeRange>()
	const [split, setSplit] = createSignal<string>()
	const [rows, setRows] = createSignal<readonly FilterRow[]>([])
	const [match, setMatch] = createSignal<Match>('all')
	const [isOpen, setOpen] = createSignal(false)
	const [applied, setApplied] = createSignal<{ readonly filters: readonly Filter[]; readonly match: Match }>({
		filters: [],
		match: 'all',
	})
	/** The applied rows as typed. */
	const [chips, setChips] = createSignal<readonly FilterRow[]>([])
	const applyRows = (rows: readonly FilterRow[]) =>
		batch(() => {
			setApplied({ filters: toFilters(rows), match: match() })
			setChips(rows.filter(row => toFilters([row]).length > 0))
		})
	const apply = () => applyRows(rows())
	/** A range is one or two filters, and a query has a single `match`, so with a range all filters must match. */
	const hasTime = () => hasEnds(time())
	function chosen(): RowChoice {
		const within = timeFilters(time(), Date.now())
		const { filters, match } = applied()
		return {
			table,
			filters: [...filters, ...within],
			// The range holds for each row, so the filters beside it cannot be alternatives.
			match: within.length > 0 ? 'all' : match,
			...(raw() && { raw: raw() }),
		}
	}
	/** If the last filter row is removed, the empty filter is applied at once. */
	const change = (next: readonly FilterRow[]) => {
		setRows(next)
		if (next.length > 0) return
		setOpen(false)
		apply()
	}

	return {
		/** The query for storage. */
		toStored: (): StoredQuery => ({
			sort: sort(),
			raw: raw(),
			typed: typed(),
			rows: rows(),
			match: match(),
			time: time(),
			split: split(),
		}),
		/** Restores a stored query; anything else is ignored. */
		restore(kept: unknown): void {
			if (!isStoredQuery(kept)) return
			batch(() => {
				setSort(kept.sort)
				setBar(kept)
				setRows(kept.rows)
				setMatch(kept.match)
				setTime(kept.time)
				setSplit(kept.split)
				apply()
			})
		},
		/** Which rows are shown, with a relative time range as it is now. */
		chosen,
		/** The query: the chosen rows in their order. */
		query: (): GridQuery => ({ ...chosen(), sort: sort() }),
		isNarrowed: () => applied().filters.length > 0 || raw() !== '' || hasTime(),
		time,
		setTime,
		/** The column that splits the bars of the histogram: empty for none, `undefined` for the usual one. */
		split,
		setSplit,
		/** Whether rows of only a part of the time are read. */
		hasTime,
		/** Whether the times of the rows in a column need no date. */
		isWithinDay(column: string): boolean {
			const range = time()
			return range?.column === column && isWithinDay(range, Date.now())
		},
		sort,
		setSort,
		bar: (): BarQuery => ({ raw: raw(), typed: typed() }),
		setBar,
		filters: {
			rows,
			match,
			setMatch,
			apply,
			change,
			count: () => applied().filters.length,
			/** Whether the bar is visible; applied filters stay when it is hidden. */
			isOpen,
			chips,
			/** Removes one at once. */
			drop(row: FilterRow): void {
				// Changes that were not applied are discarded with it.
				const all = rows().includes(row) ? rows() : chips()
				change(all.filter(other => other !== row))
				apply()
			},
			/** Adds complete filters and applies them, without the rows that are still being typed. */
			put(added: readonly FilterRow[]): void {
				const isKnown = (row: FilterRow) => chips().some(chip => isSameFilter(chip, row))
				const fresh = added.filter(row => !isKnown(row))
				// Rows cannot have a value and not have it.
				const isOpposed = (row: FilterRow) =>
					fresh.some(added => {
						const opposite = inverted(added)
						return opposite !== undefined && isSameFilter(row, opposite)
					})
				batch(() => {
					// A second filter narrows, as one in a list of alternatives would not.
					if (chips().length < 2) setMatch('all')
					setRows([...rows().filter(row => !isOpposed(row)), ...fresh])
					applyRows([...chips().filter(row => !isOpposed(row)), ...fresh])
				})
			},
			/** Replaces an applied filter, and applies the new one. */
			replace(row: FilterRow, by: FilterRow): void {
				batch(() => {
					setRows(rows().map(other => (other === row ? by : other)))
					applyRows(chips().map(other => (other === row ? by : other)))
				})
			},
			/** Adds a row for a column, whose value is still to be typed. */
			add(column: Column): void {
				change([...rows(), emptyFilter([column])])
				setOpen(true)
			},
			/** Shows the bar with a first row, or hides it. */
			toggle(columns: readonly Column[]): void {
				if (!isOpen() && rows().length === 0) change([emptyFilter(columns)])
				setOpen(isShown => !isShown)
			},
		},
		/** What can be removed, one at a time, to show more rows. */
		narrowings: (): readonly Narrowing[] => [
			...(applied().filters.length > 0 ? [{ label: 'Clear the filters', remove: () => change([]) }] : []),
			...(raw() !== '' ? [{ label: 'Clear the query', remove: () => setBar({ raw: '' }) }] : []),
			...(hasTime()
				? [{ label: 'Show all of the time', remove: () => setTime(range => range && { ...range, span: 'all' }) }]
				: []),
		],
	}
}

function isSameFilter(a: FilterRow, b: FilterRow): boolean {
	return JSON.stringify(toFilters([a])) === JSON.stringify(toFilters([b]))
}

export type TableQuery = ReturnType<typeof createTableQuery>

/** A query for storage. */
export interface StoredQuery extends BarQuery {
	readonly sort: readonly Sort[]
	readonly rows: readonly FilterRow[]
	readonly match: Match
	readonly time?: TimeRange | undefined
	readonly split?: string | undefined
}

/** The host stores it unchanged; an incomplete record is ignored. */
export function isStoredQuery(kept: unknown): kept is StoredQuery {
	if (!isBarQuery(kept)) return false
	const { sort, rows, match, time, split } = kept as Partial<StoredQuery>
	if (time !== undefined && !isTimeRange(time)) return false
	if (split !== undefined && typeof split !== 'string') return false
	if (match !== 'all' && match !== 'any') return false
	return Array.isArray(sort) && sort.every(isSort) && Array.isArray(rows) && rows.every(isFilterRow)
}

function isSort(sort: unknown): boolean {
	if (typeof sort !== 'object' || sort === null) return false
	const { column, direction } = sort as Partial<Sort>
	return typeof column === 'string' && (direction === 'asc' || direction === 'desc')
}

export function emptyFilter(columns: readonly Column[]): FilterRow {
	// Users filter by values that people write, rather than by metadata of the engine.
	const column = columns.find(({ isReadOnly }) => !isReadOnly) ?? columns[0]
	const [target] = column ? filterTargets([column]) : []
	const [operator] = operatorsFor(target).map(([name]) => name)
	return { column: column?.name ?? '', operator: operator ?? 'equals', text: '', isOn: true }
}
