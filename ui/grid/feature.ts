import type { JSX } from 'solid-js'
import type { Column, Row } from '../../host/api/api.ts'
import type { Move } from '../cells/moves.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import type { IndexedColumn } from './columns/indexed-column.ts'
import type { GridCommand } from './view/grid-commands.ts'
import type { Scrolling } from './view/scrolling.ts'

/**
 * One ability of a grid, for example filters or editing. It registers all that it adds: commands with their keys and
 * places in the menu, marks, entries of the column menu, and overlays. The grid calls no feature by name.
 */
export interface GridFeature {
	readonly commands?: readonly GridCommand[]
	/** Entries for the focused cell, at the top of its menu. */
	cellEntries?(): readonly MenuEntry[]
	/** Items above all others in the menu of the focused cell. `choose` runs an action once the menu is gone. */
	cellItems?(choose: (run: () => void) => void): JSX.Element
	/** Entries of the menu of a column, after the sorts. */
	columnEntries?(column: string): readonly MenuEntry[]
	headerMark?(column: Column): HeaderMark | undefined
	/** Called for each row in view: it must be cheap. */
	rowMark?(row: Row): RowMark | undefined
	/** Called for each cell in view: it must be cheap, and returns the same object for the same mark where it can. */
	cellMark?(row: Row, place: IndexedColumn): CellMark | undefined
	/** Draws cells in place of their texts. Each pooled cell has one, and its row and column change. One feature can. */
	readonly CellView?: (cell: CellViewProps) => JSX.Element
	/** Drawn in place of the numbers of rows. One feature can. */
	readonly rowHead?: { readonly label: string; readonly View: (head: { readonly row: Row | undefined }) => JSX.Element }
	/** Shows more of a row in a block below it ({@link Scrolling.setBlock}). One feature can. */
	readonly unfolding?: RowUnfolding
	/** A character was typed at the focused cell that is no key of a command. */
	onTyped?(character: string): void
	/** Whether the focused cell takes a character that is the key of a command, for example the minus of a number. */
	takesTyped?(character: string): boolean
	onPaste?(text: string): void
	/** Receives each key before the grid does, unless a header has the focus. @returns whether the grid must leave it alone */
	onKeyDown?(event: KeyboardEvent): boolean
	/** Receives each press of a mouse button before the grid does. @returns whether the grid must leave it alone */
	onMouseDown?(event: MouseEvent): boolean
	/** Whether something over the rows waits for the user, so that they must stay where they are. */
	holdsRows?(): boolean
	/** Drawn over the rows, in their coordinates. `move` moves the focus as a key does. */
	overRows?(move: (step: Move) => void): JSX.Element
	/** Drawn beside the rows: dialogs. */
	view?(): JSX.Element
}

/** Rows that unfold by the arrow at their numbers, and by a key. */
export interface RowUnfolding {
	/** `undefined` while rows do not unfold. */
	isUnfolded(row: number): boolean | undefined
	/** The tip of the arrow; `undefined` while rows do not unfold. */
	tip(row: number): string | undefined
	toggle(row: number): void
}

export interface CellViewProps {
	/** Absent while it is loading. */
	readonly row: Row | undefined
	readonly place: IndexedColumn | undefined
	/** The text that the grid would draw. */
	readonly text: string
}

/** How a row or a cell differs from others. */
export interface Mark {
	/** CSS classes, and whether it has them. */
	readonly classList: Readonly<Record<string, boolean>>
	/** Why, as a tip. */
	readonly title?: string | undefined
}

export interface RowMark extends Mark {
	/** Whether the row is chosen for an action, for assistive technology. */
	readonly isChosen?: boolean
}

export interface CellMark extends Mark {
	readonly isReadOnly?: boolean
	readonly isInvalid?: boolean
}

export interface HeaderMark {
	icon?(): JSX.Element
	/** Words behind the name and the type. */
	readonly note?: string
	/** Words of the header's tip. */
	readonly words: string
}
