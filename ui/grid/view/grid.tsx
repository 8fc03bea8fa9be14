import { createSignal, Index, type JSX, onMount, Show } from 'solid-js'
import type { Cell, Reference } from '../../../host/api/api.ts'
import type { CopyFormat } from '../../cells/copy.ts'
import { rowHeight } from '../../state/appearance.ts'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import type { GridColumns } from '../columns/grid-columns.ts'
import { createMeasure } from '../columns/measure.ts'
import { CellEditor } from '../edit/cell-editor.tsx'
import type { Edits } from '../edit/edits.ts'
import { ValueDialog } from '../edit/value-dialog.tsx'
import { pastedText } from '../export/clipboard.ts'
import type { CellFilterUse } from '../filter/cell-filter.ts'
import type { GridFind } from '../find/grid-find.ts'
import { type Move, moveOf } from '../select/keys.ts'
import { type CellSelection, cellCount, moved, type Rectangle, rowCount, type Size } from '../select/selection.ts'
import type { SelectedRows } from '../sheet/selected-rows.ts'
import type { Sheet } from '../sheet/sheet.ts'
import { createCellEditing } from './cell-editing.ts'
import { createDragging } from './dragging.ts'
import { createGridActions, type ExportedRows, type WholeRow } from './grid-actions.ts'
import { cellId } from './grid-cell.tsx'
import { commandOfKey, gridCommands, typedBy } from './grid-commands.ts'
import { GridHeader, headerId } from './grid-header.tsx'
import { GridMenu, openMenuAt } from './grid-menu.tsx'
import { GridRow } from './grid-row.tsx'
import { headerCommandOf } from './header-keys.ts'
import { createHoverCard } from './hover-card.tsx'
import { headHeight, type Scrolling } from './scrolling.ts'

/** The grid: rows and columns in view over pooled nodes, one cell in focus, typed editing in place. */
export function Grid(props: {
	readonly label: string
	/** Whether its tab is active. */
	readonly isActive: boolean
	/** The rows are from before a failed load. */
	readonly isOutdated: boolean
	/** Shown over the rows. */
	readonly state: JSX.Element
	readonly sheet: Sheet
	readonly columns: GridColumns
	readonly scrolling: Scrolling
	readonly edits: Edits
	readonly selection: CellSelection
	/** The selection, and the size of the table. */
	readonly rectangle: Rectangle
	readonly size: Size
	/** The selected rows, for actions. */
	readonly selected: SelectedRows
	onSelect(selection: CellSelection): void
	onOpenRow(): void
	onGoToRow(): void
	onCompare(): void
	onInsert(): void
	/** Opens a new row with the values of the focused one. */
	onDuplicate(): void
	readonly canInsert: boolean
	/** Whether the focused cell refers to a row of another table. */
	readonly canFollow: boolean
	onFollow(): void
	readonly canFollowBack: boolean
	onFollowBack(): void
	/** Opens a filter for a column. */
	onFilterBy(name: string): void
	/** Shows the statistics of a column. */
	onStatistics(name: string): void
	/** Filters by the focused cell. */
	onFilter(use: CellFilterUse): void
	onCopyFilter(): void
	readonly references: readonly Reference[]
	readonly wholeRow: WholeRow
	readonly exported: ExportedRows
	/** Asks for the format to copy. */
	onCopyAs(copy: (format: CopyFormat, withNames: boolean) => void): void
	readonly find: GridFind
	/** Opens the bar that finds in the loaded rows, or focuses it. */
	onFind(): void
	/** Opens the review, or saves at once. */
	onSave(isAtOnce: boolean): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	/** Whether the focused column's header has the focus. */
	const [isInHead, setInHead] = createSignal(false)
	const { sheet, columns, edits, scrolling } = props
	onMount(() => scrolling.attach(scroller))

	const focus = () => props.selection.focus
	const rectangle = () => props.rectangle
	const { wholeRow, exported } = props
	const actions = createGridActions({ selected: props.selected, sheet, columns, edits, rectangle, wholeRow, exported })
	const cellEditing = createCellEditing({
		sheet,
		columns,
		edits,
		focus,
		wholeRow,
		say: text => props.selected.say(text),
	})
	const { editing } = cellEditing
	const hoverCard = createHoverCard((row, column) => {
		const [shown, at] = [sheet.at(row), columns.at(column)]
		return shown && at && { cell: sheet.cell(shown, at), kind: at.column.kind }
	})
	const inPlace = () => (editing()?.isOpened ? undefined : editing())
	const opened = () => (editing()?.isOpened ? editing() : undefined)
	const dragging = createDragging({
		scrolling,
		selection: () => props.selection,
		rectangle,
		onSelect: selection => props.onSelect(selection),
	})

	function move(step: Move, isExtending = false): void {
		const next = moved(props.selection, step, { size: props.size, isExtending })
		props.onSelect(next)
		scrolling.reveal(next.focus)
		// A pinned column is always visible, so moving to the first column also scrolls to the left.
		if (step.columns < -1) scroller.scrollLeft = 0
		hoverCard.onMoved(() => scroller.querySelector(`#${cellId(focus().row, focus().column)}`))
	}

	/** Keeps the typed value: in the cell, or in all selected cells. */
	function stopEditing(next?: Cell, isForAll = false): void {
		cellEditing.stop(isForAll ? undefined : next)
		if (isForAll && next !== undefined) void actions.setAll(next)
		scroller.focus()
	}

	/** A click elsewhere first keeps the typed value. @returns whether that succeeded */
	function leaveEditor(): boolean {
		const field = scroller.querySelector<HTMLElement>('.cell-editor :is(input, select, textarea)')
		scroller.focus({ preventScroll: true })
		if (editing()) field?.focus()
		return editing() === undefined
	}

	/** Handles a key of the focused header. */
	function onHeaderKey(event: KeyboardEvent): boolean {
		const command = headerCommandOf(event)
		const name = columns.at(focus().column)?.column.name
		if (!command || name === undefined) return false
		switch (command.do) {
			case 'go':
				move({ rows: 0, columns: command.by })
				break
			case 'sort':
				columns.toggleSort(name, command.isMulti)
				break
			case 'resize':
				columns.resize(name, columns.width(focus().column) + command.by)
				break
			case 'move':
				columns.move(name, command.by)
				move({ rows: 0, columns: columns.indexOf(name) - focus().column })
				break
			case 'openMenu':
				openMenuAt(scroller.querySelector(`#${headerId(focus().column)}`) ?? scroller)
				break
			case 'leave':
				setInHead(false)
		}
		return true
	}

	/** Fits columns to their visible contents. */
	function fit(names: readonly string[]): void {
		const [first = 0, last = -1] = scrolling.inView() ?? []
		const rows = Array.from({ length: last - first + 1 }, (_, index) => sheet.at(first + index))
		columns.fit(
			names,
			createMeasure(
				scroller,
				sheet,
				rows.filter(row => row !== undefined),
			),
		)
	}

	/** A minus sign begins a negative number, if the cell takes one. */
	function isNegativeNumber(event: KeyboardEvent): boolean {
		const [row, at] = [sheet.at(focus().row), columns.at(focus().column)]
		return typedBy(event) === '-' && at?.column.kind === 'number' && row !== undefined && sheet.canChange(row, at)
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (editing()) return
		if (isInHead() && onHeaderKey(event)) {
			event.preventDefault()
			event.stopPropagation()
			return
		}
		if (event.key === 'ArrowUp' && !event.shiftKey && focus().row === 0) {
			event.preventDefault()
			setInHead(true)
			return
		}
		const step = event.altKey ? undefined : moveOf(event, scrolling.pageRows())
		const command = step || isNegativeNumber(event) ? undefined : commandOfKey(commands, event)
		const typed = step || command ? undefined : typedBy(event)
		if (!step && !command && typed === undefined) return
		event.preventDefault()
		event.stopPropagation()
		setInHead(false)
		if (step) move(step, event.shiftKey)
		else if (command) command.run()
		else void cellEditing.start(typed)
	}

	/** The menu of the focused cell opens at the cell, also without a pointer. */
	function openMenu(): void {
		openMenuAt(scroller.querySelector(`#${cellId(focus().row, focus().column)}`) ?? scroller)
	}
	/** From the menu the browser asks the user first; the key needs no question. */
	async function pasteFromMenu(): Promise<void> {
		try {
			await actions.paste(await navigator.clipboard.readText())
		} catch {
			props.selected.say('The browser does not allow the menu to paste. Press Ctrl+V.')
		}
	}
	const engine = useEngine()
	const focusedName = () => columns.at(focus().column)?.column.name
	const commands = gridCommands(
		{
			openRow: () => props.onOpenRow(),
			compare: () => props.onCompare(),
			canCompare: () => rowCount(props.rectangle) === 2,
			edit: () => void cellEditing.start(),
			openValue: () => void cellEditing.open(),
			copy: format => void actions.copy(format),
			copyExported: format => void actions.copyExported(format),
			copyAs: () => props.onCopyAs((format, withNames) => void actions.copy(format, withNames)),
			paste: () => void pasteFromMenu(),
			fillDown: () => void actions.fillDown(),
			setNull: () => void actions.setAll(null),
			removeField: () => void actions.setAll({ missing: true }),
			toggleDeleted: () => void actions.toggleDeleted(),
			goToRow: () => props.onGoToRow(),
			undo: () => void props.selected.whenDone().then(edits.undo),
			canUndo: edits.canUndo,
			redo: () => void props.selected.whenDone().then(edits.redo),
			canRedo: edits.canRedo,
			save: isAtOnce => props.onSave(isAtOnce),
			canSave: () => edits.count() > 0,
			select: span => props.onSelect({ ...props.selection, span }),
			statistics: () => {
				const name = focusedName()
				if (name !== undefined) props.onStatistics(name)
			},
			filter: use => props.onFilter(use),
			copyFilter: () => props.onCopyFilter(),
			canCopyFilter: () => engine.rawQuery !== undefined,
			sort: direction => {
				const name = focusedName()
				if (name !== undefined) columns.sortBy(name, direction)
			},
			follow: () => props.onFollow(),
			canFollow: () => props.canFollow,
			followBack: () => props.onFollowBack(),
			canFollowBack: () => props.canFollowBack,
			insert: () => props.onInsert(),
			duplicate: () => props.onDuplicate(),
			canInsert: () => props.canInsert,
			openMenu,
			fitAll: () => fit(columns.names()),
			fold: () => columns.fold(!columns.isFolded()),
			canFold: () => columns.foldable().length > 0,
			find: () => props.onFind(),
			findStep: by => props.find.step(by),
			isFinding: () => props.find.isOpen(),
		},
		engine,
	)
	useCommands(() => (props.isActive ? commands.filter(({ isUnlisted }) => !isUnlisted) : []))
	/** The id of the focused cell or header, which is drawn only near the visible part. */
	const focused = () => {
		const { row, column } = focus()
		if (!scrolling.hasColumn(column)) return undefined
		if (isInHead()) return headerId(column)
		return scrolling.hasRow(row) ? cellId(row, column) : undefined
	}

	return (
		<GridMenu
			commands={commands}
			onFilterBy={name => props.onFilterBy(name)}
			onStatistics={name => props.onStatistics(name)}
			onFit={fit}
			columns={columns}
		>
			<div
				ref={scroller}
				class="grid"
				classList={{ outdated: props.isOutdated }}
				role="grid"
				aria-label={props.label}
				aria-rowcount={props.size.rows + 1}
				aria-colcount={props.size.columns}
				aria-multiselectable="true"
				aria-activedescendant={props.isActive ? focused() : undefined}
				tabindex="0"
				style={{ 'scroll-padding': `${headHeight}px 0 0 ${columns.pinnedWidth()}px` }}
				onKeyDown={event => {
					hoverCard.hide()
					onKeyDown(event)
				}}
				onScroll={hoverCard.onScroll}
				onPointerMove={hoverCard.onPointerMove}
				onPointerLeave={hoverCard.onPointerLeave}
				onPointerDown={hoverCard.hide}
				onFocusOut={() => setInHead(false)}
				onPaste={event => {
					const text = pastedText(event.clipboardData)
					if (editing() || text === undefined) return
					event.preventDefault()
					void actions.paste(text)
				}}
				onMouseDown={event => {
					if (opened()) return
					if (inPlace() && !leaveEditor()) return event.preventDefault()
					setInHead(false)
					dragging.onMouseDown(event)
				}}
				onDblClick={event => {
					if (event.target instanceof Element && event.target.closest('[data-column]')) void cellEditing.start()
				}}
			>
				<GridHeader
					columns={columns}
					scrolling={scrolling}
					references={props.references}
					current={isInHead() ? focus().column : undefined}
					onFit={name => fit([name])}
					onSelectAll={() => props.onSelect({ ...props.selection, span: 'all' })}
				/>
				<div
					class="grid-body"
					role="rowgroup"
					style={{ height: `${scrolling.spacer()}px`, width: `${columns.totalWidth()}px` }}
				>
					<Index each={scrolling.rowSlots()}>
						{index => (
							<GridRow
								index={index()}
								sheet={sheet}
								columns={columns}
								scrolling={scrolling}
								edits={edits}
								isActive={props.isActive}
								searchText={props.find.searchText()}
								selection={props.selection}
								selected={cellCount(props.rectangle) > 1 ? props.rectangle : undefined}
							/>
						)}
					</Index>
					<Show when={inPlace()} keyed>
						{({ place, at, cell, typed }) => (
							<CellEditor
								column={at.column}
								cell={cell}
								place={place}
								typed={typed}
								left={(columns.lefts()[place.column] ?? 0) + (columns.isPinned(at.column.name) ? scrolling.left() : 0)}
								top={place.row * rowHeight() - scrolling.shift()}
								width={columns.width(place.column)}
								visible={scrolling.visible(columns.isPinned(at.column.name))}
								selectedCount={cellCount(props.rectangle)}
								onDone={stopEditing}
								onMove={step => move(step)}
							/>
						)}
					</Show>
				</div>
			</div>
			{hoverCard.view()}
			<Show when={opened()} keyed>
				{({ at, cell, isReadOnly }) => (
					<ValueDialog column={at.column} cell={cell} isReadOnly={isReadOnly} onDone={next => stopEditing(next)} />
				)}
			</Show>
			{props.state}
		</GridMenu>
	)
}
