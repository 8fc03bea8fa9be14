import { createVirtualizer } from '@tanstack/solid-virtual'
import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import KeyRound from 'lucide-solid/icons/key-round'
import { createEffect, createMemo, createSignal, Index, type JSX, Match, on, Show, Switch } from 'solid-js'
import type { Cell, Column, Row } from '../../host/ui-server/api.ts'
import { CellEditor } from './cell-editor.tsx'
import { cellText, copyText } from './cell-text.ts'
import type { Edits } from './edits.ts'
import type { GridColumns } from './grid-columns.ts'
import { type Move, moveOf } from './keys.ts'
import type { Rows } from './rows.ts'
import { slots } from './slots.ts'

const rowHeight = 28
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
	const columnStyle = (index: number) => ({
		left: `${props.columns.lefts()[index] ?? -9999}px`,
		width: `${props.columns.width(index)}px`,
	})

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

	const cellId = (place: Place) => `cell-${place.row}-${place.column}`

	return (
		<div
			ref={scroller}
			class="grid"
			role="grid"
			aria-label={props.label}
			aria-rowcount={rowCount() + 1}
			aria-colcount={props.columns.count()}
			aria-activedescendant={rowCount() > 0 ? cellId(props.place) : undefined}
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
			<div class="grid-head" role="row" style={{ width: `${columnsInView.getTotalSize()}px` }}>
				<Index each={columnSlots()}>
					{index => (
						<Show when={props.columns.at(index())}>
							{at => (
								<div
									class="grid-header"
									role="columnheader"
									aria-colindex={index() + 1}
									aria-sort={sortWord(props.columns.sorted(at().column.name))}
									style={columnStyle(index())}
									title={[at().column.name, at().column.type, at().column.note].filter(Boolean).join(' · ')}
									onClick={event => props.columns.toggleSort(at().column.name, event.shiftKey)}
								>
									<Show when={at().column.isKey}>
										<KeyRound size={12} />
									</Show>
									<span class="grid-header-name">{at().column.name}</span>
									<span class="grid-header-type">{at().column.type}</span>
									<Switch>
										<Match when={props.columns.sorted(at().column.name) === 'asc'}>
											<ArrowUp size={13} />
										</Match>
										<Match when={props.columns.sorted(at().column.name) === 'desc'}>
											<ArrowDown size={13} />
										</Match>
									</Switch>
									<span
										class="grid-resizer"
										onMouseDown={event => props.columns.resizeHandler(at().column.name)?.(event)}
										onClick={event => event.stopPropagation()}
									/>
								</div>
							)}
						</Show>
					)}
				</Index>
			</div>
			<div
				class="grid-body"
				role="rowgroup"
				style={{ height: `${rowsInView.getTotalSize()}px`, width: `${columnsInView.getTotalSize()}px` }}
			>
				<Index each={rowSlots()}>
					{rowIndex => {
						const row = createMemo(() => (rowIndex() < rowCount() ? props.rows.at(rowIndex()) : undefined))
						const staged = createMemo(() => {
							const id = row()?.id
							return id === undefined ? undefined : props.edits.get(id)
						})
						const fault = () => {
							const id = row()?.id
							return id === undefined ? undefined : props.edits.faultOf(id)
						}
						return (
							<div
								class="grid-row"
								classList={{
									odd: rowIndex() % 2 === 1,
									current: rowIndex() === props.place.row,
									deleted: staged()?.isDeleted ?? false,
									faulty: fault() !== undefined,
									waiting: row() === undefined,
								}}
								role="row"
								aria-rowindex={rowIndex() + 2}
								title={fault()}
								data-row={rowIndex()}
								style={{
									transform: `translateY(${rowIndex() * rowHeight}px)`,
									display: rowIndex() < rowCount() ? '' : 'none',
								}}
							>
								<Index each={columnSlots()}>
									{columnIndex => {
										const change = () => {
											const name = props.columns.at(columnIndex())?.column.name
											return name === undefined ? undefined : staged()?.cells.get(name)
										}
										const shown = createMemo(() => {
											const at = props.columns.at(columnIndex())
											const document = row()
											if (!at || !document) return undefined
											return cellText(change()?.after ?? document.cells[at.index] ?? { missing: true })
										})
										const isCurrent = () => rowIndex() === props.place.row && columnIndex() === props.place.column
										return (
											<div
												class={`grid-cell look-${shown()?.look ?? 'missing'}`}
												classList={{ current: isCurrent(), staged: change() !== undefined }}
												role="gridcell"
												id={isCurrent() ? cellId(props.place) : undefined}
												aria-colindex={columnIndex() + 1}
												aria-selected={isCurrent()}
												aria-readonly={props.columns.at(columnIndex())?.column.isReadOnly}
												data-column={columnIndex()}
												style={columnStyle(columnIndex())}
											>
												{shown()?.text ?? ''}
											</div>
										)
									}}
								</Index>
							</div>
						)
					}}
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

const sortWord = (direction: 'asc' | 'desc' | undefined) =>
	direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'
