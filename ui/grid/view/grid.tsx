import { createMemo, type JSX, mergeProps, onMount, Show } from 'solid-js'
import { pastedText } from '../../cells/clipboard.ts'
import { useCommands } from '../../state/commands.tsx'
import { createMeasure } from '../columns/measure.ts'
import type { GridFeature } from '../feature.ts'
import { RowsFindBar } from '../find/rows-find-bar.tsx'
import type { GridModel } from '../model.ts'
import { createDragging } from './dragging.ts'
import { GridBody } from './grid-body.tsx'
import { cellId } from './grid-cell.tsx'
import { commonCommands, type GridCommand } from './grid-commands.ts'
import { GridHeader, headerId } from './grid-header.tsx'
import { createGridKeys } from './grid-keys.ts'
import { GridMenu, openMenuAt } from './grid-menu.tsx'
import { createHoverCard } from './hover-card.tsx'
import { headHeight } from './scrolling.ts'

/** Keys that do nothing alone. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta'])

/** Rows and columns in view over pooled nodes, one cell in focus, and the search in loaded rows. Features add the rest. */
export function Grid(props: {
	readonly grid: GridModel
	/** Its abilities, in the order of their commands in the menu. Read once. */
	readonly features: readonly GridFeature[]
	readonly label: string
	/** Whether it has the keys of the window: commands and the focused cell are announced. */
	readonly isActive: boolean
	/** Whether its rows are from before a failed load. */
	readonly isOutdated?: boolean
	/** Goes to a search of all rows, if the engine has one. */
	readonly onSearchAll?: (() => void) | undefined
	/** Shown over the rows. */
	readonly children?: JSX.Element
}): JSX.Element {
	let scroller!: HTMLDivElement
	const { grid, features } = props
	const { source, columns, scrolling, place, selected, find } = grid
	onMount(() => scrolling.attach(scroller))
	const focus = () => place.selection().focus
	const hoverCard = createHoverCard((row, column) => {
		const [shown, at] = [source.at(row), columns.at(column)]
		return shown && at && { cell: source.cell(shown, at), kind: at.column.kind }
	})
	const dragging = createDragging({
		scrolling,
		selection: place.selection,
		rectangle: place.rectangle,
		onSelect: place.setSelection,
	})

	/** Fits columns to their visible contents. */
	function fit(names: readonly string[]): void {
		const [first = 0, last = -1] = scrolling.inView() ?? []
		const rows = Array.from({ length: last - first + 1 }, (_, index) => source.at(first + index))
		const shown = rows.filter(row => row !== undefined)
		columns.fit(names, createMeasure(scroller, source, shown))
	}

	const focusedCell = () => scroller.querySelector<HTMLElement>(`#${cellId(focus().row, focus().column)}`)
	const commands: readonly GridCommand[] = [
		...commonCommands(grid, {
			fit,
			openMenu: () => openMenuAt(focusedCell() ?? scroller),
			openFind: () => find.open(),
		}),
		...features.flatMap(feature => feature.commands ?? []),
	]
	// A title may follow the selection: it is read where it is shown, not at each step of it.
	const listed = commands
		.filter(({ isUnlisted }) => !isUnlisted)
		.map(command => mergeProps(command, { isHeardThere: true }))
	useCommands(() => (props.isActive ? listed : []))
	const keys = createGridKeys(grid, {
		scroller: () => scroller,
		commands,
		features,
		onMoved: () => hoverCard.onMoved(focusedCell),
	})
	const { isInHead, leaveHead } = keys
	function runGesture(gesture: GridCommand['gesture'], target: EventTarget): void {
		if (!(target instanceof Element && target.closest('[data-column]'))) return
		const command = commands.find(command => command.gesture === gesture)
		if (command && (command.isAvailable?.() ?? true)) command.run()
	}
	/** The id of the focused cell or header, which is drawn only near the visible part. */
	const focused = createMemo(() => {
		const { row, column } = focus()
		if (!scrolling.hasColumn(column)) return undefined
		if (isInHead()) return headerId(column)
		return scrolling.hasRow(row) ? cellId(row, column) : undefined
	})

	return (
		<div class="grid-frame">
			<Show when={find.isOpen()}>
				<RowsFindBar grid={grid} onSearchAll={props.onSearchAll} />
			</Show>
			<GridMenu grid={grid} features={features} commands={commands} onFit={fit}>
				<div
					ref={scroller}
					class="grid"
					classList={{
						outdated: props.isOutdated === true,
						lost: selected.whyLost() !== undefined,
						tall: columns.isTall(),
						sideways: scrolling.isSideways(),
					}}
					role="grid"
					aria-label={props.label}
					aria-rowcount={place.size().rows + 1}
					aria-colcount={place.size().columns}
					aria-multiselectable="true"
					aria-activedescendant={props.isActive ? focused() : undefined}
					tabindex="0"
					style={{
						...(columns.isTall() && { '--row-height': `${columns.rowHeight()}px` }),
						'scroll-padding': `${headHeight}px 0 0 ${columns.pinnedWidth()}px`,
					}}
					onKeyDown={event => {
						hoverCard.hide()
						if (!modifiers.has(event.key)) selected.hush()
						if (isInHead() || !features.some(feature => feature.onKeyDown?.(event))) keys.onKeyDown(event)
					}}
					onScroll={hoverCard.onScroll}
					onPointerMove={hoverCard.onPointerMove}
					onPointerLeave={hoverCard.onPointerLeave}
					onPointerDown={hoverCard.hide}
					onFocusOut={event => {
						leaveHead()
						hoverCard.onFocusOut(event)
					}}
					onPaste={event => {
						const text = pastedText(event.clipboardData)
						const pastes = features.find(feature => feature.onPaste)
						if (event.target !== scroller || text === undefined || !pastes) return
						event.preventDefault()
						pastes.onPaste?.(text)
					}}
					onMouseDown={event => {
						if (features.some(feature => feature.onMouseDown?.(event))) return
						leaveHead()
						dragging.onMouseDown(event)
					}}
					onClick={event => {
						if (event.ctrlKey || event.metaKey) runGesture('mod-click', event.target)
					}}
					onDblClick={event => runGesture('double-click', event.target)}
				>
					<GridHeader
						grid={grid}
						features={features}
						current={isInHead() ? focus().column : undefined}
						onFit={name => fit([name])}
					/>
					<GridBody grid={grid} features={features} isActive={props.isActive} onMove={keys.move} />
				</div>
				{hoverCard.view()}
				{props.children}
			</GridMenu>
			{features.map(feature => feature.view?.())}
		</div>
	)
}
