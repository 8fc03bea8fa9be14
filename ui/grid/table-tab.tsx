import { createEffect, createRoot, createSignal, type JSX, on, Show } from 'solid-js'
import type { Cell, Column, Row } from '../../host/ui-server/api.ts'
import { valueAt } from '../cells/value-at.ts'
import { Notice } from '../controls/notice.tsx'
import { RowPanel } from '../row-panel/row-panel.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { createLossOf } from '../state/loss.ts'
import type { TabConnection, TabOf, TabProps } from '../state/tab.ts'
import { createGridColumns } from './columns/grid-columns.ts'
import { newValue } from './edit/cell-input.ts'
import { Conflicts } from './edit/conflicts.tsx'
import { createEdits, type Edits } from './edit/edits.ts'
import { InsertDialog } from './edit/insert-dialog.tsx'
import { SaveBar } from './edit/save-bar.tsx'
import { createSaving } from './edit/saving.ts'
import { ExportDialog } from './export/export-dialog.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { createTableQuery } from './filter/table-query.ts'
import { createRows } from './rows/rows.ts'
import { createSelectedRows } from './select/selected-rows.ts'
import { at, type CellSelection, rowCount } from './select/selection.ts'
import { SelectionWork } from './select/selection-work.tsx'
import { Grid } from './view/grid.tsx'
import { GridStatus } from './view/grid-status.tsx'
import { GridToolbar } from './view/grid-toolbar.tsx'

export interface TableTab extends TabOf<'table'> {
	readonly table: string
	/** What is staged. It is the tab's, and not the view's, so that a view that breaks does not take it along. */
	readonly edits: Edits
}

/** A tab of a table, for as long as it is open, and not as long as whatever opened or shows it. */
export function createTableTab(id: string, connection: TabConnection, table: string): TableTab {
	return createRoot(close => ({ kind: 'table', id, title: table, connection, table, edits: createEdits(), close }))
}

/** One open table: its toolbar, its grid with what is staged, and the whole of the current row. */
export function TableView(props: TabProps<TableTab>): JSX.Element {
	const host = useHost()
	const { table: name, edits } = props.tab
	const connection = props.tab.connection.id
	const table = createTableQuery(name)
	const rows = createRows(host, connection)
	const columns = createGridColumns({
		preferences: usePreferences(),
		key: `columns/${connection}/${name}`,
		columns: rows.columns,
		sort: table.sort,
		onSort: table.setSort,
	})
	const reload = () => void rows.open(table.query())
	const target = { connection, table: name }
	const saving = createSaving({ host, target, rowNoun: useEngine().rowNoun, rows, edits, reload })
	const [selection, setSelection] = createSignal<CellSelection>(at({ row: 0, column: 0 }))
	const selected = createSelectedRows(rows, selection)
	const [sheet, setSheet] = createSignal<'export' | 'insert'>()
	const [isRowOpen, setRowOpen] = createSignal(false)
	const lost = createLossOf(host, connection)
	createEffect(on(table.query, reload))
	createEffect(() => props.onStaged(edits.count()))

	async function wholeCell(row: Row, column: Column): Promise<Cell | undefined> {
		try {
			const whole = await host.call('rows.read', { ...target, rowId: row.id })
			const value = valueAt(whole.document, column.name)
			return value === undefined ? undefined : newValue(value)
		} catch {
			// The editor then shows the cut text and says what saving it does.
			return undefined
		}
	}

	return (
		<section class="table-tab" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label={name}>
			<GridToolbar
				raw={table.raw()}
				onRaw={table.setRaw}
				isRowOpen={isRowOpen()}
				onRow={() => setRowOpen(isOpen => !isOpen)}
				columns={columns}
				request={rows.request()}
				onConsole={props.onConsole}
				onFacts={() => props.onFacts(name)}
				onExport={() => setSheet('export')}
				onInsert={() => setSheet('insert')}
				onReload={reload}
				filterCount={table.filters.count()}
				isFilterOpen={table.filters.isOpen()}
				onFilter={() => table.filters.toggle(rows.columns())}
			/>
			<Show when={table.filters.isOpen()}>
				<FilterBar
					columns={rows.columns()}
					rows={table.filters.rows()}
					match={table.filters.match()}
					onChange={table.filters.change}
					onMatch={table.filters.setMatch}
					onApply={table.filters.apply}
				/>
			</Show>
			<Show when={lost() ?? rows.failure()}>
				{message => (
					<Notice kind="error" action={{ label: 'Try again', run: reload }}>
						{message()}
					</Notice>
				)}
			</Show>
			<div class="table-split">
				<Grid
					label={name}
					rows={rows}
					columns={columns}
					edits={edits}
					selection={selection()}
					selected={selected}
					onSelect={setSelection}
					wholeCell={wholeCell}
					onOpenRow={() => setRowOpen(true)}
					onSave={() => void saving.review()}
				/>
				<Show when={isRowOpen()}>
					<RowPanel
						connection={connection}
						table={name}
						row={rows.at(selection().focus.row)}
						onClose={() => setRowOpen(false)}
					/>
				</Show>
			</div>
			<Show when={sheet() !== 'export'}>
				<SelectionWork selected={selected} />
			</Show>
			<SaveBar edits={edits} saving={saving} />
			<Conflicts target={target} rows={rows} edits={edits} />
			<Show when={sheet() === 'export'}>
				<ExportDialog
					connection={connection}
					query={table.query()}
					isFiltered={table.isNarrowed()}
					columns={columns.names()}
					selected={selected}
					selectedCount={rowCount(selection())}
					isAllSelected={rows.total()?.isExact === true && rowCount(selection()) === rows.total()?.value}
					onClose={() => setSheet(undefined)}
				/>
			</Show>
			<Show when={sheet() === 'insert'}>
				<InsertDialog columns={rows.columns()} onInsert={edits.insert} onClose={() => setSheet(undefined)} />
			</Show>
			<GridStatus rows={rows} selection={selection()} />
		</section>
	)
}
