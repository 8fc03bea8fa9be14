import type { Json } from '@roundhouse/kit/json'
import { createEffect, createMemo, createSignal, on } from 'solid-js'
import type { Cannot, ConnectionView, Filter, Row } from '../../host/api/api.ts'
import { cellOf, cellText } from '../cells/cell-text.ts'
import { documentOf, wholeCell } from '../cells/whole-row.ts'
import { showToast } from '../controls/toasts.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences, useRecords } from '../state/host.tsx'
import { onReconnected } from '../state/loss.ts'
import { oneWindow } from '../state/one-window.ts'
import { capital, count } from '../words/format.ts'
import { createGridColumns } from './columns/grid-columns.ts'
import type { TableTab } from './create-table-tab.ts'
import { readRecreations } from './edit/recreation.ts'
import { createSaving } from './edit/saving.ts'
import { type Fault, isNewRow } from './edit/staged.ts'
import { createTableQuery } from './filter/table-query.ts'
import { createGridFind } from './find/grid-find.ts'
import { keepPosition, keepQuery, onQueryChanged } from './kept-table.ts'
import { createPlace } from './place.ts'
import { createRows } from './rows/rows.ts'
import { createSelectedRows } from './sheet/selected-rows.ts'
import { createSheet } from './sheet/sheet.ts'
import type { ExportedRows, WholeRow } from './view/grid-actions.ts'
import { createScrolling } from './view/scrolling.ts'

/** The state of a table's view: its query, rows, columns, position and selection, and the saving of its changes. */
export function createOpenTable(options: {
	readonly tab: Pick<TableTab, 'place' | 'edits' | 'returning' | 'setReturning' | 'onQueryChanged'>
	safeMode(): ConnectionView['safeMode']
	/** Changes that the table never takes, by the list of tables. */
	cannot(): Cannot
	/** Whether the tab is in view. */
	isShown(): boolean
	/** Called after rows were added or deleted. */
	onRowsChanged(): void
}) {
	const { tab, safeMode } = options
	const { place: tabPlace, edits } = tab
	const { connection, table: name } = tabPlace
	const host = useHost()
	const records = useRecords()
	const { rowNoun, savesWhole } = useEngine()
	const target = { connection, table: name }
	const query = createTableQuery(name)
	keepQuery(records, tabPlace, query)
	onQueryChanged(records, tabPlace, { query, onChanged: tab.onQueryChanged })
	const rows = createRows(host, connection)
	// A list of tables may be long, and each pasted cell asks.
	const cannot = createMemo<Cannot>(() => ({ ...rows.cannot(), ...options.cannot() }))
	// Before the tab is drawn, which takes about as long as opening the grid.
	void rows.open(query.query())
	const sheet = createSheet(rows, edits, cannot)
	const columns = createGridColumns({
		preferences: usePreferences(),
		key: `columns/${connection}/${name}`,
		columns: rows.columns,
		uniform: rows.uniform,
		rows: () => rows.loaded()[0]?.rows ?? [],
		gutter: () => gutterWidth(sheet.count()),
		sort: query.sort,
		onSort: query.setSort,
	})
	const [loads, setLoads] = createSignal(0)
	function reload(): void {
		setLoads(count => count + 1)
		void rows.open({ ...query.query(), isReload: true })
	}
	onReconnected(host, connection, reload)
	const say = (text: string, undo?: () => void) => showToast(text, undo && { label: 'Undo', run: undo })
	const runExclusive = <T>(work: () => Promise<T>) => oneWindow(`save/${connection}/${name}`, records, work)
	const reloadAll = () => {
		reload()
		options.onRowsChanged()
	}
	const saving = createSaving({
		host,
		target,
		safeMode,
		rowNoun,
		isAtomic: savesWhole,
		rows,
		edits,
		runExclusive: runExclusive,
		// Also if the table takes no new rows: a row behind a pattern can be inserted again where it was.
		readDeleted: ids => readRecreations(host, target, ids),
		isSorted: () => query.sort().length > 0,
		reload: reloadAll,
		showFault,
		say,
	})
	const scrolling = createScrolling(sheet.count, columns)
	const place = createPlace(sheet, columns, scrolling)
	const selected = createSelectedRows(sheet, place.rectangle)
	const find = createGridFind({ sheet, columns, edits, place, reveal: scrolling.reveal })
	createEffect(
		on(query.query, (next, before) => {
			if (before === undefined) return
			void rows.open(next)
			// Other rows or another order begin at the top. Applying the same query again keeps the position.
			if (JSON.stringify(next) !== JSON.stringify(before)) place.toTop()
		}),
	)
	const { selection, setSelection } = place
	const isLoaded = () => rows.total() !== undefined && !rows.isOpening()
	keepPosition(records, tab, { scrolling, selection, setSelection, isLoaded, isShown: options.isShown })
	createEffect(() => {
		const range = scrolling.inView()
		if (range) sheet.show(...range)
	})

	/** Goes to a row that was not saved, at the column that was refused or else changed. @returns its name */
	function showFault(rowId: string, { column }: Fault): string {
		const found = sheet.find(rowId)
		if (!found) return ''
		place.goToRow(found.index + 1 - sheet.insertedCount())
		const name = column ?? edits.get(rowId)?.cells.keys().next().value
		if (rows.columns().some(column => column.name === name)) place.goToColumn(name ?? '')
		const keys = rows
			.columns()
			.flatMap(({ isKey, name }, at) => (isKey ? [`${name} ${cellText(cellOf(found.row, at)).text}`] : []))
		const where = [...(isNewRow(rowId) ? [] : keys), ...(column === undefined ? [] : [column])]
		return [isNewRow(rowId) ? `New ${rowNoun.one}` : capital(rowNoun.one), ...where].join(', ')
	}

	/** Returns the document of a row, with every digit; `undefined` if it cannot be read whole. */
	async function wholeDocument(row: Row): Promise<Json | undefined> {
		try {
			const read = await host.call('rows.read', { ...target, rowId: row.id })
			return read.rawCutFrom === undefined ? documentOf(read) : undefined
		} catch {
			// The caller decides what that means for the action.
			return undefined
		}
	}

	const wholeRow: WholeRow = async row => {
		const document = await wholeDocument(row)
		if (document === undefined) return undefined
		return name => {
			const index = rows.columns().findIndex(column => column.name === name)
			const column = rows.columns()[index]
			return column ? wholeCell(document, column, cellOf(row, index)) : { missing: true }
		}
	}

	const exported: ExportedRows = async ({ rowIds, ...options }) => {
		const asked = { connection: target.connection, query: query.query(), options: { ...options, rowIds } }
		const { id } = await host.call('exports.begin', asked)
		const response = await fetch(`export/${id}`)
		if (!response.ok) throw new Error('The rows could not be read.')
		return response.text()
	}

	return {
		target,
		cannot,
		query,
		rows,
		edits,
		sheet,
		columns,
		scrolling,
		place,
		selected,
		find,
		reload,
		/** Searches from the first row, also for the same text again: a relative time range ends now. */
		search(raw: string): void {
			if (raw === query.raw()) {
				reload()
				place.toTop()
			} else query.setRaw(raw)
		},
		/** Number of reloads, for what is read beside the rows. */
		loads,
		/** Reads a raw query while it is typed. */
		readRaw: (text: string, offset: number, signal: AbortSignal) =>
			host.call('rows.readRaw', { ...target, text, offset }, { signal }),
		/** Returns filters as a raw query; `null` if the driver has none. */
		filterText: (filters: readonly Filter[]) =>
			host.call('rows.filterText', {
				connection: target.connection,
				query: { table: target.table, filters, match: 'all' },
			}),
		wholeRow,
		exported,
		wholeDocument,
		saving,
		/** Saves, including what earlier keys stage although their rows are still being read. */
		async save(isAtOnce: boolean): Promise<void> {
			await selected.whenDone()
			await (isAtOnce ? saving.saveAtOnce() : saving.review())
		},
		/** Drops all changes. The bar disappears, and the keys for undo belong to the grid. */
		discard(): void {
			saving.discard()
			place.toGrid()
		},
		/** Returns the values of the key columns. */
		nameOf: (row: Row): string =>
			rows
				.columns()
				.flatMap((column, index) => (column.isKey ? [cellText(cellOf(row, index)).text] : []))
				.join(' · '),
	}
}

export type OpenTable = ReturnType<typeof createOpenTable>

/** As wide as the last row's number. */
const gutterWidth = (rows: number) => 18 + 7 * Math.max(3, count(rows).length)
