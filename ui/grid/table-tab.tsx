import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { Notice } from '../controls/notice.tsx'
import type { Compared } from '../row-panel/compare-dialog.tsx'
import { RowPanel } from '../row-panel/row-panel.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import { createLossOf } from '../state/loss.ts'
import type { TabProps } from '../state/tab.ts'
import type { TableTab } from './create-table-tab.ts'
import { Conflicts } from './edit/conflicts.tsx'
import { createDocumentEdits } from './edit/document-edits.ts'
import { duplicated } from './edit/duplicated.ts'
import { SaveBar } from './edit/save-bar.tsx'
import { isNewRow } from './edit/staged.ts'
import { RowsFindBar } from './find/rows-find-bar.tsx'
import { ImportDialog } from './import/import-dialog.tsx'
import { createOpenTable, type OpenTable } from './open-table.ts'
import { type FoundReference, referenceAt, referrersAt } from './reference.ts'
import { rowCount } from './select/selection.ts'
import { SelectionWork } from './sheet/selection-work.tsx'
import { StatisticsPanel } from './statistics/statistics-panel.tsx'
import { tableCommands } from './table-commands.ts'
import { type TableDialog, TableDialogs } from './table-dialogs.tsx'
import { copyFilter, dropRange, filterBy, filterByCell, filterByRange, TableFilters } from './table-filters.tsx'
import { TableTime } from './table-time.tsx'
import { Grid } from './view/grid.tsx'
import { GridState } from './view/grid-state.tsx'
import { GridStatus } from './view/grid-status.tsx'
import { GridToolbar } from './view/grid-toolbar.tsx'
import { ViewsMenu } from './views/views-menu.tsx'

/** An open table: toolbar, grid with staged changes, and the whole current row. */
export function TableView(props: TabProps<TableTab>): JSX.Element {
	const table = createOpenTable({
		connection: props.tab.connection.id,
		table: props.tab.place.table,
		edits: props.tab.edits,
		safeMode: () => props.tab.connection.view.safeMode,
		cannot: () => props.tab.connection.cannot(props.tab.place.table),
		isShown: () => props.isShown,
		onRowsChanged: () => props.tab.onRowsChanged(),
	})
	const { cannot, target, query, rows, edits, sheet, columns, place, selected, find } = table
	let root!: HTMLElement
	let focusFind = () => {}
	/** Goes to the query of the whole table. */
	const searchAll = () => root.querySelector<HTMLInputElement>('.search-box input')?.focus()
	const [dialog, setDialog] = createSignal<TableDialog>()
	const show = (kind: 'export' | 'insert' | 'column') => setDialog({ kind })
	const [isRowOpen, setRowOpen] = createSignal(false)
	/** The column whose statistics are shown. */
	const [measured, setMeasured] = createSignal<string>()
	const measuredColumn = createMemo(() => rows.columns().find(({ name }) => name === measured()))
	/** The number of a row is being typed. */
	const [isGoing, setGoing] = createSignal(false)
	const documentEdits = createDocumentEdits(edits, rows.columns)
	const canChange = () => cannot().update === undefined && rows.columns().some(({ isReadOnly }) => !isReadOnly)
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
	const lost = createLossOf(useHost(), target.connection)
	const toggleFilter = () => query.filters.toggle(rows.columns())
	const compare = () => compareSelected(table, rows => setDialog({ kind: 'compare', rows }))
	const engine = useEngine()
	const commands = tableCommands(engine, {
		reload: table.reload,
		insert,
		goToColumn: () => show('column'),
		filter: toggleFilter,
		exportRows: () => show('export'),
		importRows: () => props.tab.setImporting(true),
		canInsert: () => cannot().insert === undefined,
		togglePanel: () => setRowOpen(isOpen => !isOpen || props.tab.isTyping()),
		compare,
		canCompare: () => rowCount(place.rectangle()) === 2,
		save: () => void table.save(false),
		discard: table.discard,
		hasStaged: () => edits.count() > 0,
		facts: () => props.onFacts(target.table),
	})
	useCommands(() => (props.isActive ? commands : []))

	return (
		<section
			ref={root}
			class="table-tab"
			classList={{ hidden: !props.isShown }}
			role="tabpanel"
			aria-label={target.table}
		>
			<GridToolbar
				raw={query.raw()}
				onRaw={query.setRaw}
				readRaw={table.readRaw}
				isRowOpen={isRowOpen()}
				onRow={() => setRowOpen(isOpen => !isOpen)}
				columns={columns}
				request={rows.request()}
				onConsole={props.onConsole}
				onFacts={() => props.onFacts(target.table)}
				onExport={() => show('export')}
				onImport={() => props.tab.setImporting(true)}
				onInsert={insert}
				cannotInsert={cannot().insert}
				onReload={table.reload}
				onColumn={place.goToColumn}
				filterCount={query.filters.count()}
				isFilterOpen={query.filters.isOpen()}
				onFilter={toggleFilter}
				views={<ViewsMenu table={table} isActive={props.isActive} />}
			/>
			<TableFilters table={table} onOpen={toggleFilter} />
			<TableTime table={table} isActive={props.isActive} isRowOpen={isRowOpen()} />
			<Show when={lost() ?? rows.failure()}>
				{message => (
					<Notice kind="error" action={{ label: 'Try again', run: table.reload }}>
						{message()}
					</Notice>
				)}
			</Show>
			<Show when={find.isOpen()}>
				<RowsFindBar
					find={find}
					sheet={sheet}
					ref={focus => {
						focusFind = focus
					}}
					onSearchAll={engine.rawQuery ? searchAll : undefined}
				/>
			</Show>
			<div class="table-split">
				<Grid
					label={target.table}
					isActive={props.isActive}
					isOutdated={rows.failure() !== undefined}
					state={
						<GridState
							isOpening={rows.isOpening()}
							hasRows={sheet.count() > 0}
							isEmpty={rows.total()?.value === 0 && sheet.count() === 0 && rows.failure() === undefined}
							isNarrowed={query.isNarrowed()}
							onCancel={rows.cancel}
							onWiden={query.widen}
							onInsert={cannot().insert === undefined ? insert : undefined}
						/>
					}
					sheet={sheet}
					columns={columns}
					scrolling={table.scrolling}
					edits={edits}
					selection={place.selection()}
					rectangle={place.rectangle()}
					size={place.size()}
					selected={selected}
					onSelect={place.setSelection}
					references={rows.references()}
					wholeRow={table.wholeRow}
					exported={table.exported}
					canFollow={reference() !== undefined}
					onFollow={() => follow(reference())}
					canFollowBack={referrers().length > 0}
					onFollowBack={followBack}
					onCopyAs={copy => setDialog({ kind: 'copy', copy })}
					onOpenRow={() => setRowOpen(true)}
					onGoToRow={() => setGoing(true)}
					onCompare={compare}
					onInsert={insert}
					onDuplicate={duplicate}
					canInsert={cannot().insert === undefined}
					onFilterBy={name => {
						const column = rows.columns().find(column => column.name === name)
						if (column) query.filters.add(column)
					}}
					onStatistics={setMeasured}
					onFilter={use => filterByCell(table, use)}
					onCopyFilter={() => void copyFilter(table)}
					find={find}
					onFind={() => {
						find.open()
						focusFind()
					}}
					onSave={isAtOnce => void table.save(isAtOnce)}
				/>
				<Show when={measuredColumn()}>
					{column => (
						<StatisticsPanel
							connection={target.connection}
							query={query.chosen()}
							column={column()}
							loads={table.loads()}
							isTableFailed={rows.failure() !== undefined}
							onFilter={(column, cell, use) => filterBy(table, { column, cell, use })}
							onRange={(column, from, to) => filterByRange(table, column, [from, to])}
							onRangeReset={column => dropRange(query, column)}
							onClose={() => setMeasured(undefined)}
						/>
					)}
				</Show>
				<Show when={isRowOpen()}>
					<RowPanel
						{...target}
						row={place.currentRow()}
						isActive={props.isActive}
						edits={canChange() ? documentEdits : undefined}
						onTyped={props.tab.setTyping}
						onClose={() => setRowOpen(false)}
					/>
				</Show>
			</div>
			<Show when={dialog()?.kind !== 'export'}>
				<SelectionWork selected={selected} />
			</Show>
			<SaveBar
				table={target.table}
				connection={props.tab.connection}
				edits={edits}
				saving={table.saving}
				onDiscard={table.discard}
			/>
			<Conflicts target={target} rows={rows} edits={edits} />
			<TableDialogs table={table} dialog={dialog()} onClose={() => setDialog(undefined)} />
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
				insertedCount={sheet.insertedCount()}
				isGoing={isGoing()}
				onGoing={isGoing => {
					setGoing(isGoing)
					if (!isGoing) place.toGrid()
				}}
				onGo={row => {
					setGoing(false)
					place.goToRow(row)
				}}
			/>
		</section>
	)
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
