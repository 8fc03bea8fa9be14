import type { JSX } from 'solid-js'
import type { Reference } from '../../../host/api/api.ts'
import type { CopyChoice } from '../../cells/copy.ts'
import type { CellSelection, Rectangle, Size } from '../../cells/selection.ts'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'
import type { CellFilterUse } from '../filter/cell-filter.ts'
import type { GridFind } from '../find/grid-find.ts'
import type { SelectedRows } from '../sheet/selected-rows.ts'
import type { Sheet } from '../sheet/sheet.ts'
import type { ExportedRows, WholeRow } from './grid-actions.ts'
import type { Scrolling } from './scrolling.ts'

/** What a grid shows, and what its actions call. */
export interface GridProps {
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
	/** Whether nothing is staged and the last save can be undone. */
	readonly canUndoSave: boolean
	onUndoSave(): void
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
	/** Opens the rows with the value of the focused cell in another tab. */
	onFilterApart(): void
	/** Opens the rows around the focused one in time. */
	onAround(): void
	/** Whether rows have a time. */
	readonly canShowAround: boolean
	onCopyFilter(): void
	readonly references: readonly Reference[]
	readonly wholeRow: WholeRow
	readonly exported: ExportedRows
	/** Asks for the format to copy. */
	onCopyAs(copy: (choice: CopyChoice) => void): void
	readonly find: GridFind
	/** Opens the bar that finds in the loaded rows, or focuses it. */
	onFind(): void
	/** Opens the review, or saves at once. */
	onSave(isAtOnce: boolean): void
}
