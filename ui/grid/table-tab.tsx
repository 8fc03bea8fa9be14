import { type JSX, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import { createLossOf } from '../state/loss.ts'
import type { TabProps } from '../state/tab.ts'
import type { TableTab } from './create-table-tab.ts'
import { Conflicts } from './edit/conflicts.tsx'
import { GoneValues } from './edit/gone-values.tsx'
import { ReferringProvider } from './edit/referred-rows.tsx'
import { SaveBar } from './edit/save-bar.tsx'
import { RowsFindBar } from './find/rows-find-bar.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { createOpenTable } from './open-table.ts'
import { QueryNote } from './query-bar/query-note.tsx'
import { SelectionWork } from './sheet/selection-work.tsx'
import { TableDialogs } from './table-dialogs.tsx'
import { TableFilters } from './table-filters.tsx'
import { TableSplit } from './table-split.tsx'
import { TableTime } from './table-time.tsx'
import { createTableWork } from './table-work.ts'
import { GridStatus } from './view/grid-status.tsx'
import { GridToolbar } from './view/grid-toolbar.tsx'
import { ViewsMenu } from './views/views-menu.tsx'

/** An open table: toolbar, grid with staged changes, and the whole current row. */
export function TableView(props: TabProps<TableTab>): JSX.Element {
	const table = createOpenTable({
		tab: props.tab,
		safeMode: () => props.tab.connection.view.safeMode,
		cannot: () => props.tab.connection.cannot(props.tab.place.table),
		listed: () => props.tab.connection.table(props.tab.place.table),
		timeZone: () => props.tab.connection.timeZone,
		isShown: () => props.isShown,
		onRowsChanged: () => props.tab.onRowsChanged(),
	})
	const { cannot, target, query, rows, edits, sheet, columns, place, selected, find } = table
	let root!: HTMLElement
	/** Goes to the query of the whole table. */
	const searchAll = () => root.querySelector<HTMLInputElement>('.search-box input')?.focus()
	const work = createTableWork(props, table)
	const lost = createLossOf(useHost(), target.connection)
	const engine = useEngine()
	useCommands(() =>
		props.isActive && engine.rawQuery
			? [{ id: 'table.query', title: 'Go to the query', keys: ['Mod+L'], run: searchAll }]
			: [],
	)

	return (
		<ReferringProvider connection={target.connection} references={rows.references()}>
			<section
				ref={root}
				class="table-tab"
				classList={{ hidden: !props.isShown }}
				role="tabpanel"
				aria-label={target.table}
			>
				<GridToolbar
					query={query.bar()}
					onQuery={table.search}
					onLeaveQuery={place.toGrid}
					readRaw={table.readRaw}
					meaningOf={table.meaningOf}
					recentQueries={table.recentQueries}
					isRowOpen={work.isRowOpen()}
					onRow={work.toggleRow}
					columns={columns}
					request={rows.request()}
					onConsole={props.onConsole}
					onFacts={() => props.onFacts(target.table)}
					onExport={() => work.show('export')}
					onImport={() => props.tab.setImporting(true)}
					onInsert={work.insert}
					cannotInsert={cannot().insert}
					onReload={table.reload}
					onColumn={place.goToColumn}
					filterCount={query.filters.count()}
					isFilterOpen={query.filters.isOpen()}
					onFilter={work.toggleFilter}
					views={
						<ViewsMenu
							table={table}
							isActive={props.isActive}
							asked={props.tab.view()}
							onApplied={() => props.tab.setView(undefined)}
						/>
					}
				/>
				<QueryNote
					query={query.bar()}
					onRead={async text => table.search(await table.meaningOf(text))}
					onLiteral={text => table.search({ raw: text, typed: text })}
				/>
				<TableFilters table={table} onOpen={work.toggleFilter} />
				<TableTime table={table} isActive={props.isActive} isRowOpen={work.isRowOpen()} />
				<Show when={lost() ?? rows.failure()}>
					{message => (
						<Notice
							kind={rows.isCancelled() && lost() === undefined ? 'info' : 'error'}
							action={{ label: 'Try again', run: table.reload }}
						>
							{message()}
						</Notice>
					)}
				</Show>
				<Show when={find.isOpen()}>
					<RowsFindBar
						find={find}
						sheet={sheet}
						ref={work.setFocusFind}
						onSearchAll={engine.rawQuery ? searchAll : undefined}
					/>
				</Show>
				<TableSplit tab={props} table={table} work={work} />
				<Show when={work.dialog()?.kind !== 'export'}>
					<SelectionWork selected={selected} />
				</Show>
				<GoneValues columns={rows.columns()} edits={edits} />
				<SaveBar
					table={target.table}
					connection={props.tab.connection}
					database={props.tab.database?.()}
					edits={edits}
					saving={table.saving}
					onDiscard={table.discard}
					onCancel={place.toGrid}
				/>
				<Conflicts target={target} rows={rows} edits={edits} />
				<TableDialogs table={table} dialog={work.dialog()} onClose={() => work.setDialog(undefined)} />
				<Show when={props.tab.isImporting()}>
					<ImportDialog
						target={target}
						safeMode={props.tab.connection.view.safeMode}
						connection={props.tab.connection}
						onImported={() => {
							table.reload()
							props.tab.onRowsChanged()
						}}
						onClose={() => props.tab.setImporting(false)}
					/>
				</Show>
				<GridStatus
					rows={rows}
					columns={columns}
					focus={place.selection().focus}
					rectangle={place.rectangle()}
					cellAt={({ row, column }) => {
						const [shown, place] = [sheet.at(row), columns.at(column)]
						return shown && place && sheet.cell(shown, place)
					}}
					insertedCount={sheet.insertedCount()}
					isGoing={work.isGoing()}
					onGoing={isGoing => {
						work.setGoing(isGoing)
						if (!isGoing) place.toGrid()
					}}
					onGo={row => {
						work.setGoing(false)
						place.goToRow(row)
					}}
				/>
			</section>
		</ReferringProvider>
	)
}
