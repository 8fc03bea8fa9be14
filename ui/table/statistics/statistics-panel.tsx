import Minus from 'lucide-solid/icons/minus'
import X from 'lucide-solid/icons/x'
import { createEffect, For, type JSX, on, Show } from 'solid-js'
import type { Cell, Column, ResultOf, Row, RowChoice } from '../../../host/api/api.ts'
import { cellText } from '../../cells/cell-text.ts'
import { plainNumber } from '../../cells/plain-number.ts'
import { Failure } from '../../controls/failure.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Splitter } from '../../controls/splitter.tsx'
import type { CellFilterUse } from '../../grid/filter-command.ts'
import { useEngine } from '../../state/engine.tsx'
import { useHost, usePreferences } from '../../state/host.tsx'
import { createPaneSize } from '../../state/pane-size.ts'
import { createTask, type Task } from '../../state/task.ts'
import { count, counted, groupedDigits, percent } from '../../words/format.ts'
import { hasHistogram } from '../histogram/read-histogram.ts'
import { ColumnHistogram } from './column-histogram.tsx'
import {
	allOf,
	numbersOf,
	numbersQuery,
	rounded,
	type TopValue,
	topOf,
	topOfRows,
	topQuery,
} from './column-statistics.ts'

/** The numbers of one column under the current filters, and its most frequent values. Each value filters. */
export function StatisticsPanel(props: {
	readonly connection: string
	readonly query: RowChoice
	readonly column: Column & { readonly index: number }
	/** The first loaded rows, which are counted where the engine cannot group by the column. */
	readonly loaded: readonly Row[]
	/** Number of reloads of the table. Another one reads the statistics again. */
	readonly loads: number
	/** The rows of the table cannot be read. Their error is shown already. */
	readonly isTableFailed: boolean
	onFilter(column: Column, cell: Cell, use: CellFilterUse): void
	/** Filters for the values from `from` up to, but not including, `to`. */
	onRange(column: Column, from: string, to: string): void
	/** Removes these filters. */
	onRangeReset(column: Column): void
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const ask = (toQuery: typeof numbersQuery) =>
		createTask((call, query: RowChoice, column: Column) =>
			host.call('rows.aggregate', { connection: props.connection, query: toQuery(query, column) }, call),
		)
	// Closing the panel cancels both in the engine.
	const numbers = ask(numbersQuery)
	const top = ask(topQuery)
	createEffect(
		on([() => props.query, () => props.column, () => props.loads], ([query, column]) => {
			void numbers.run(query, column)
			void top.run(query, column)
		}),
	)
	const all = () => {
		const answer = numbers.value()
		return answer && allOf(answer)
	}
	/** The engine cannot group by the column. */
	const isSampled = () => !props.isTableFailed && !props.column.isSortable && top.error() !== undefined
	const filter = (cell: Cell, use: CellFilterUse) => props.onFilter(props.column, cell, use)
	const { rowNoun } = useEngine()
	const size = createPaneSize(usePreferences(), 'statistics/width', { least: 220, most: 700, initial: 320 })
	return (
		<>
			<Splitter label="Width of the statistics" size={size} of="after" />
			<aside
				class="statistics"
				aria-label={`Statistics of ${props.column.name}`}
				style={{ width: `${size.value()}px` }}
			>
				<header class="row-panel-head">
					<span class="grow" title={props.column.name}>
						{props.column.name}
					</span>
					<span class="quiet" title={props.column.type}>
						{props.column.type}
					</span>
					<IconButton label="Close the statistics" isSmall onClick={() => props.onClose()}>
						<X size={14} />
					</IconButton>
				</header>
				<div class="statistics-body">
					<Part task={numbers} isSilent={props.isTableFailed || isSampled()}>
						{answer => (
							<dl class="statistics-numbers">
								<For each={numbersOf(answer, props.column)}>
									{({ label, value, isComputed }) => {
										const whole = cellText(value).text
										const plain = plainNumber(whole)
										const short = isComputed ? rounded(plain) : undefined
										return (
											<>
												<dt>{label}</dt>
												<dd title={whole}>{about(short !== undefined, grouped(short ?? plain))}</dd>
											</>
										)
									}}
								</For>
							</dl>
						)}
					</Part>
					<Show when={hasHistogram(props.column)}>
						<ColumnHistogram {...props} />
					</Show>
					<h2>Top values</h2>
					<Part task={top} isSilent={props.isTableFailed || isSampled() || numbers.error() === top.error()}>
						{answer => <TopList values={topOf(answer, all())} onFilter={filter} />}
					</Part>
					<Show when={isSampled()}>
						<p class="statistics-note">
							{`Counted in the ${counted(props.loaded.length, rowNoun)} that are loaded. ${top.error() ?? ''}`}
						</p>
						<TopList values={topOfRows(props.loaded, props.column.index)} onFilter={filter} />
					</Show>
				</div>
			</aside>
		</>
	)
}

/** Values with their counts. Each filters. */
function TopList(props: {
	readonly values: readonly TopValue[]
	onFilter(cell: Cell, use: CellFilterUse): void
}): JSX.Element {
	return (
		<ol class="statistics-top">
			<For each={props.values} fallback={<li class="quiet">No values.</li>}>
				{({ value, count: rows, isEstimate, share, ofAll }) => (
					<li>
						<button
							type="button"
							class="statistics-value"
							title="Filter for this"
							onClick={() => props.onFilter(value, 'for')}
						>
							<span class="statistics-bar" style={{ width: `${(ofAll ?? share) * 100}%` }} />
							<span class={`statistics-text look-${cellText(value).look}`}>{cellText(value).text}</span>
							<span class="statistics-count" title={isEstimate ? 'At least this many' : undefined}>
								{about(isEstimate, count(rows))}
							</span>
							<Show when={ofAll !== undefined}>
								<span class="statistics-count">{about(isEstimate, percent(ofAll ?? 0))}</span>
							</Show>
						</button>
						<IconButton
							label={`Filter out ${cellText(value).text}`}
							isSmall
							onClick={() => props.onFilter(value, 'out')}
						>
							<Minus size={13} />
						</IconButton>
					</li>
				)}
			</For>
		</ol>
	)
}

const about = (isEstimate: boolean, text: string) => (isEstimate ? `≈ ${text}` : text)

/** Separates the thousands of a whole number. */
const grouped = (text: string) => (/^-?\d+$/.test(text) ? groupedDigits(text) : text)

type Answer = ResultOf<'rows.aggregate'>

/** Reads one answer. The last one stays visible while it is read again. */
function Part(props: {
	readonly task: Task<readonly [RowChoice, Column], Answer>
	/** Its error is shown elsewhere. */
	readonly isSilent: boolean
	children(answer: Answer): JSX.Element
}): JSX.Element {
	return (
		<>
			<Failure of={props.task} isSilent={props.isSilent} />
			<Show
				when={props.task.error() === undefined && props.task.value()}
				keyed
				fallback={<Show when={props.task.isRunning()}>{<p class="quiet">Loading …</p>}</Show>}
			>
				{answer => (
					<>
						{props.children(answer)}
						<For each={answer.notices}>{notice => <p class="statistics-note">{notice}</p>}</For>
					</>
				)}
			</Show>
		</>
	)
}
