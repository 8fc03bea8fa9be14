import { type JSX, Show } from 'solid-js'
import { useEngine } from '../state/engine.tsx'
import type { TabProps } from '../state/tab.ts'
import type { TableTab } from './create-table-tab.ts'
import type { OpenTable } from './open-table.ts'
import { RowBeside } from './row-beside.tsx'
import { StatisticsPanel } from './statistics/statistics-panel.tsx'
import { copyFilter, dropRange, filterBy, filterByCell, filterByRange } from './table-filters.tsx'
import type { TableWork } from './table-work.ts'
import { Grid } from './view/grid.tsx'
import { GridState } from './view/grid-state.tsx'

/** The grid of a table, and beside it the statistics of a column or the whole current row. */
export function TableSplit(props: {
	readonly tab: TabProps<TableTab>
	readonly table: OpenTable
	readonly work: TableWork
}): JSX.Element {
	const { table, work } = props
	const { cannot, target, query, rows, edits, sheet, columns, place, selected, find } = table
	const { imports } = useEngine()
	return (
		<div class="table-split">
			<Grid
				label={target.table}
				isActive={props.tab.isActive}
				isOutdated={rows.failure() !== undefined}
				state={
					<GridState
						isOpening={rows.isOpening()}
						hasRows={sheet.count() > 0}
						isEmpty={rows.total()?.value === 0 && sheet.count() === 0 && rows.failure() === undefined}
						narrowings={query.narrowings()}
						notices={rows.notices()}
						onCancel={rows.cancel}
						onInsert={cannot().insert === undefined ? work.insert : undefined}
						onImport={
							imports !== null && cannot().insert === undefined ? () => props.tab.tab.setImporting(true) : undefined
						}
					/>
				}
				sheet={sheet}
				columns={columns}
				scrolling={table.scrolling}
				edits={edits}
				selection={place.selection()}
				rectangle={place.rectangle()}
				size={place.size()}
				selected={selected}
				onSelect={place.setSelection}
				canUndoSave={table.saving.canUndoSave()}
				onUndoSave={table.saving.undoSave}
				references={rows.references()}
				wholeRow={table.wholeRow}
				exported={table.exported}
				canFollow={work.canFollow()}
				onFollow={work.follow}
				canFollowBack={work.canFollowBack()}
				onFollowBack={work.followBack}
				onCopyAs={copy => work.setDialog({ kind: 'copy', copy })}
				onOpenRow={work.openRow}
				onGoToRow={() => work.setGoing(true)}
				onCompare={work.compare}
				onInsert={work.insert}
				onDuplicate={work.duplicate}
				canInsert={cannot().insert === undefined}
				onFilterBy={name => {
					const column = rows.columns().find(column => column.name === name)
					if (column) query.filters.add(column)
				}}
				onStatistics={work.measure}
				onFilter={use => void filterByCell(table, use)}
				onFilterApart={work.filterApart}
				onAround={work.showAround}
				canShowAround={work.canShowAround()}
				onCopyFilter={() => void copyFilter(table)}
				find={find}
				onFind={work.openFind}
				onSave={isAtOnce => void table.save(isAtOnce)}
			/>
			<Show when={work.measuredColumn()}>
				{column => (
					<StatisticsPanel
						connection={target.connection}
						query={query.chosen()}
						column={column()}
						loads={table.loads()}
						isTableFailed={rows.failure() !== undefined}
						onFilter={(column, cell, use) => filterBy(table, { column, cell, use })}
						onRange={(column, from, to) => filterByRange(table, column, [from, to])}
						onRangeReset={column => dropRange(query, column)}
						onClose={work.closeBeside}
					/>
				)}
			</Show>
			<Show when={work.isRowOpen()}>
				<RowBeside tab={props.tab} table={table} openApart={work.openApart} onClose={work.closeBeside} />
			</Show>
		</div>
	)
}
