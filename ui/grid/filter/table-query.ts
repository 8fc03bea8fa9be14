import { batch, createSignal } from 'solid-js'
import type { Column, Filter, GridQuery, Sort } from '../../../host/ui-server/api.ts'
import { type FilterRow, filterTargets, isFilterRow, operatorsFor, toFilters } from './filters.ts'

export type Match = 'all' | 'any'

/** What a grid asks for: the sort and the raw query at once, the filters when they are applied. */
export function createTableQuery(table: string) {
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	const [raw, setRaw] = createSignal('')
	const [rows, setRows] = createSignal<readonly FilterRow[]>([])
	const [match, setMatch] = createSignal<Match>('all')
	const [isOpen, setOpen] = createSignal(false)
	const [applied, setApplied] = createSignal<{ readonly filters: readonly Filter[]; readonly match: Match }>({
		filters: [],
		match: 'all',
	})
	/** The rows that are applied, as they were typed. */
	const [chips, setChips] = createSignal<readonly FilterRow[]>([])
	const apply = () =>
		batch(() => {
			setApplied({ filters: toFilters(rows()), match: match() })
			setChips(rows().filter(row => toFilters([row]).length > 0))
		})
	/** Rows that are taken away have nothing to apply. */
	const change = (next: readonly FilterRow[]) => {
		setRows(next)
		if (next.length > 0) return
		setOpen(false)
		apply()
	}

	return {
		/** What is asked for, to be kept. */
		asked: (): Asked => ({ sort: sort(), raw: raw(), rows: rows(), match: match() }),
		/** Asks for what was kept; what is nothing of the kind is left. */
		ask(kept: unknown): void {
			if (!isAsked(kept)) return
			batch(() => {
				setSort(kept.sort)
				setRaw(kept.raw)
				setRows(kept.rows)
				setMatch(kept.match)
				apply()
			})
		},
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
			/** Whether they can be typed; what is applied stays when the bar goes. */
			isOpen,
			chips,
			/** Takes one away, at once. */
			drop(row: FilterRow): void {
				// One that was changed since, and not applied, is given up with that.
				const all = rows().includes(row) ? rows() : chips()
				change(all.filter(other => other !== row))
				apply()
			},
			/** Adds a row for a column, whose value is still to be typed. */
			add(column: Column): void {
				change([...rows(), emptyFilter([column])])
				setOpen(true)
			},
			/** Shows the bar, with a row to begin with, or puts it away. */
			toggle(columns: readonly Column[]): void {
				if (!isOpen() && rows().length === 0) change([emptyFilter(columns)])
				setOpen(isShown => !isShown)
			},
		},
		/** Asks for all rows again. */
		widen(): void {
			batch(() => {
				setRaw('')
				change([])
			})
		},
	}
}

export type TableQuery = ReturnType<typeof createTableQuery>

interface Asked {
	readonly sort: readonly Sort[]
	readonly raw: string
	readonly rows: readonly FilterRow[]
	readonly match: Match
}

/** The host keeps it as it was written, whoever wrote it; of one that is half of it nothing is taken. */
function isAsked(kept: unknown): kept is Asked {
	if (typeof kept !== 'object' || kept === null) return false
	const { sort, raw, rows, match } = kept as Partial<Asked>
	if (typeof raw !== 'string' || (match !== 'all' && match !== 'any')) return false
	return Array.isArray(sort) && sort.every(isSort) && Array.isArray(rows) && rows.every(isFilterRow)
}

function isSort(sort: unknown): boolean {
	if (typeof sort !== 'object' || sort === null) return false
	const { column, direction } = sort as Partial<Sort>
	return typeof column === 'string' && (direction === 'asc' || direction === 'desc')
}

export function emptyFilter(columns: readonly Column[]): FilterRow {
	// Whoever filters by hand asks for values that people write, rather than for what the engine says of a row.
	const column = columns.find(({ isReadOnly }) => !isReadOnly) ?? columns[0]
	const [target] = column ? filterTargets([column]) : []
	const [operator] = operatorsFor(target).map(([name]) => name)
	return { column: column?.name ?? '', operator: operator ?? 'equals', text: '', isOn: true }
}
