import type { JSX } from 'solid-js'
import type { GridFeature } from '../../grid/feature.ts'
import type { TabProps } from '../../state/tab.ts'
import type { TableTab } from '../create-table-tab.ts'
import type { OpenTable } from '../open-table.ts'
import type { Beside } from './beside.ts'

/** What a feature of a table works with. */
export interface TableContext {
	readonly tab: TabProps<TableTab>
	readonly table: OpenTable
	readonly beside: Beside
}

/** A feature of the grid that shows rows of a table. */
export interface TableFeature extends GridFeature {
	/** Drawn above the rows. */
	topPanel?(): JSX.Element
	/** Drawn at the left of the rows. */
	leftPanel?(): JSX.Element
	/** Drawn at the right of the rows. */
	panel?(): JSX.Element
}
