import { For, type JSX, Show } from 'solid-js'
import type { GridColumns } from '../grid/columns/grid-columns.ts'
import type { GridModel } from '../grid/model.ts'
import { SelectionSummary } from '../grid/selection/selection-summary.tsx'
import { useEngine } from '../state/engine.tsx'
import { count, counted, countText, firstNames } from '../words/format.ts'
import { GoToRow } from './go-to-row.tsx'
import type { Rows } from './rows/rows.ts'

/** The line below the grid: count, position, time and notices of the page. */
export function TableStatus(props: {
	readonly rows: Rows
	readonly grid: GridModel
	/** Whether the row number is being asked for. */
	readonly isGoing: boolean
	onGoing(isGoing: boolean): void
	/** `row` counts from 1. */
	onGo(row: number): void
}): JSX.Element {
	const { rowNoun } = useEngine()
	const { columns, place, source } = props.grid
	const row = () => place.selection().focus.row + 1 - source.unnumbered()
	const total = () => props.rows.total()?.value ?? 0
	return (
		<footer class="grid-status" aria-live="polite">
			<Show when={props.rows.total()} fallback={<span>{props.rows.failure() ? 'Not loaded' : 'Loading …'}</span>}>
				{total => (
					<span>
						{props.rows.isOfPrevious() ? 'Previous query: ' : ''}
						{total().value === 0
							? `No ${rowNoun.many}`
							: total().isExact
								? counted(total().value, rowNoun)
								: `${countText(total())} ${rowNoun.many}`}
					</span>
				)}
			</Show>
			<Show when={total() > 0}>
				<Show
					when={props.isGoing}
					fallback={
						<button
							type="button"
							class="status-button"
							title="Go to row (Ctrl G)"
							aria-live="off"
							onClick={() => props.onGoing(true)}
						>
							{row() > 0 ? `Row ${count(row())}` : `New ${rowNoun.one}`}
						</button>
					}
				>
					<GoToRow rows={total()} row={Math.max(1, row())} onGo={props.onGo} onClose={() => props.onGoing(false)} />
				</Show>
			</Show>
			<SelectionSummary grid={props.grid} />
			<Show when={columns.foldable().length > 0}>
				<button
					type="button"
					class="status-button"
					aria-pressed={!columns.isFolded()}
					title={firstNames(columns.foldable())}
					onClick={() => columns.fold(!columns.isFolded())}
				>
					{hiddenWords(columns)}
				</button>
			</Show>
			<For each={props.rows.isOfPrevious() ? [] : props.rows.notices()}>
				{notice => (
					<span class="warn" title={notice}>
						{notice}
					</span>
				)}
			</For>
			<span class="grow" />
			<Show when={props.rows.isLoading()}>
				<span>Loading …</span>
			</Show>
			<Show when={props.rows.tookMs() !== undefined && !props.rows.isOfPrevious()}>
				<span>{props.rows.tookMs()} ms</span>
			</Show>
		</footer>
	)
}

/** `Hidden: 3 columns that are empty so far`, with a note if one of them has a value that a later row shows. */
function hiddenWords(columns: GridColumns): string {
	const those = columns.isFolded() ? columns.folded() : columns.foldable()
	const areEmpty = those.every(columns.isEmpty)
	const differing = columns.differing().filter(name => those.includes(name)).length
	const kind = areEmpty
		? { one: 'column that is empty so far', many: 'columns that are empty so far' }
		: { one: 'column', many: 'columns' }
	const what = `${counted(those.length, kind)}${areEmpty ? '' : ' with one value'}`
	const note = differing ? `, ${differing} with other values below` : ''
	return `${columns.isFolded() ? 'Hidden' : 'Shown'}: ${what}${note}`
}
