import { createMemo, createSignal } from 'solid-js'
import type { Sort } from '../../host/api/api.ts'
import { cellOf, copyText } from '../cells/cell-text.ts'
import { rowCount } from '../cells/selection.ts'
import type { Compared } from '../row-panel/compare-dialog.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import type { ShownFilter, ShownTable, TabProps } from '../state/tab.ts'
import type { TableTab } from './create-table-tab.ts'
import { duplicated } from './edit/duplicated.ts'
import { isNewRow } from './edit/staged.ts'
import { requestedView } from './kept-table.ts'
import type { OpenTable } from './open-table.ts'
import { type FoundReference, referenceAt, referrersAt } from './reference.ts'
import { tableCommands } from './table-commands.ts'
import type { TableDialog } from './table-dialogs.tsx'
import { filtersOf, withFocusedCell } from './table-filters.tsx'
import { rowsAround } from './time-bar/rows-around.ts'
import { datesOf, rangeOf } from './time-bar/shown-range.ts'

export type TableWork = ReturnType<typeof createTableWork>

/** What the tab of a table has open beside its rows, and the actions that open it. */
export function createTableWork(props: TabProps<TableTab>, table: OpenTable) {
	const { cannot, target, query, rows, edits, place, selected, find } = table
	const engine = useEngine()
	let focusFind = () => {}
	const [dialog, setDialog] = createSignal<TableDialog>()
	const show = (kind: 'export' | 'insert' | 'column') => setDialog({ kind })
	/** What is open beside the grid: the current row, or the statistics of a column. One replaces the other. */
	const [beside, setBeside] = createSignal<'row' | { readonly measured: string }>()
	const isRowOpen = () => beside() === 'row'
	const measured = () => {
		const open = beside()
		return typeof open === 'object' ? open.measured : undefined
	}
	const openRow = () => void setBeside('row')
	const closeBeside = () => void setBeside(undefined)
	/** Text that is typed in the row and not staged would be lost with its panel. */
	const isRowHeld = () => isRowOpen() && props.tab.isTyping()
	function toggleRow(): void {
		if (!isRowOpen()) openRow()
		else if (!isRowHeld()) closeBeside()
	}
	function measure(column: string): void {
		if (isRowHeld()) selected.say('Keep or undo the text that is typed beside the grid first.')
		else setBeside({ measured: column })
	}
	const measuredColumn = createMemo(() => rows.columns().find(({ name }) => name === measured()))
	/** The number of a row is being typed. */
	const [isGoing, setGoing] = createSignal(false)
	const insert = () => {
		const why = cannot().insert
		if (why === undefined) show('insert')
		else selected.say(why)
	}
	function duplicate(): void {
		void selected.use('duplicated', async ([row]) => {
			const whole = row && (await table.wholeDocument(row))
			const draft = whole === undefined ? undefined : duplicated(whole, rows.columns())
			if (draft) setDialog({ kind: 'insert', draft })
			else selected.say('The whole row cannot be read, so it cannot be duplicated.')
		})
	}
	/** The row that the focused cell refers to. */
	const reference = createMemo(() => referenceAt(table))
	function follow(found: FoundReference | undefined): void {
		if (found) props.onRows(found.table, found.filters)
	}
	/** The rows of other tables that refer to the focused row. */
	const referrers = createMemo(() => referrersAt(table))
	function followBack(): void {
		const [only, ...others] = referrers()
		if (others.length === 0) follow(only)
		else setDialog({ kind: 'referrers', found: referrers(), follow })
	}
	const rowsOf = (filters: readonly ShownFilter[], sort: readonly Sort[]): ShownTable => ({
		...{ kind: 'table', table: target.table, raw: '', match: 'all' },
		...{ filters: [...filters], sort: [...sort] },
	})
	/** Opens the rows with the value of the focused cell in another tab, in the order of this one. */
	const filterApart = () =>
		withFocusedCell(table, 'opened', focused => {
			const filters = filtersOf(table, focused)
			if (filters.length > 0) openApart(filters)
		})
	const openApart = (filters: readonly ShownFilter[]) =>
		props.onRowsApart(target.table, requestedView(rowsOf(filters, query.sort())))
	const times = createMemo(() => datesOf(rows.columns()))
	/** Opens the rows around the focused one in time in another tab, without the filters of this one. */
	const showAround = () =>
		withFocusedCell(table, 'opened', async ({ row }) => {
			const range = rangeOf(query.time(), times(), table.timeZone())
			const column = rows.columns().findIndex(({ name }) => name === range.column)
			const value = isNewRow(row.id) ? '' : copyText(cellOf(row, column))
			const around = await rowsAround(range, value, table.countRows)
			if (!around) return selected.say(`This row has no ${range.column}.`)
			const sort = [{ column: range.column, direction: 'desc' }] as const
			props.onRowsApart(target.table, requestedView(rowsOf([], sort), { ...around, rowId: row.id }))
		})
	const toggleFilter = () => query.filters.toggle(rows.columns())
	const compare = () => compareSelected(table, rows => setDialog({ kind: 'compare', rows }))
	const commands = tableCommands(engine, {
		reload: table.reload,
		insert,
		goToColumn: () => show('column'),
		filter: toggleFilter,
		exportRows: () => show('export'),
		importRows: () => props.tab.setImporting(true),
		canInsert: () => cannot().insert === undefined,
		togglePanel: toggleRow,
		compare,
		canCompare: () => rowCount(place.rectangle()) === 2,
		save: () => void table.save(false),
		cancelSave: table.saving.cancel,
		canCancelSave: table.saving.canCancel,
		discard: table.discard,
		hasStaged: () => edits.count() > 0,
		facts: () => props.onFacts(target.table),
	})
	useCommands(() => (props.isActive ? commands : []))

	return {
		dialog,
		setDialog,
		show,
		isRowOpen,
		openRow,
		toggleRow,
		closeBeside,
		measuredColumn,
		measure,
		isGoing,
		setGoing,
		insert,
		duplicate,
		canFollow: () => reference() !== undefined,
		follow: () => follow(reference()),
		canFollowBack: () => referrers().length > 0,
		followBack,
		filterApart: () => void filterApart(),
		openApart,
		canShowAround: () => times().length > 0,
		showAround: () => void showAround(),
		toggleFilter,
		compare,
		/** @param focus focuses the bar that finds in the loaded rows */
		setFocusFind(focus: () => void) {
			focusFind = focus
		},
		openFind() {
			find.open()
			focusFind()
		},
	}
}

/** Reads the two selected rows, to show them side by side. */
function compareSelected({ selected, nameOf }: OpenTable, onRead: (rows: readonly [Compared, Compared]) => void): void {
	void selected.use('compared', ([one, other]) => {
		if (!one || !other) return
		if (isNewRow(one.id) || isNewRow(other.id)) {
			selected.say('New rows can be compared after they are saved.')
			return
		}
		onRead([
			{ id: one.id, name: nameOf(one) },
			{ id: other.id, name: nameOf(other) },
		])
	})
}
