import { createEffect, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import type { Cell, Column, GridQuery, Row, Sort } from '../../host/ui-server/api.ts'
import { DocumentPanel } from '../document/document-panel.tsx'
import { newValue } from '../grid/cell-input.ts'
import { Conflicts } from '../grid/conflicts.tsx'
import { valueAt } from '../grid/document-path.ts'
import { createEdits } from '../grid/edits.ts'
import { ExportDialog } from '../grid/export-dialog.tsx'
import { emptyFilter, FilterBar, type Match } from '../grid/filter-bar.tsx'
import { type FilterRow, toFilters } from '../grid/filters.ts'
import { Grid } from '../grid/grid.tsx'
import { createGridColumns } from '../grid/grid-columns.ts'
import { GridStatus } from '../grid/grid-status.tsx'
import { GridToolbar } from '../grid/grid-toolbar.tsx'
import { InsertDialog } from '../grid/insert-dialog.tsx'
import { createRows } from '../grid/rows.ts'
import { SaveBar } from '../grid/save-bar.tsx'
import { createSaving } from '../grid/saving.ts'
import { at, rectangleOf, type Selection } from '../grid/selection.ts'
import { Notice } from '../parts/notice.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import type { Tab } from '../state/workspace.ts'

/** One open table: its toolbar, its grid with what is staged, and the document of the current row. */
export function TableTab(props: {
	readonly tab: Tab
	readonly isActive: boolean
	onConsole(text: string): void
}): JSX.Element {
	const host = useHost()
	const { connection, title: table } = props.tab
	const [sort, setSort] = createSignal<readonly Sort[]>([])
	const [raw, setRaw] = createSignal('')
	const [filters, setFilters] = createSignal<readonly FilterRow[]>([])
	const [match, setMatch] = createSignal<Match>('all')
	const [applied, setApplied] = createSignal<Pick<GridQuery, 'filters' | 'match'>>({ filters: [], match: 'all' })
	const [selection, setSelection] = createSignal<Selection>(at({ row: 0, column: 0 }))
	const place = () => selection().focus
	const [isExporting, setExporting] = createSignal(false)
	const [isInserting, setInserting] = createSignal(false)
	const [isDocumentOpen, setDocumentOpen] = createSignal(false)
	const [lost, setLost] = createSignal<string>()
	const rows = createRows(host, connection)
	const edits = createEdits()
	const columns = createGridColumns({
		preferences: usePreferences(),
		key: `columns/${connection}/${table}`,
		columns: rows.columns,
		sort,
		onSort: setSort,
	})
	async function wholeCell(row: Row, column: Column): Promise<Cell | undefined> {
		try {
			const { document } = await host.call('rows.read', { connection, table, rowId: row.id })
			const value = valueAt(document, column.name)
			return value === undefined ? undefined : newValue(value)
		} catch {
			// The editor then shows the cut text and says what saving it does.
			return undefined
		}
	}
	const query = (): GridQuery => ({ table, ...applied(), sort: sort(), ...(raw() && { raw: raw() }) })
	const apply = () => setApplied({ filters: toFilters(filters()), match: match() })
	const reload = () => void rows.open(query())
	const saving = createSaving(host, { connection, table }, rows, edits, reload)
	createEffect(on([sort, raw, applied], reload))
	onCleanup(
		host.on('session.state', ({ connection: changed, state }) => {
			if (changed !== connection) return
			if (state.status === 'failed') setLost(state.message)
			else if (state.status === 'connected') setLost(undefined)
		}),
	)

	return (
		<section class="table-tab" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label={table}>
			<GridToolbar
				raw={raw()}
				onRaw={setRaw}
				isDocumentOpen={isDocumentOpen()}
				onDocument={() => setDocumentOpen(isOpen => !isOpen)}
				columns={columns}
				request={rows.request()}
				onConsole={props.onConsole}
				onExport={() => setExporting(true)}
				onInsert={() => setInserting(true)}
				onReload={reload}
				filterCount={applied().filters.length}
				isFilterOpen={filters().length > 0}
				onFilter={() => {
					if (filters().length === 0) setFilters([emptyFilter(rows.columns())])
					else {
						setFilters([])
						apply()
					}
				}}
			/>
			<Show when={filters().length > 0}>
				<FilterBar
					columns={rows.columns()}
					rows={filters()}
					match={match()}
					onChange={next => {
						setFilters(next)
						if (next.length === 0) apply()
					}}
					onMatch={setMatch}
					onApply={apply}
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
					label={table}
					rows={rows}
					columns={columns}
					edits={edits}
					selection={selection()}
					onSelect={setSelection}
					wholeCell={wholeCell}
					onOpenDocument={() => setDocumentOpen(true)}
					onSave={() => void saving.review()}
				/>
				<Show when={isDocumentOpen()}>
					<DocumentPanel
						connection={connection}
						table={table}
						row={rows.at(place().row)}
						onClose={() => setDocumentOpen(false)}
					/>
				</Show>
			</div>
			<SaveBar edits={edits} saving={saving} />
			<Conflicts target={{ connection, table }} rows={rows} edits={edits} />
			<Show when={isExporting()}>
				<ExportDialog
					connection={connection}
					query={query()}
					isFiltered={applied().filters.length > 0 || raw() !== ''}
					columns={columns.names()}
					selectedCount={selectedRowCount(selection())}
					selectedRows={async () => (await rows.fetch(...selectedRows(selection()))).map(row => row.id)}
					onClose={() => setExporting(false)}
				/>
			</Show>
			<Show when={isInserting()}>
				<InsertDialog onInsert={edits.insert} onClose={() => setInserting(false)} />
			</Show>
			<GridStatus rows={rows} selection={selection()} />
		</section>
	)
}

function selectedRows(selection: Selection): readonly [first: number, last: number] {
	const { top, bottom } = rectangleOf(selection)
	return [top, bottom]
}

function selectedRowCount(selection: Selection): number {
	const [first, last] = selectedRows(selection)
	return last - first + 1
}
