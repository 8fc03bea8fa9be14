import { createSignal } from 'solid-js'
import { type Move, moveOf } from '../../cells/moves.ts'
import { moved } from '../../cells/selection.ts'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import { commandOfKey, type GridCommand, typedBy } from './grid-commands.ts'
import { headerId } from './grid-header.tsx'
import { openMenuAt } from './grid-menu.tsx'
import { headerCommandOf } from './header-keys.ts'

interface KeyOptions {
	scroller(): HTMLElement
	readonly commands: readonly GridCommand[]
	readonly features: readonly GridFeature[]
	/** Called after the focus moved. */
	onMoved(): void
}

/** The keys of a grid: they move the focus over cells and headers, run commands, or are typed into the cell. */
export function createGridKeys({ columns, scrolling, place }: GridModel, options: KeyOptions) {
	const focus = () => place.selection().focus
	/** Whether the focused column's header has the focus. */
	const [isInHead, setInHead] = createSignal(false)

	function move(step: Move, isExtending = false): void {
		const next = moved(place.selection(), step, { size: place.size(), isExtending })
		place.setSelection(next)
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

	/** Whether the cell takes a character although a command has its key. */
	function isTakenByCell(event: KeyboardEvent): boolean {
		const character = typedBy(event)
		return character !== undefined && options.features.some(feature => feature.takesTyped?.(character))
	}

	function onKeyDown(event: KeyboardEvent): void {
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
		const command = step || isTakenByCell(event) ? undefined : commandOfKey(options.commands, event)
		const typed = step || command ? undefined : typedBy(event)
		if (!step && !command && typed === undefined) return
		event.preventDefault()
		event.stopPropagation()
		setInHead(false)
		if (step) move(step, event.shiftKey)
		else if (command) command.run()
		else if (typed !== undefined) for (const feature of options.features) feature.onTyped?.(typed)
	}

	return { isInHead, leaveHead: () => setInHead(false), move, onKeyDown }
}
