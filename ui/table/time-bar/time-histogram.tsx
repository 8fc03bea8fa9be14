import { createEffect, createMemo, For, type JSX, Show, untrack } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { cellText } from '../../cells/cell-text.ts'
import { Failure } from '../../controls/failure.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { Histogram } from '../histogram/histogram.tsx'
import { isLevelColumn, otherColour, partColours } from '../histogram/part-colours.ts'
import { canSplit, type HistogramQuestion, readHistogram } from '../histogram/read-histogram.ts'
import { durationText } from '../time/duration.ts'
import { printMoment, shownMoment } from '../time/moment.ts'
import { endsOf, type TimeRange } from '../time/time-range.ts'
import type { TimedTable } from './timed-table.ts'

/** The rows of a table over time, under its filters. A new question or closing cancels the last one in the engine. */
export function TimeHistogram(props: {
	readonly table: TimedTable
	readonly range: TimeRange
	readonly column: Column
	/** Ends as ISO text in UTC. */
	onRange(from: string, to: string): void
	onReset(): void
	/** Keeps the rows with a value of the column that splits the bars. */
	onPart(column: Column, value: Cell): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const { connection } = props.table.target
	const reading = createTask((call, question: HistogramQuestion) =>
		readHistogram(question, query => host.call('rows.aggregate', { connection, query }, call)),
	)
	const split = createSplit(props.table)
	const question = createMemo(() => {
		props.table.loads()
		return { query: props.table.query.chosen(), column: props.column, split: split.column() }
	})
	let asked: ReturnType<typeof question> | undefined
	createEffect(() => {
		const next = question()
		// The rows come first: the engine would count before it reads them.
		if (props.table.rows.isOpening() || next === asked) return
		asked = next
		const now = Date.now()
		const ends = endsOf(
			untrack(() => props.range),
			now,
		)
		const until = ends.from !== undefined && ends.from < now ? now : undefined
		void reading.run({ ...next, ...ends, until })
	})
	const parts = createMemo(() => reading.value()?.parts?.map(value => cellText(value).text))
	const colours = createMemo(() => partColours(parts() ?? []))
	/** Whether some rows have none of the values, or another one. */
	const hasOthers = () =>
		(reading.value()?.buckets ?? []).some(({ count, parts = [] }) => parts.reduce((sum, part) => sum + part, 0) < count)
	const edge = (value: number) => shownMoment(value, props.range.clock).replace(/ 00:00:00$/, '')
	return (
		<div class="time-histogram">
			<Failure of={reading} isSilent={props.table.rows.failure() !== undefined} />
			{/* Not keyed: a new answer keeps the focus and a click that has begun. */}
			<Show when={reading.value()} fallback={<div class="time-histogram-waiting" />}>
				{answer => (
					<Show when={answer().buckets.length > 0} fallback={<p class="quiet">No {rowNoun.many} with a date.</p>}>
						<Histogram
							label={`${rowNoun.many} by ${props.column.name}`}
							buckets={answer().buckets}
							parts={parts()}
							edge={edge}
							noun={rowNoun}
							width={({ from, to }) => durationText(to - from)}
							onRange={(from, to) => props.onRange(printMoment(from), printMoment(to))}
							onReset={props.onReset}
						/>
					</Show>
				)}
			</Show>
			<div class="histogram-split">
				<span aria-hidden="true">Split by</span>
				<select
					aria-label="Split by"
					value={split.column()?.name ?? ''}
					onChange={event => split.choose(event.currentTarget.value)}
				>
					<option value="">nothing</option>
					<For each={split.columns()}>
						{({ name }) => (
							<option value={name} selected={name === split.column()?.name}>
								{name}
							</option>
						)}
					</For>
				</select>
				<For each={split.column() && reading.value()?.parts}>
					{(value, index) => (
						<button
							type="button"
							class="histogram-key"
							title={`Filter for ${split.column()?.name} ${parts()?.[index()] ?? ''}`}
							onClick={() => {
								const column = split.column()
								if (column) props.onPart(column, value)
							}}
						>
							<i class={`chart-part-${colours()[index()] ?? otherColour}`} />
							{parts()?.[index()]}
						</button>
					)}
				</For>
				<Show when={parts() && hasOthers()}>
					<span class="histogram-key" title="Rows with another value, or with none">
						<i class={`chart-part-${otherColour}`} />
						others
					</span>
				</Show>
			</div>
		</div>
	)
}

/** The column that splits the bars of a table, a part of its query. The level of a log does until the user chooses. */
function createSplit({ query, rows }: TimedTable) {
	const columns = createMemo(() => rows.columns().filter(canSplit))
	const column = createMemo(() => {
		const chosen = query.split()
		return chosen === undefined ? columns().find(isLevelColumn) : columns().find(({ name }) => name === chosen)
	})
	return { columns, column, choose: query.setSplit }
}
