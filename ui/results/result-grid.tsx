import X from 'lucide-solid/icons/x'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { cellText } from '../cells/cell-text.ts'
import { cellCount } from '../cells/selection.ts'
import { createCopyFeature } from '../grid/copy/copy-feature.tsx'
import type { GridFeature } from '../grid/feature.ts'
import { SelectionSummary } from '../grid/selection/selection-summary.tsx'
import { SelectionWork } from '../grid/selection/selection-work.tsx'
import { Grid } from '../grid/view/grid.tsx'
import { headHeight } from '../grid/view/scrolling.ts'
import { rowHeight } from '../state/appearance.ts'
import { Conflicts } from '../table/edit/conflicts.tsx'
import { SaveBar } from '../table/edit/save-bar.tsx'
import { createCellFeature } from '../table/features/cell-feature.tsx'
import type { ResultRows } from './chart-columns.ts'
import type { RowUses } from './origins.ts'
import type { ResultEditing } from './result-editing.ts'
import { createResultFeature } from './result-feature.tsx'
import { filterWords } from './result-filters.ts'
import { plain, type ResultModel } from './result-model.ts'

/** Room for a horizontal scroll bar, in pixels. */
const scrollBar = 12

/** Rows of a result in a grid, and values for all of them above it. */
export function ResultGrid(props: { readonly model: ResultModel; readonly uses: RowUses }): JSX.Element {
	const { model } = props
	const { grid, result } = model
	/** Several results are in view: the one with the focus has the keys. */
	const [isFocused, setFocused] = createSignal(false)
	const { editing } = model
	/** A result shows whole values in its own sheet, and no row of it is added or deleted. */
	const isForTables = (id: string) => ['grid.openValue', 'grid.toggleDeleted', 'grid.removeField'].includes(id)
	function editFeature({ table }: ResultEditing): GridFeature {
		const feature = createCellFeature({ tab: { isActive: false }, table: { ...table, grid } })
		return { ...feature, commands: feature.commands?.filter(({ id }) => !isForTables(id)) ?? [] }
	}
	const features = [
		createResultFeature(model, props.uses),
		createCopyFeature(grid),
		...(editing ? [editFeature(editing)] : []),
	]
	return (
		<>
			<Show when={result.totals}>{totals => <Totals totals={totals()} />}</Show>
			<Filters model={model} />
			<div
				class="result-grid"
				style={{ height: `${headHeight + rowHeight() * Math.max(1, grid.source.count()) + scrollBar}px` }}
				onFocusIn={() => setFocused(true)}
				onFocusOut={event => {
					const next = event.relatedTarget
					if (!(next instanceof Node && event.currentTarget.contains(next))) setFocused(false)
				}}
			>
				<Grid grid={grid} features={features} label="Result" isActive={isFocused()} />
			</div>
			<SelectionWork selected={grid.selected} />
			<Show when={editing}>{editing => <Changes model={model} editing={editing()} />}</Show>
			<Show when={cellCount(grid.place.rectangle()) > 1}>
				<p class="result-range quiet" role="status">
					<SelectionSummary grid={grid} />
				</p>
			</Show>
		</>
	)
}

/** What is staged in the tables of a result, and what others changed meanwhile. */
function Changes(props: { readonly model: ResultModel; readonly editing: ResultEditing }): JSX.Element {
	const { parts, connection, table } = props.editing
	return (
		<For each={parts}>
			{({ table: name, edits, saving, rows }) => (
				<>
					<SaveBar
						table={name}
						connection={connection}
						database={connection.table(name)?.database}
						rows={rows}
						edits={edits}
						saving={saving}
						onDiscard={table.discard}
						onCancel={props.model.grid.place.toGrid}
					/>
					<Conflicts target={{ connection: connection.id, table: name }} rows={rows} edits={edits} />
				</>
			)}
		</For>
	)
}

/** The filters of the rows in memory, and how many rows they leave. */
function Filters(props: { readonly model: ResultModel }): JSX.Element {
	const { filters, dropFilter, titleAt, filteredWords } = props.model
	return (
		<Show when={filters().length > 0}>
			<ul class="filter-chips" aria-label="Filters of the result">
				<For each={filters()}>
					{filter => (
						<li class="filter-chip">
							<span class="filter-chip-body">
								<span class="filter-chip-words">{filterWords(filter, titleAt(filter.column))}</span>
								<button
									type="button"
									aria-label={`Remove the filter ${filterWords(filter, titleAt(filter.column))}`}
									onClick={() => dropFilter(filter)}
								>
									<X size={12} />
								</button>
							</span>
						</li>
					)}
				</For>
				<li class="quiet">{filteredWords()}</li>
			</ul>
		</Show>
	)
}

function Totals(props: { readonly totals: NonNullable<ResultRows['totals']> }): JSX.Element {
	return (
		<section class="result-totals" aria-label="Over all rows">
			<span class="quiet">Over all</span>
			<dl>
				<For each={props.totals}>
					{({ name, value }) => (
						<div>
							<dt>{name}</dt>
							<dd title={cellText(value).text}>{cellText(plain(value)).text}</dd>
						</div>
					)}
				</For>
			</dl>
		</section>
	)
}
