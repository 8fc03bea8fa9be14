import { createEffect, type JSX, Show, untrack } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import { SelectionWork } from '../grid/selection/selection-work.tsx'
import { Grid } from '../grid/view/grid.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import { createLossOf } from '../state/loss.ts'
import type { TabProps } from '../state/tab.ts'
import { ClientChanges } from './client-changes.tsx'
import type { TableTab } from './create-table-tab.ts'
import { Conflicts } from './edit/conflicts.tsx'
import { GoneValues } from './edit/gone-values.tsx'
import { ReferringProvider } from './edit/referred-rows.tsx'
import { SaveBar } from './edit/save-bar.tsx'
import { createTableFeatures } from './features/features.ts'
import { createOpenTable } from './open-table.ts'
import { QueryNote } from './query-bar/query-note.tsx'
import { TableFilters } from './table-filters.tsx'
import { TableState } from './table-state.tsx'
import { TableStatus } from './table-status.tsx'
import { TableTime } from './table-time.tsx'
import { TableToolbar } from './table-toolbar.tsx'
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
	const { cannot, target, query, rows, edits, sheet, columns, place, selected } = table
	let root!: HTMLElement
	/** Goes to the query of the whole table. */
	const searchAll = () => root.querySelector<HTMLInputElement>('.search-box input')?.focus()
	const features = createTableFeatures({ tab: props, table })
	const { beside, goTo, insert, exporting, importing, similar } = features
	const lost = createLossOf(useHost(), target.connection)
	const engine = useEngine()
	// A table that leaves the list was dropped or renamed: the failure of the reload tells the user, beside the old rows.
	createEffect<boolean>(wasListed => {
		const { listed } = props.tab.connection
		// One that was never listed may exist, for example an alias.
		const isListed = listed ? props.tab.connection.table(target.table) !== undefined : wasListed
		if (wasListed && !isListed) untrack(table.reload)
		return isListed
	}, false)
	useCommands(() =>
		props.isActive
			? [
					{ id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: table.reload },
					{
						id: 'table.query',
						title: 'Go to the query',
						keys: ['Mod+L'],
						isAvailable: () => engine.rawQuery !== undefined,
						run: searchAll,
					},
					{
						id: 'table.lines',
						title: `One line or three of ${columns.wrapping() ?? ''}`,
						isAvailable: () => columns.wrapping() !== undefined,
						run: () => columns.setTall(!columns.isTall()),
					},
					{
						id: 'table.facts',
						title: `About this ${engine.tableNoun.one.toLowerCase()}`,
						isAvailable: () => engine.hasFacts === true,
						run: () => props.onFacts(target.table),
					},
				]
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
				<TableToolbar
					query={query.bar()}
					onQuery={table.search}
					onLeaveQuery={place.toGrid}
					readRaw={table.readRaw}
					meaningOf={table.meaningOf}
					recentQueries={table.recentQueries}
					isRowOpen={beside.isRowOpen()}
					onRow={beside.toggleRow}
					columns={columns}
					request={rows.request()}
					onConsole={props.onConsole}
					onFacts={() => props.onFacts(target.table)}
					onExport={exporting.open}
					onImport={importing.open}
					onInsert={insert.insert}
					cannotInsert={cannot().insert}
					time={table.timeFold}
					similar={similar}
					onReload={table.reload}
					onColumn={place.goToColumn}
					filterCount={query.filters.count()}
					isFilterOpen={query.filters.isOpen()}
					onFilter={() => query.filters.toggle(rows.columns())}
					views={
						<ViewsMenu
							table={table}
							connection={props.tab.connection.name}
							isActive={props.isActive}
							asked={props.tab.view()}
							onApplied={() => props.tab.setView(undefined)}
							onLink={props.onViewLink}
						/>
					}
				/>
				<QueryNote
					query={query.bar()}
					onRead={async text => table.search(await table.meaningOf(text))}
					onLiteral={text => table.search({ raw: text, typed: text })}
				/>
				<TableFilters table={table} />
				<TableTime table={table} isActive={props.isActive} isShown={props.isShown} isRowOpen={beside.isRowOpen()} />
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
				<ClientChanges
					connection={props.tab.connection}
					table={target.table}
					reloads={table.loads()}
					onReload={table.reload}
				/>
				{features.all.map(feature => feature.topPanel?.())}
				<div class="table-split">
					{features.all.map(feature => feature.leftPanel?.())}
					<Grid
						grid={table.grid}
						features={features.all}
						label={target.table}
						isActive={props.isActive}
						isOutdated={rows.failure() !== undefined}
						onSearchAll={engine.rawQuery ? searchAll : undefined}
					>
						<TableState
							isOpening={rows.isOpening()}
							hasRows={sheet.count() > 0}
							isEmpty={rows.total()?.value === 0 && sheet.count() === 0 && rows.failure() === undefined}
							narrowings={query.narrowings()}
							notices={rows.notices()}
							onCancel={rows.cancel}
							onInsert={cannot().insert === undefined ? insert.insert : undefined}
							onImport={importing.canImport() ? importing.open : undefined}
						/>
					</Grid>
					{features.all.map(feature => feature.panel?.())}
				</div>
				<Show when={!exporting.isOpen()}>
					<SelectionWork selected={selected} />
				</Show>
				<GoneValues columns={rows.columns()} edits={edits} />
				<Conflicts target={target} rows={rows} edits={edits} isShown={props.isShown} />
				<SaveBar
					table={target.table}
					connection={props.tab.connection}
					database={props.tab.database?.()}
					rows={rows}
					edits={edits}
					saving={table.saving}
					isShown={props.isShown}
					onDiscard={table.discard}
					onCancel={place.toGrid}
				/>
				<TableStatus
					rows={rows}
					grid={table.grid}
					isGoing={goTo.isGoing()}
					onGoing={isGoing => {
						goTo.setGoing(isGoing)
						if (!isGoing) place.toGrid()
					}}
					onGo={row => {
						goTo.setGoing(false)
						place.goToRow(row)
					}}
				/>
			</section>
		</ReferringProvider>
	)
}
