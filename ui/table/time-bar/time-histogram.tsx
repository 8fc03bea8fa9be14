import { createEffect, createMemo, For, type JSX, Show, untrack } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { cellText } from '../../cells/cell-text.ts'
import { Failure } from '../../controls/failure.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { axisMoment, count, counted } from '../../words/format.ts'
import { type AxisTick, Histogram } from '../histogram/histogram.tsx'
import { isLevelColumn, otherColour, partColours } from '../histogram/part-colours.ts'
import { canSplit, type HistogramQuestion, readHistogram } from '../histogram/read-histogram.ts'
import type { Bucket } from '../histogram/steps.ts'
import { type TimeTick, timeTicks } from '../histogram/ticks.ts'
import { durationText } from '../time/duration.ts'
import { printMoment, shownMoment, zoneOf } from '../time/moment.ts'
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
	/** Shows the range before. Without it, there is none. */
	readonly onBack: (() => void) | undefined
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
	const edge = (value: number) => shownMoment(value, props.range.clock).replace(/ 00:00:00$/, '')
	function ticks(from: number, to: number, most: number): readonly AxisTick[] {
		const { clock } = props.range
		const found = timeTicks(from, to, { clock, most })
		const isBreak = ({ unit }: TimeTick) => unit !== found[0]?.unit || unit !== found[1]?.unit
		const least = found.find(({ unit }) => unit === 'second' || unit === 'minute')
		const hasDay = found.some(({ unit }) => unit === 'day')
		return found.map(tick => ({
			at: tick.at,
			label: axisMoment(tick.at, { unit: tick.unit, zone: zoneOf(clock), hasDate: tick === least && !hasDay }),
			isBreak: isBreak(tick) && tick.unit !== 'second' && tick.unit !== 'minute',
		}))
	}
	const sum = (countOf: (bucket: Bucket) => number | undefined) =>
		(reading.value()?.buckets ?? []).reduce((sum, bucket) => sum + (countOf(bucket) ?? 0), 0)
	/** How many rows have another value than those of the legend, or none. */
	const others = () => sum(({ count, parts = [] }) => count - parts.reduce((sum, part) => sum + part, 0))
	return (
		<div class="time-histogram">
			<Failure of={reading} isSilent={props.table.rows.failure() !== undefined} />
			<div class="histogram-head">
				<span class="histogram-words">
					<Show when={reading.value()?.buckets[0]}>
						{bucket => (
							<>
								{counted(
									sum(bucket => bucket.count),
									rowNoun,
								)}{' '}
								in bars of {durationText(bucket().to - bucket().from)}
							</>
						)}
					</Show>
				</span>
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
							{parts()?.[index()]} <span class="quiet">{count(sum(({ parts }) => parts?.[index()]))}</span>
						</button>
					)}
				</For>
				<Show when={parts() && others() > 0}>
					<span class="histogram-key" title="Rows with another value, or with none">
						<i class={`chart-part-${otherColour}`} />
						others <span class="quiet">{count(others())}</span>
					</span>
				</Show>
				<label>
					Break down by
					<select value={split.column()?.name ?? ''} onChange={event => split.choose(event.currentTarget.value)}>
						<option value="">nothing</option>
						<For each={split.columns()}>
							{({ name }) => (
								<option value={name} selected={name === split.column()?.name}>
									{name}
								</option>
							)}
						</For>
					</select>
				</label>
			</div>
			{/* Not keyed: a new answer keeps the focus and a click that has begun. */}
			<Show when={reading.value()} fallback={<div class="time-histogram-waiting" />}>
				{answer => (
					<Show
						when={answer().buckets.length > 0}
						fallback={<p class="time-histogram-waiting quiet">No {rowNoun.many} with a date.</p>}
					>
						<Histogram
							label={`${rowNoun.many} by ${props.column.name}`}
							buckets={answer().buckets}
							parts={parts()}
							edge={edge}
							noun={rowNoun}
							ticks={ticks}
							onRange={(from, to) => props.onRange(printMoment(from), printMoment(to))}
							onReset={props.onReset}
							onBack={props.onBack}
						/>
					</Show>
				)}
			</Show>
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
