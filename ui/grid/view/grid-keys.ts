import { createSignal } from 'solid-js'
import { type Move, moveOf } from '../../cells/moves.ts'
import { moved } from '../../cells/selection.ts'
import { commandOfKey, type GridCommand, typedBy } from './grid-commands.ts'
import { headerId } from './grid-header.tsx'
import { openMenuAt } from './grid-menu.tsx'
import type { GridProps } from './grid-props.ts'
import { headerCommandOf } from './header-keys.ts'

interface KeyOptions {
	scroller(): HTMLElement
	readonly commands: readonly GridCommand[]
	isEditing(): boolean
	/** @param typed the character that replaces the value */
	startEditing(typed: string | undefined): void
	/** Called after the focus moved. */
	onMoved(): void
}

/** The keys of a grid: they move the focus over cells and headers, run commands, or begin to edit. */
export function createGridKeys(props: GridProps, options: KeyOptions) {
	const { sheet, columns, scrolling } = props
	const focus = () => props.selection.focus
	/** Whether the focused column's header has the focus. */
	const [isInHead, setInHead] = createSignal(false)

	function move(step: Move, isExtending = false): void {
		const next = moved(props.selection, step, { size: props.size, isExtending })
		props.onSelect(next)
		scrolling.reveal(next.focus)
		// A pinned column is always visible, so moving to the first column also scrolls to the left.
		if (step.columns < -1) options.scroller().scrollLeft = 0
		options.onMoved()
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
				openMenuAt(options.scroller().querySelector(`#${headerId(focus().column)}`) ?? options.scroller())
				break
			case 'leave':
				setInHead(false)
		}
		return true
	}

	/** A minus sign begins a negative number, if the cell takes one. */
	function isNegativeNumber(event: KeyboardEvent): boolean {
		const [row, at] = [sheet.at(focus().row), columns.at(focus().column)]
		return typedBy(event) === '-' && at?.column.kind === 'number' && row !== undefined && sheet.canChange(row, at)
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (options.isEditing()) return
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
		const command = step || isNegativeNumber(event) ? undefined : commandOfKey(options.commands, event)
		const typed = step || command ? undefined : typedBy(event)
		if (!step && !command && typed === undefined) return
		event.preventDefault()
		event.stopPropagation()
		setInHead(false)
		if (step) move(step, event.shiftKey)
		else if (command) command.run()
		else options.startEditing(typed)
	}

	return { isInHead, leaveHead: () => setInHead(false), move, onKeyDown }
}
