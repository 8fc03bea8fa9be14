import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import type { Cannot, Cell, ConnectionView, Filter, Row, Sort, Table } from '../../host/api/api.ts'
import { cellOf, cellText } from '../cells/cell-text.ts'
import { at } from '../cells/selection.ts'
import { documentOf, wholeCell } from '../cells/whole-row.ts'
import { showToast } from '../controls/toasts.tsx'
import { arrowWidth, createGridColumns, gutterWidth } from '../grid/columns/grid-columns.ts'
import { createGridModel } from '../grid/model.ts'
import type { RowSource } from '../grid/source.ts'
import { topOf } from '../grid/view/scrolling.ts'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences, useRecords } from '../state/host.tsx'
import { onReconnected } from '../state/loss.ts'
import { oneWindow } from '../state/one-window.ts'
import { capital, count } from '../words/format.ts'
import type { TableTab } from './create-table-tab.ts'
import { nameOfRow } from './edit/compared.ts'
import type { WholeDocument } from './edit/duplicated.ts'
import { readRecreations } from './edit/recreation.ts'
import { showSaved } from './edit/saved-rows.ts'
import { createSaving } from './edit/saving.ts'
import { shareSaves } from './edit/shared-saves.ts'
import { createSheet } from './edit/sheet.ts'
import { isNewRow, type SaveFailure } from './edit/staged.ts'
import { createTableQuery } from './filter/table-query.ts'
import { createFollowedRow } from './followed-row.ts'
import { columnsKey, keepLive, keepPosition, keepQuery, onQueryChanged, rangesKey } from './kept-table.ts'
import { type LogColumns, logColumns } from './log/log-columns.ts'
import { type TimeOfDay, timeOfDay } from './log/time-of-day.ts'
import type { BarQuery } from './query-bar/bar-query.ts'
import { keepQueryText, recentQueries } from './recent-queries.ts'
import { pageSize } from './rows/pages.ts'
import { createRows } from './rows/rows.ts'
import { firstRange } from './time-bar/opening-range.ts'
import { keepRangesBefore } from './time-bar/ranges-before.ts'
import { createTimeFold } from './time-bar/time-fold.ts'

/** The tables that were opened since the window was loaded. */
const opened = new Set<string>()

/** Whether what the driver still knows of a table may be of a time before the user reloaded the window. */
function isFirstOpening(connection: string, table: string): boolean {
	const key = `${connection}/${table}`
	const isFirst = !opened.has(key)
	opened.add(key)
	return isFirst
}

/** The state of a table's view: its query, rows, columns, position and selection, and the saving of its changes. */
export function createOpenTable(options: {
	readonly tab: Pick<TableTab, 'place' | 'edits' | 'returning' | 'setReturning' | 'onQueryChanged'>
	safeMode(): ConnectionView['safeMode']
	/** Changes that the table never takes, by the list of tables. */
	cannot(): Cannot
	/** The list of tables has this one, and the order of its rows if that is no matter of choice. */
	listed(): Pick<Table, 'sort'> | undefined
	/** The zone in which the engine's days begin, if it is known. */
	timeZone(): string | undefined
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
	const { rowNoun, columnNoun, savesWhole } = useEngine()
	const target = { connection, table: name }
	const query = createTableQuery(name)
	keepQuery(records, tabPlace, query)
	onQueryChanged(records, tabPlace, { query, onChanged: tab.onQueryChanged })
	const live = keepLive(records, tabPlace)
	const rangesBefore = keepRangesBefore(records, rangesKey(tabPlace))
	const rows = createRows(host, connection)
	createEffect(() => edits.checkBy(rows.columns()))
	// A list of tables may be long, and each pasted cell asks.
	const cannot = createMemo<Cannot>(() => ({ ...rows.cannot(), ...options.cannot() }))
	// Before the tab is drawn, which takes about as long as opening the grid.
	void rows.open({ ...query.query(), isReload: isFirstOpening(connection, name) })
	const sheet = createSheet({
		rows,
		edits,
		cannot,
		whole: row => wholeRow(row),
		textOf: (cell, { name }) => (short()?.name === name ? shortTime(cell, short()) : undefined),
	})
	const openedBy = query.sort()
	/** Newest first, if the table opens so. */
	function orderInTime(): readonly Sort[] {
		const listed = options.listed()
		if (listed) return listed.sort ?? []
		// A pattern or an alias is not in the list. One of logs opens newest first.
		return openedBy.filter(({ column, direction }) => direction === 'desc' && kindOf(column) === 'date').slice(0, 1)
	}
	const kindOf = (name: string) => rows.columns().find(column => column.name === name)?.kind
	/** How the rows are read as a log. The first rows decide, and others do not change it. */
	const log = createMemo<{ readonly columns: LogColumns | undefined; readonly isDecided: boolean }>(
		before => {
			const known = new Set(rows.columns().map(({ name }) => name))
			const { time, message, sources = [] } = before.columns ?? {}
			const names = [time, message, ...sources].filter(name => name !== undefined)
			if (before.isDecided && names.every(name => known.has(name))) return before
			const first = rows.first()
			return { columns: logColumns(rows.columns(), first), isDecided: first.length > 0 }
		},
		{ columns: undefined, isDecided: false },
	)
	/** The time of a log's rows: its zone stands in the header, and a range within a day has its date. */
	const short = createMemo(() => {
		const name = log().columns?.time
		const first = rows.first()[0]
		if (!first || name === undefined) return undefined
		const index = rows.columns().findIndex(column => column.name === name)
		const shown = timeOfDay(cellOf(first, index))
		if (!shown) return undefined
		const [hasDay, note] = [!query.isWithinDay(name), shown.zone]
		return { name, hasDay, note, length: timeText(shown, hasDay).length }
	})
	/** Whether the engine reads its rows in the order of time, or its columns are those of a log. */
	const isInTime = () => orderInTime().length > 0 || log().columns?.level !== undefined
	/** Whether nothing limits the rows, and the user has not chosen that. */
	const isUnlimited = () => query.time() === undefined && !query.isNarrowed()
	let isFirstReading = isUnlimited()
	/** Returns the time at which a log opens, if that is a part of its time. */
	function openingTime() {
		const time = isInTime() ? log().columns?.time : undefined
		const [sort] = query.sort()
		const first = rows.first()
		const isWhole = rows.total()?.isExact === true && rows.total()?.value === first.length
		if (time === undefined || sort?.column !== time || sort.direction !== 'desc' || isWhole) return undefined
		return firstRange({ columns: rows.columns(), rows: first }, { time, zone: options.timeZone() })
	}
	createEffect(
		on(rows.isOpening, isOpening => {
			if (isOpening || rows.failure() !== undefined || !isFirstReading) return
			isFirstReading = false
			const range = isUnlimited() ? openingTime() : undefined
			// After the answer is taken whole.
			if (range) queueMicrotask(() => query.setTime(range))
		}),
	)
	const preferences = usePreferences()
	const columns = createGridColumns({
		store: {
			get: () => preferences.get(columnsKey(tabPlace)),
			set: layout => preferences.set(columnsKey(tabPlace), layout),
		},
		columns: rows.columns,
		first: () => {
			const read = isInTime() ? log().columns : undefined
			if (!read) return undefined
			const { time, level, message, sources } = read
			const levels = level === undefined ? [] : [level]
			const yielding = [...levels, ...sources.toReversed(), time]
			return { names: [time, ...levels, ...sources, message], filling: message, yielding }
		},
		short,
		uniform: rows.uniform,
		rows: () => rows.first(),
		gutter: () => gutterWidth(sheet.count()) + (isInTime() ? arrowWidth : 0),
		sort: query.sort,
		// Without an order, rows in time would only look sorted.
		onSort: sort => query.setSort(sort.length === 0 ? orderInTime() : sort),
		onUnsortable: ({ name, type }) => say(`${name} (${type}) cannot be sorted, so the order stays.`),
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
	const { tell } = shareSaves(records, target, {
		show: saved => showSaved(rows, saved),
		reload,
		isTyping: edits.isTyping,
	})
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
		readDeleted: (ids, signal) => readRecreations(host, { ...target, columns: rows.columns() }, ids, signal),
		isSorted: () => query.sort().length > 0,
		reload: reloadAll,
		onSaved: tell,
		showFault,
		say,
	})
	const grid = createGridModel({
		source: sheet,
		columns,
		nouns: { row: rowNoun, column: columnNoun },
		whyLost: () =>
			followed.isLost()
				? `The selected ${rowNoun.one} is not among the loaded ${rowNoun.many} any more. Select a cell first.`
				: undefined,
	})
	const { scrolling, place, selected } = grid
	const followed = createFollowedRow({ rows, sheet, place, scrolling })
	/** Shows the first row. A cell that the user has not selected follows no row. */
	function toTop(): void {
		place.toTop()
		followed.release()
	}
	createEffect(
		on(query.query, (next, before) => {
			if (before === undefined) return
			selected.hush()
			void rows.open(next)
			// Other rows or another order begin at the top. Applying the same query again keeps the position.
			if (JSON.stringify(next) !== JSON.stringify(before)) toTop()
		}),
	)
	const { selection, setSelection } = place
	const isLoaded = () => rows.total() !== undefined && !rows.isOpening()
	const { id: rowId } = followed
	const closing = new AbortController()
	onCleanup(() => closing.abort())
	/** Selects a row at or after the focused one, also if it is not among the rows that are loaded with that one. */
	async function seek(id: string, ties: number): Promise<void> {
		followed.seek(id)
		if (ties <= loadedTies) return
		const [moves, { row: first, column }] = [place.moves(), selection().focus]
		const range = { first, last: first + Math.min(ties, mostTies) - 1 }
		const found = await sheet.read(range, closing.signal, () => {}).catch(() => [])
		// It was loaded meanwhile, or the user went elsewhere.
		if (place.moves() !== moves || closing.signal.aborted) return
		const index = found.findIndex(row => row.id === id)
		if (index >= 0) {
			place.setSelection(at({ row: first + index, column }))
			scrolling.scrollTo(topOf(first + index, scrolling.rowHeight()))
		} else
			say(`${count(ties)} ${rowNoun.many} have the time of this ${rowNoun.one}. Another one of them may be selected.`)
	}
	keepPosition(records, tab, {
		isLive: live.isOn,
		scrolling,
		selection,
		setSelection,
		seek,
		rowId,
		isLoaded,
		isShown: options.isShown,
	})
	/** Goes to a row that was not saved, at the column that was refused or else changed. @returns its name */
	function showFault(rowId: string, { column }: SaveFailure): string {
		const found = sheet.find(rowId)
		const refused = column === undefined ? [] : [column]
		if (!found) return [`${capital(rowNoun.one)} ${nameOfRow(rows, rowId)} (not shown)`, ...refused].join(', ')
		place.goToRow(found.index + 1 - sheet.insertedCount())
		// Of several changed cells, any may be the one that was refused. Another one must not look as if it were.
		const [changed, ...others] = edits.get(rowId)?.cells.keys() ?? []
		const name = column ?? (others.length === 0 ? changed : undefined)
		if (rows.columns().some(column => column.name === name)) place.goToColumn(name ?? '')
		const keys = rows
			.columns()
			.flatMap(({ isKey, name }, at) => (isKey ? [`${name} ${cellText(cellOf(found.row, at)).text}`] : []))
		const row = isNewRow(rowId) ? `New ${rowNoun.one}` : [capital(rowNoun.one), keys.join(', ')].join(' ').trim()
		return [row, ...refused].join(', ')
	}

	/** Returns the document of a row, with every digit; `undefined` if it cannot be read whole. */
	async function wholeDocument(row: Row): Promise<WholeDocument | undefined> {
		try {
			const read = await host.call('rows.read', { ...target, rowId: row.id })
			const { jsonNulls = [] } = read
			return read.rawCutFrom === undefined ? { document: documentOf(read), jsonNulls } : undefined
		} catch {
			// The caller decides what that means for the action.
			return undefined
		}
	}

	const wholeRow: NonNullable<RowSource['whole']> = async row => {
		const whole = await wholeDocument(row)
		if (whole === undefined) return undefined
		return name => {
			const index = rows.columns().findIndex(column => column.name === name)
			const column = rows.columns()[index]
			return column ? wholeCell(whole.document, column, cellOf(row, index)) : { missing: true }
		}
	}

	return {
		target,
		cannot,
		query,
		rows,
		edits,
		sheet,
		grid,
		columns,
		scrolling,
		place,
		selected,
		reload,
		toTop,
		/** Whether new rows are shown as they arrive. */
		live,
		/** Whether the user has selected a row, which stays in place. */
		isFollowing: () => rowId() !== undefined,
		/** Searches from the first row, also for the same text again: a relative time range ends now. */
		search(asked: BarQuery): void {
			keepQueryText(records, target, asked)
			const isSame = asked.raw === query.bar().raw
			query.setBar(asked)
			if (!isSame) return
			reload()
			toTop()
		},
		recentQueries: () => recentQueries(records, target),
		/** Number of reloads, for what is read beside the rows. */
		loads,
		isInTime,
		/** The columns by which the rows are read as a log, if the table is one. */
		log: () => log().columns,
		/** The column whose cells show their times alone, with the zone of them as its note. */
		short,
		timeZone: options.timeZone,
		rangesBefore,
		timeFold: createTimeFold({ target, query, rows, live, isInTime }, preferences),
		/** Reads a raw query while it is typed. */
		readRaw: (text: string, offset: number, signal: AbortSignal) =>
			host.call('rows.readRaw', { ...target, text, offset }, { signal }),
		/** Returns what is sent for a typed query: what the driver reads in it, otherwise the text. */
		async meaningOf(text: string): Promise<BarQuery> {
			// At its beginning, so that the driver requests no values for completion.
			const reading = host.call('rows.readRaw', { ...target, text, offset: 0 })
			const read = await Promise.race([reading.catch(() => null), delay(mostReadMs)])
			return read?.correction === undefined ? { raw: text } : { raw: read.correction, typed: text }
		},
		countRows: async (filters: readonly Filter[]): Promise<number> => {
			const counted = { table: name, filters, match: 'all', groups: [], measures: [], limit: 1 } as const
			const answer = await host.call('rows.aggregate', { connection, query: counted })
			return Number(cellText(answer.rows[0]?.[0] ?? null).text)
		},
		/** Returns filters as a raw query; `null` if the driver has none. */
		filterText: (filters: readonly Filter[]) =>
			host.call('rows.filterText', {
				connection: target.connection,
				query: { table: target.table, filters, match: 'all' },
			}),
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

const timeText = ({ day, time }: TimeOfDay, hasDay: boolean) => (hasDay ? `${day} ${time}` : time)

/** The text of a date in the column of times, if it is in the zone that the header names. */
function shortTime(
	cell: Cell,
	column: { readonly hasDay: boolean; readonly note: string } | undefined,
): string | undefined {
	const shown = timeOfDay(cell)
	return shown && shown.zone === column?.note ? timeText(shown, column.hasDay) : undefined
}

/** The rows after the first one in view that are loaded with it. */
const loadedTies = 2 * pageSize
/** Rows of one time that are read to find one of them. */
const mostTies = 5_000

/** How long a search waits for the driver to read the query. */
const mostReadMs = 2_000
const delay = (ms: number) => new Promise<undefined>(resolve => setTimeout(resolve, ms))
