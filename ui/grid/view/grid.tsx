import { type JSX, onMount, Show } from 'solid-js'
import type { Cell } from '../../../host/api/api.ts'
import { pastedText } from '../../cells/clipboard.ts'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { createMeasure } from '../columns/measure.ts'
import { ValueDialog } from '../edit/value-dialog.tsx'
import { createCellEditing } from './cell-editing.ts'
import { createGridCommands } from './create-grid-commands.ts'
import { createDragging } from './dragging.ts'
import { createGridActions } from './grid-actions.ts'
import { GridBody } from './grid-body.tsx'
import { cellId } from './grid-cell.tsx'
import { GridHeader, headerId } from './grid-header.tsx'
import { createGridKeys } from './grid-keys.ts'
import { GridMenu, openMenuAt } from './grid-menu.tsx'
import type { GridProps } from './grid-props.ts'
import { createHoverCard } from './hover-card.tsx'
import { headHeight } from './scrolling.ts'

/** Keys that do nothing alone. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta'])

/** The grid: rows and columns in view over pooled nodes, one cell in focus, typed editing in place. */
export function Grid(props: GridProps): JSX.Element {
	let scroller!: HTMLDivElement
	const { sheet, columns, edits, scrolling } = props
	onMount(() => scrolling.attach(scroller))

	const focus = () => props.selection.focus
	const rectangle = () => props.rectangle
	const { wholeRow, exported } = props
	const actions = createGridActions({
		...{ selected: props.selected, sheet, columns, edits, rectangle, wholeRow, exported },
		rowNoun: useEngine().rowNoun,
		columnNoun: useEngine().columnNoun,
		takesAny: useEngine().removesFields,
		wrappedRow: useEngine().wrappedRow,
	})
	const cellEditing = createCellEditing({
		sheet,
		columns,
		edits,
		focus,
		wholeRow,
		whyLost: props.selected.whyLost,
		say: props.selected.say,
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

	const focusedCell = () => scroller.querySelector<HTMLElement>(`#${cellId(focus().row, focus().column)}`)
	const commands = createGridCommands(props, {
		actions,
		cellEditing,
		fit,
		openMenu: () => openMenuAt(focusedCell() ?? scroller),
	})
	const keys = createGridKeys(props, {
		scroller: () => scroller,
		commands,
		isEditing: () => editing() !== undefined,
		startEditing: typed => void cellEditing.start(typed),
		onMoved: () => hoverCard.onMoved(focusedCell),
	})
	const { isInHead, leaveHead } = keys
	useCommands(() => (props.isActive ? commands.filter(({ isUnlisted }) => !isUnlisted) : []))
	/** Goes to the row that the clicked cell refers to, if it does: the press has selected it. */
	function follow(): void {
		const command = commands.find(({ id }) => id === 'grid.follow')
		if (command?.isAvailable?.()) command.run()
	}
	const isCell = (target: EventTarget) => target instanceof Element && target.closest('[data-column]') !== null
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
				classList={{ outdated: props.isOutdated, lost: props.selected.whyLost() !== undefined }}
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
					if (!modifiers.has(event.key)) props.selected.hush()
					// A refused value stays in its editor while a click or a message takes the focus.
					if (inPlace() && event.target === scroller) {
						event.preventDefault()
						if (event.key === 'Escape') stopEditing()
						else leaveEditor()
						return
					}
					keys.onKeyDown(event)
				}}
				onScroll={hoverCard.onScroll}
				onPointerMove={hoverCard.onPointerMove}
				onPointerLeave={hoverCard.onPointerLeave}
				onPointerDown={hoverCard.hide}
				onFocusOut={leaveHead}
				onPaste={event => {
					const text = pastedText(event.clipboardData)
					if (editing() || text === undefined) return
					event.preventDefault()
					void actions.paste(text)
				}}
				onMouseDown={event => {
					if (opened()) return
					if (inPlace() && !leaveEditor()) return event.preventDefault()
					leaveHead()
					dragging.onMouseDown(event)
				}}
				onClick={event => {
					if ((event.ctrlKey || event.metaKey) && isCell(event.target)) follow()
				}}
				onDblClick={event => {
					if (isCell(event.target)) void cellEditing.start()
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
				<GridBody grid={props} editing={inPlace()} onDone={stopEditing} onMove={step => keys.move(step)} />
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
