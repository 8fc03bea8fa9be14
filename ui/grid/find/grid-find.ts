import { createEffect, createMemo, createSignal, on, onCleanup, untrack } from 'solid-js'
import type { Row } from '../../../host/api/api.ts'
import { at, type CellPosition, type CellSelection } from '../../cells/selection.ts'
import { dates } from '../../state/appearance.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import { shownCell } from '../columns/shown-cell.ts'
import { createSlices } from '../slices.ts'
import type { RowSource } from '../source.ts'
import { firstFrom, isFound, stepFrom } from './find-cells.ts'

/** Users do not step through more. */
const mostFound = 20_000

/** What is compared, apart from the rows. */
interface Search {
	/** In lower case; empty if there is no search. */
	readonly searchText: string
	matchesIn(rows: readonly Row[]): readonly CellPosition[]
}

/** Finds a text in the loaded rows of a grid, as they are shown. It loads no rows. */
export function createGridFind({
	source,
	columns,
	place,
	reveal,
}: {
	readonly source: RowSource
	readonly columns: GridColumns
	readonly place: {
		selection(): CellSelection
		setSelection(selection: CellSelection): void
		/** Returns the keys to the grid. */
		toGrid(): void
	}
	/** Scrolls to a cell. */
	reveal(place: CellPosition): void
}) {
	const [isOpen, setOpen] = createSignal(false)
	const [query, setQuery] = createSignal('')
	const [opens, setOpens] = createSignal({ isTyped: false })
	const [matches, setMatches] = createSignal<readonly CellPosition[]>([])
	const [scope, setScope] = createSignal(0)
	/** Where a changed query begins to search. */
	let origin: CellPosition = { row: 0, column: 0 }
	/** The query was changed, and its first match is not selected yet. */
	let isNew = false

	const search = createMemo((): Search => {
		const searchText = isOpen() ? query().toLowerCase() : ''
		const shown = Array.from({ length: columns.count() }, (_, index) => columns.at(index))
		// Cells are read later, outside of this computation.
		source.track()
		dates.chosen()
		const known = new WeakMap<readonly Row[], readonly CellPosition[]>()
		const matchesIn = (rows: readonly Row[]) =>
			rows.flatMap((row, index) =>
				shown.flatMap((column, at) =>
					column && isFound(shownCell(source, row, column).text, searchText) ? [{ row: index, column: at }] : [],
				),
			)
		return {
			searchText,
			matchesIn(rows) {
				const found = known.get(rows) ?? matchesIn(rows)
				known.set(rows, found)
				return found
			},
		}
	})

	/** Searches all blocks, in slices. */
	async function run({ matchesIn }: Search, signal: AbortSignal): Promise<void> {
		const found: CellPosition[] = []
		let rowCount = 0
		const slices = createSlices(signal)
		for (const { first, rows } of untrack(source.loaded)) {
			await slices.pause()
			rowCount += rows.length
			for (const { row, column } of untrack(() => matchesIn(rows))) {
				if (found.length < mostFound) found.push({ row: first + row, column })
			}
		}
		setScope(rowCount)
		setMatches(found)
		if (isNew) go(firstFrom(found, origin))
		isNew = false
	}

	createEffect(
		on([search, () => isOpen() && source.loaded()], ([asked]) => {
			if (asked.searchText === '') return void setMatches([])
			const work = new AbortController()
			onCleanup(() => work.abort())
			// An abort rejects it.
			void run(asked, work.signal).catch(error => {
				if (!work.signal.aborted) throw error
			})
		}),
	)

	/** Selects a match. The focus stays in the bar. */
	function go(match: CellPosition | undefined): void {
		if (!match) return
		place.setSelection(at(match))
		reveal(match)
	}
	function seek(text: string): void {
		isNew = true
		setQuery(text)
	}
	const current = createMemo(() => {
		const { row, column } = place.selection().focus
		return matches().findIndex(match => match.row === row && match.column === column)
	})

	return {
		isOpen,
		/** The search text in lower case; empty while the bar is closed. */
		searchText: () => search().searchText,
		finding: () => ({
			query: query(),
			matches: matches(),
			current: current(),
			isCut: matches().length === mostFound,
		}),
		/** Number of rows that were searched. */
		scope,
		/** The last opening, and whether a typed character began the query. */
		opens,
		/** @param typed the first character of another query */
		open(typed?: string): void {
			origin = place.selection().focus
			setOpens({ isTyped: typed !== undefined })
			if (typed !== undefined) seek(typed)
			setOpen(true)
		},
		close(): void {
			setOpen(false)
			place.toGrid()
		},
		seek,
		step(by: 1 | -1): void {
			go(stepFrom(matches(), place.selection().focus, by))
			origin = place.selection().focus
		},
	}
}
