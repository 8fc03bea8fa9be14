import { createEffect, createRoot, createSignal, type JSX, on, Show } from 'solid-js'
import type { Row } from '../../host/ui-server/api.ts'
import { cellOf, cellText } from '../cells/cell-text.ts'
import { valueAt } from '../cells/value-at.ts'
import { documentOf } from '../cells/whole-row.ts'
import { Notice } from '../controls/notice.tsx'
import { Picker } from '../controls/picker.tsx'
import { showToast } from '../controls/toasts.tsx'
import { CompareDialog, type Compared } from '../row-panel/compare-dialog.tsx'
import { RowPanel } from '../row-panel/row-panel.tsx'
import { useCommands } from '../state/commands.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences, useRecords } from '../state/host.tsx'
import { createLossOf, onReconnected } from '../state/loss.ts'
import { oneWindow } from '../state/one-window.ts'
import type { Records } from '../state/records.ts'
import type { TabConnection, TabOf, TabProps } from '../state/tab.ts'
import { count } from '../words/format.ts'
import { createGridColumns } from './columns/grid-columns.ts'
import { newValue } from './edit/cell-input.ts'
import { Conflicts } from './edit/conflicts.tsx'
import { createDocumentEdits } from './edit/document-edits.ts'
import { createEdits, type Edits } from './edit/edits.ts'
import { type Draft, InsertDialog } from './edit/insert-dialog.tsx'
import { SaveBar } from './edit/save-bar.tsx'
import { createSaving } from './edit/saving.ts'
import { isNewRow } from './edit/staged.ts'
import type { CopyFormat } from './export/copy.ts'
import { CopyDialog } from './export/copy-dialog.tsx'
import { ExportDialog } from './export/export-dialog.tsx'
import { FilterBar } from './filter/filter-bar.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import { createTableQuery } from './filter/table-query.ts'
import { keepEdits, keepQuery, keepScroll } from './kept-table.ts'
import { createPlace } from './place.ts'
import { createRows } from './rows/rows.ts'
import { createSelectedRows } from './select/selected-rows.ts'
import { cellCount, rowCount } from './select/selection.ts'
import { SelectionWork } from './select/selection-work.tsx'
import { createSheet } from './sheet/sheet.ts'
import { tableCommands } from './table-commands.ts'
import { Grid } from './view/grid.tsx'
import type { WholeRow } from './view/grid-actions.ts'
import { GridState } from './view/grid-state.tsx'
import { GridStatus } from './view/grid-status.tsx'
import { GridToolbar } from './view/grid-toolbar.tsx'
import { createScrolling } from './view/scrolling.ts'

export interface TableTab extends TabOf<'table'> {
	/** What is staged. It is the tab's, and not the view's, so that a view that breaks does not take it along. */
	readonly edits: Edits
	/** Something is typed in the document that is not staged yet: it would be lost like a change. */
	isTyping(): boolean
	setTyping(isTyping: boolean): void
}

/** A tab of a table, for as long as it is open, and not as long as whatever opened or shows it. */
export function createTableTab(
	id: string,
	place: TableTab['place'],
	connection: TabConnection,
	records: Records,
): TableTab {
	return createRoot(close => {
		const edits = createEdits()
		keepEdits(records, place, edits)
		const { count, discard } = edits
		const [isTyping, setTyping] = createSignal(false)
		const staged = () => count() + (isTyping() ? 1 : 0)
		return {
			kind: 'table',
			id,
			place,
			title: place.table,
			connection,
			edits,
			isTyping,
			setTyping,
			staged,
			discard,
			close,
		}
	})
}

/** One open table: its toolbar, its grid with what is staged, and the whole of the current row. */
export function TableView(props: TabProps<TableTab>): JSX.Element {
	const host = useHost()
	const { edits } = props.tab
	const { table: name } = props.tab.place
	const connection = props.tab.connection.id
	const records = useRecords()
	const table = createTableQuery(name)
	keepQuery(records, props.tab.place, table)
	const rows = createRows(host, connection)
	// Before anything of the tab is drawn, which takes about as long as the grid to be opened.
	void rows.open(table.query())
	const sheet = createSheet(rows, edits)
	const columns = createGridColumns({
		preferences: usePreferences(),
		key: `columns/${connection}/${name}`,
		columns: rows.columns,
		uniform: rows.uniform,
		gutter: () => gutterWidth(sheet.count()),
		sort: table.sort,
		onSort: table.setSort,
	})
	const reload = () => void rows.open({ ...table.query(), isReload: true })
	onReconnected(host, connection, reload)
	const target = { connection, table: name }
	const safeMode = () => props.tab.connection.view.safeMode
	const say = (text: string, undo?: () => void) => showToast(text, undo && { label: 'Undo', run: undo })
	const alone = <T,>(work: () => Promise<T>) => oneWindow(`save/${connection}/${name}`, records, work)
	const saving = createSaving({ host, target, safeMode, rowNoun: useEngine().rowNoun, rows, edits, alone, reload, say })
	const scrolling = createScrolling(sheet.count, columns)
	const place = createPlace(sheet, columns, scrolling)
	const { selection, rectangle, toGrid } = place
	const selected = createSelectedRows(sheet, rectangle)
	const [copying, setCopying] = createSignal<(format: CopyFormat, withNames: boolean) => void>()
	const [isGoing, setGoing] = createSignal(false)
	const [dialog, setDialog] = createSignal<'export' | 'insert' | 'column'>()
	const [draft, setDraft] = createSignal<Draft>()
	const [isRowOpen, setRowOpen] = createSignal(false)
	const [compared, setCompared] = createSignal<readonly [Compared, Compared]>()
	const documentEdits = createDocumentEdits(edits, rows.columns)
	const canChange = () => rows.columns().some(({ isReadOnly }) => !isReadOnly)
	const lost = createLossOf(host, connection)
	createEffect(on(table.query, query => void rows.open(query), { defer: true }))
	keepScroll(records, props.tab.place, scrolling, () => rows.total() !== undefined)
	const engine = useEngine()
	const commands = tableCommands(engine, {
		reload,
		insert: () => setDialog('insert'),
		goToColumn: () => setDialog('column'),
		filter: () => table.filters.toggle(rows.columns()),
		exportRows: () => setDialog('export'),
		togglePanel: () => setRowOpen(isOpen => !isOpen || props.tab.isTyping()),
		compare,
		canCompare: () => rowCount(rectangle()) === 2,
		save: () => void save(false),
		discard,
		hasStaged: () => edits.count() > 0,
		facts: () => props.onFacts(name),
	})
	useCommands(() => (props.isActive ? commands : []))
	createEffect(() => {
		const range = scrolling.inView()
		if (range) sheet.show(...range)
	})
	/** With what the keys before this one stage, though rows are still read for it. */
	async function save(isAtOnce: boolean): Promise<void> {
		await selected.whenDone()
		await (isAtOnce ? saving.saveAtOnce() : saving.review())
	}
	/** The bar goes, and the keys that bring back what was staged are the grid's. */
	function discard(): void {
		saving.discard()
		toGrid()
	}
	function stopGoing(): void {
		setGoing(false)
		toGrid()
	}

	/** Puts the two selected rows side by side. */
	function compare(): void {
		void selected.use('compared', ([one, other]) => {
			if (!one || !other) return
			if (isNewRow(one.id) || isNewRow(other.id)) {
				selected.say('What is new can be compared once it is saved.')
				return
			}
			setCompared([comparedOf(one), comparedOf(other)])
		})
	}
	const comparedOf = (row: Row): Compared => ({ id: row.id, name: nameOf(row) })
	const nameOf = (row: Row) =>
		rows
			.columns()
			.flatMap((column, index) => (column.isKey ? [cellText(cellOf(row, index)).text] : []))
			.join(' · ')

	const wholeRow: WholeRow = async row => {
		try {
			const document = documentOf(await host.call('rows.read', { ...target, rowId: row.id }))
			return column => {
				const value = valueAt(document, column)
				return value === undefined ? { missing: true } : newValue(value)
			}
		} catch {
			// Whoever asks says what that means for what is being done.
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
				onExport={() => setDialog('export')}
				onInsert={() => setDialog('insert')}
				onReload={reload}
				onColumn={place.goToColumn}
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
			<Show when={!table.filters.isOpen() && table.filters.chips().length > 0}>
				<FilterChips
					chips={table.filters.chips()}
					match={table.filters.match()}
					onOpen={() => table.filters.toggle(rows.columns())}
					onDrop={table.filters.drop}
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
					isActive={props.isActive}
					isOutdated={rows.failure() !== undefined}
					state={
						<GridState
							isOpening={rows.isOpening()}
							hasRows={sheet.count() > 0}
							isEmpty={rows.total()?.value === 0 && sheet.count() === 0 && rows.failure() === undefined}
							isNarrowed={table.isNarrowed()}
							onCancel={rows.cancel}
							onWiden={table.widen}
							onInsert={() => setDialog('insert')}
						/>
					}
					sheet={sheet}
					columns={columns}
					scrolling={scrolling}
					edits={edits}
					selection={selection()}
					rectangle={rectangle()}
					size={place.size()}
					selected={selected}
					onSelect={place.setSelection}
					wholeRow={wholeRow}
					onCopyAs={copy => setCopying(() => copy)}
					onOpenRow={() => setRowOpen(true)}
					onGoToRow={() => setGoing(true)}
					onCompare={compare}
					onInsert={() => setDialog('insert')}
					onFilterBy={name => {
						const column = rows.columns().find(column => column.name === name)
						if (column) table.filters.add(column)
					}}
					onSave={isAtOnce => void save(isAtOnce)}
				/>
				<Show when={isRowOpen()}>
					<RowPanel
						connection={connection}
						table={name}
						row={place.currentRow()}
						isActive={props.isActive}
						edits={canChange() ? documentEdits : undefined}
						onTyped={props.tab.setTyping}
						onClose={() => setRowOpen(false)}
					/>
				</Show>
			</div>
			<Show when={dialog() !== 'export'}>
				<SelectionWork selected={selected} />
			</Show>
			<SaveBar table={name} edits={edits} saving={saving} onDiscard={discard} />
			<Conflicts target={target} rows={rows} edits={edits} />
			<Show when={dialog() === 'export'}>
				<ExportDialog
					connection={connection}
					query={table.query()}
					isFiltered={table.isNarrowed()}
					columns={columns.names()}
					selected={selected}
					selectedCount={rowCount(rectangle())}
					isAllSelected={rows.total()?.isExact === true && rowCount(rectangle()) === sheet.count()}
					onClose={() => setDialog(undefined)}
				/>
			</Show>
			<Show when={copying()}>
				{copy => (
					<CopyDialog
						cellCount={cellCount(rectangle())}
						onCopy={(format, withNames) => copy()(format, withNames)}
						onClose={() => {
							setCopying(undefined)
							toGrid()
						}}
					/>
				)}
			</Show>
			<Show when={compared()}>
				{pair => (
					<CompareDialog
						connection={connection}
						table={name}
						rows={pair()}
						onClose={() => {
							setCompared(undefined)
							toGrid()
						}}
					/>
				)}
			</Show>
			<Show when={dialog() === 'insert'}>
				<InsertDialog
					columns={rows.columns()}
					draft={draft()}
					onInsert={edits.insert}
					onClose={draft => {
						setDraft(draft)
						setDialog(undefined)
					}}
				/>
			</Show>
			<Show when={dialog() === 'column'}>
				<Picker
					label="Go to column"
					placeholder="Find a column, also one that is hidden"
					nothing="No column has these letters."
					picks={rows.columns().map(({ name, type }) => ({
						id: name,
						label: name,
						detail: type,
						run: () => place.goToColumn(name),
					}))}
					onClose={() => setDialog(undefined)}
				/>
			</Show>
			<GridStatus
				rows={rows}
				columns={columns}
				focus={selection().focus}
				rectangle={rectangle()}
				insertedCount={sheet.insertedCount()}
				isGoing={isGoing()}
				onGoing={isGoing => (isGoing ? setGoing(true) : stopGoing())}
				onGo={row => {
					setGoing(false)
					place.goToRow(row)
				}}
			/>
		</section>
	)
}

/** As wide as the number of the last row. */
const gutterWidth = (rows: number) => 18 + 7 * Math.max(3, count(rows).length)
