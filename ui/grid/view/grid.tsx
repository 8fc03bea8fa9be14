import { createVirtualizer } from '@tanstack/solid-virtual'
import { createEffect, createMemo, createSignal, Index, type JSX, on, Show } from 'solid-js'
import type { Cell, Column, Row } from '../../../host/ui-server/api.ts'
import { cellOf } from '../../cells/cell-text.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import { CellEditor } from '../edit/cell-editor.tsx'
import type { Edits } from '../edit/edits.ts'
import type { Rows } from '../rows/rows.ts'
import type { Move } from '../select/keys.ts'
import type { SelectedRows } from '../select/selected-rows.ts'
import { type CellSelection, cellCount, moved, type Place, rectangleOf } from '../select/selection.ts'
import { createGridActions } from './grid-actions.ts'
import { GridHeader } from './grid-header.tsx'
import { commandOf, type KeyCommand } from './grid-keys.ts'
import { GridMenu } from './grid-menu.tsx'
import { cellId, GridRow, rowHeight } from './grid-row.tsx'
import { slots } from './slots.ts'

const headHeight = 32

/** The grid: virtual rows and columns over pooled nodes, one cell in focus, typed editing in place. */
export function Grid(props: {
	readonly label: string
	readonly rows: Rows
	readonly columns: GridColumns
	readonly edits: Edits
	readonly selection: CellSelection
	/** The rows of the selection, for what is done with all of them. */
	readonly selected: SelectedRows
	onSelect(selection: CellSelection): void
	onOpenRow(): void
	/** The whole value of a cell that was cut; `undefined` where it cannot be had. */
	wholeCell(row: Row, column: Column): Promise<Cell | undefined>
	onSave(): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	const [editing, setEditing] = createSignal<{ readonly place: Place; readonly cell: Cell; readonly typed?: string }>()
	const rowCount = () => props.rows.total()?.value ?? 0

	const rowsInView = createVirtualizer<HTMLDivElement, HTMLDivElement>({
		get count() {
			return rowCount()
		},
		getScrollElement: () => scroller,
		estimateSize: () => rowHeight,
		overscan: 6,
		scrollPaddingStart: headHeight,
	})
	const columnsInView = createVirtualizer<HTMLDivElement, HTMLDivElement>({
		horizontal: true,
		get count() {
			return props.columns.count()
		},
		getScrollElement: () => scroller,
		estimateSize: index => props.columns.width(index),
		overscan: 2,
	})
	// The virtualiser remembers sizes; a new layout makes them wrong.
	createEffect(on([props.columns.layout, props.columns.count], () => columnsInView.measure(), { defer: true }))
	createEffect(() => {
		const items = rowsInView.getVirtualItems()
		const [first, last] = [items[0], items.at(-1)]
		if (first && last) props.rows.show(first.index, last.index)
	})

	const rowSlots = createMemo<number[]>(before => slots(rowsInView.getVirtualItems(), before), [])
	const columnSlots = createMemo<number[]>(before => slots(columnsInView.getVirtualItems(), before), [])
	function cellAt({ row, column }: Place): { row: Row; column: Column; cell: Cell } | undefined {
		const found = props.rows.at(row)
		const at = props.columns.at(column)
		if (!found || !at) return undefined
		const staged = props.edits.get(found.id)?.cells.get(at.column.name)
		return { row: found, column: at.column, cell: staged ? staged.after : cellOf(found, at.index) }
	}

	const place = () => props.selection.focus
	const actions = createGridActions(props.selected, props.columns, props.edits, () => props.selection)

	function move(step: Move, isExtending = false): void {
		const size = { rows: rowCount(), columns: props.columns.count() }
		const next = moved(props.selection, step, size, isExtending)
		props.onSelect(next)
		rowsInView.scrollToIndex(next.focus.row, { align: 'auto' })
		columnsInView.scrollToIndex(next.focus.column, { align: 'auto' })
	}

	/** Opens the editor; a cut value is loaded whole first, so that what is saved is not the part that was shown. */
	async function startEditing(typed?: string): Promise<void> {
		const at = cellAt(place())
		if (!at || at.column.isReadOnly || props.edits.get(at.row.id)?.isDeleted) return
		const edited = place()
		const isCut = typed === undefined && typeof at.cell === 'object' && at.cell !== null && 'cutFrom' in at.cell
		const cell = isCut ? ((await props.wholeCell(at.row, at.column)) ?? at.cell) : at.cell
		if (place() === edited) setEditing({ place: edited, cell, ...(typed !== undefined && { typed }) })
	}

	/** Keeps what was typed: in the cell, or in all that are selected. */
	function stopEditing(next?: Cell, isForAll = false): void {
		const at = editing()?.place
		setEditing(undefined)
		if (at && next !== undefined) {
			const edited = cellAt(at)
			const index = props.columns.at(at.column)?.index ?? -1
			if (isForAll) void actions.setAll(next)
			else if (edited) {
				const before = cellOf(edited.row, index)
				props.edits.setCells([{ row: edited.row, column: edited.column, before, after: next }])
			}
		}
		scroller.focus()
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (editing()) return
		const pageRows = Math.max(1, Math.floor((scroller.clientHeight - headHeight) / rowHeight) - 1)
		const command = commandOf(event, pageRows)
		if (!command) return
		event.preventDefault()
		event.stopPropagation()
		run(command)
	}

	function run(command: KeyCommand): void {
		switch (command.do) {
			case 'move':
				return move(command.step, command.isExtending)
			case 'edit':
				return void startEditing(command.typed)
			case 'undo':
				return props.edits.undo()
			case 'redo':
				return props.edits.redo()
			case 'save':
				return props.onSave()
			case 'selectAll':
				return props.onSelect({
					anchor: { row: 0, column: 0 },
					focus: { row: rowCount() - 1, column: props.columns.count() - 1 },
				})
			case 'copy':
				return void actions.copy('TSV')
			case 'openRow':
				return props.onOpenRow()
			case 'toggleDeleted':
				return void actions.toggleDeleted()
		}
	}

	function isSelected({ row, column }: Place): boolean {
		const { top, bottom, left, right } = rectangleOf(props.selection)
		return row >= top && row <= bottom && column >= left && column <= right
	}

	/** One listener for all cells: nodes are pooled, so a cell's place is read off its node. */
	function placeOf(target: EventTarget | null): Place | undefined {
		const node = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
		const row = node?.parentElement?.dataset.row
		return node && row !== undefined ? { row: Number(row), column: Number(node.dataset.column) } : undefined
	}

	/** The selected columns of a row, where more than one cell is selected. */
	const selectedIn = (row: number) => {
		const { top, bottom, left, right } = rectangleOf(props.selection)
		return cellCount(props.selection) > 1 && row >= top && row <= bottom ? ([left, right] as const) : undefined
	}

	return (
		<GridMenu
			actions={{
				openRow: () => props.onOpenRow(),
				edit: () => void startEditing(),
				copy: format => void actions.copy(format),
				setNull: () => void actions.setAll(null),
				removeField: () => void actions.setAll({ missing: true }),
				toggleDeleted: () => void actions.toggleDeleted(),
			}}
		>
			<div
				ref={scroller}
				class="grid"
				role="grid"
				aria-label={props.label}
				aria-rowcount={rowCount() + 1}
				aria-colcount={props.columns.count()}
				aria-activedescendant={rowCount() > 0 ? cellId(place().row, place().column) : undefined}
				tabindex="0"
				onKeyDown={onKeyDown}
				onMouseDown={event => {
					const clicked = placeOf(event.target)
					if (!clicked || editing()) return
					// A right click inside the selection is about the selection.
					if (event.button === 2 && isSelected(clicked)) return
					props.onSelect({ anchor: event.shiftKey ? props.selection.anchor : clicked, focus: clicked })
				}}
				onMouseMove={event => {
					if (event.buttons !== 1 || editing()) return
					const over = placeOf(event.target)
					if (over && (over.row !== place().row || over.column !== place().column)) {
						props.onSelect({ anchor: props.selection.anchor, focus: over })
					}
				}}
				onDblClick={event => {
					if (placeOf(event.target)) void startEditing()
				}}
			>
				<GridHeader columns={props.columns} slots={columnSlots()} width={columnsInView.getTotalSize()} />
				<div
					class="grid-body"
					role="rowgroup"
					style={{ height: `${rowsInView.getTotalSize()}px`, width: `${columnsInView.getTotalSize()}px` }}
				>
					<Index each={rowSlots()}>
						{index => (
							<GridRow
								index={index()}
								row={index() < rowCount() ? props.rows.at(index()) : undefined}
								isInTable={index() < rowCount()}
								columns={props.columns}
								slots={columnSlots()}
								edits={props.edits}
								currentColumn={index() === place().row ? place().column : undefined}
								selected={selectedIn(index())}
							/>
						)}
					</Index>
					<Show when={editing()} keyed>
						{({ place: edited, cell, typed }) => (
							<Show when={cellAt(edited)} keyed>
								{at => (
									<CellEditor
										column={at.column}
										cell={cell}
										typed={typed}
										left={props.columns.lefts()[edited.column] ?? 0}
										top={edited.row * rowHeight}
										width={props.columns.width(edited.column)}
										selectedCount={cellCount(props.selection)}
										onDone={stopEditing}
										onMove={step => move(step)}
									/>
								)}
							</Show>
						)}
					</Show>
				</div>
			</div>
		</GridMenu>
	)
}
