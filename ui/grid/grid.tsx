import { createVirtualizer } from '@tanstack/solid-virtual'
import { createEffect, createMemo, createSignal, Index, type JSX, on, Show } from 'solid-js'
import type { Cell, Column, Row } from '../../host/ui-server/api.ts'
import { CellEditor } from './cell-editor.tsx'
import { copyText } from './cell-text.ts'
import type { Edits } from './edits.ts'
import type { GridColumns } from './grid-columns.ts'
import { GridHeader } from './grid-header.tsx'
import { cellId, GridRow, rowHeight } from './grid-row.tsx'
import { type Move, moveOf } from './keys.ts'
import type { Rows } from './rows.ts'
import { slots } from './slots.ts'

const headHeight = 32

export interface Place {
	readonly row: number
	readonly column: number
}

/** The document grid: virtual rows and columns over pooled nodes, one cell in focus, typed editing in place. */
export function Grid(props: {
	readonly label: string
	readonly rows: Rows
	readonly columns: GridColumns
	readonly edits: Edits
	readonly place: Place
	onPlace(place: Place): void
	onOpenDocument(): void
	onSave(): void
}): JSX.Element {
	let scroller!: HTMLDivElement
	const [editing, setEditing] = createSignal<{ readonly place: Place; readonly typed?: string }>()
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
		return { row: found, column: at.column, cell: staged ? staged.after : (found.cells[at.index] ?? { missing: true }) }
	}

	function moveTo(place: Place): void {
		const row = Math.max(0, Math.min(place.row, rowCount() - 1))
		const column = Math.max(0, Math.min(place.column, props.columns.count() - 1))
		props.onPlace({ row, column })
		rowsInView.scrollToIndex(row, { align: 'auto' })
		columnsInView.scrollToIndex(column, { align: 'auto' })
	}

	function move({ rows, columns }: Move): void {
		moveTo({ row: props.place.row + rows, column: props.place.column + columns })
	}

	function startEditing(typed?: string): void {
		const at = cellAt(props.place)
		if (!at || at.column.isReadOnly || props.edits.get(at.row.id)?.isDeleted) return
		setEditing({ place: props.place, ...(typed !== undefined && { typed }) })
	}

	function stopEditing(next?: Cell): void {
		const place = editing()?.place
		setEditing(undefined)
		const at = place && cellAt(place)
		if (at && next !== undefined) stage(at.row, at.column, next)
		scroller.focus()
	}

	function stage(row: Row, column: Column, next: Cell): void {
		const index = props.columns.at(props.place.column)?.index ?? -1
		props.edits.setCell(row, column, row.cells[index] ?? { missing: true }, next)
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (editing()) return
		const page = Math.max(1, Math.floor((scroller.clientHeight - headHeight) / rowHeight) - 1)
		const step = moveOf(event, page)
		const isCommand = event.ctrlKey || event.metaKey
		const handled = () => {
			event.preventDefault()
			event.stopPropagation()
		}
		if (step) {
			handled()
			move(step)
		} else if (isCommand && event.key === 'z') {
			handled()
			if (event.shiftKey) props.edits.redo()
			else props.edits.undo()
		} else if (isCommand && event.key === 'y') {
			handled()
			props.edits.redo()
		} else if (isCommand && event.key === 's') {
			handled()
			props.onSave()
		} else if (isCommand && event.key === 'c') {
			const at = cellAt(props.place)
			if (at && getSelection()?.isCollapsed) {
				handled()
				void navigator.clipboard.writeText(copyText(at.cell))
			}
		} else if (isCommand || event.altKey) return
		else if (event.key === 'Enter' || event.key === 'F2') {
			handled()
			startEditing()
		} else if (event.key === ' ') {
			handled()
			props.onOpenDocument()
		} else if (event.key === 'Delete') {
			handled()
			const at = cellAt(props.place)
			if (at) props.edits.toggleDeleted(at.row)
		} else if (event.key.length === 1) {
			handled()
			startEditing(event.key)
		}
	}

	/** One listener for all cells: nodes are pooled, so a cell's place is read off its node. */
	function placeOf(target: EventTarget | null): Place | undefined {
		const node = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
		const row = node?.parentElement?.dataset.row
		return node && row !== undefined ? { row: Number(row), column: Number(node.dataset.column) } : undefined
	}

	return (
		<div
			ref={scroller}
			class="grid"
			role="grid"
			aria-label={props.label}
			aria-rowcount={rowCount() + 1}
			aria-colcount={props.columns.count()}
			aria-activedescendant={rowCount() > 0 ? cellId(props.place.row, props.place.column) : undefined}
			tabindex="0"
			onKeyDown={onKeyDown}
			onMouseDown={event => {
				const place = placeOf(event.target)
				if (place && !editing()) props.onPlace(place)
			}}
			onDblClick={event => {
				if (placeOf(event.target)) startEditing()
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
							currentColumn={index() === props.place.row ? props.place.column : undefined}
						/>
					)}
				</Index>
				<Show when={editing()} keyed>
					{({ place, typed }) => (
						<Show when={cellAt(place)} keyed>
							{at => (
								<CellEditor
									column={at.column}
									cell={at.cell}
									typed={typed}
									left={props.columns.lefts()[place.column] ?? 0}
									top={place.row * rowHeight}
									width={props.columns.width(place.column)}
									onDone={stopEditing}
									onMove={step => {
										move(step)
									}}
								/>
							)}
						</Show>
					)}
				</Show>
			</div>
		</div>
	)
}
