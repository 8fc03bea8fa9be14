import { createEffect, type JSX, on, Show } from 'solid-js'
import type { Column } from '../../../host/api/api.ts'
import { Failure } from '../../controls/failure.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { Histogram } from '../histogram/histogram.tsx'
import { type HistogramQuestion, readHistogram } from '../histogram/read-histogram.ts'
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
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const { connection } = props.table.target
	const reading = createTask((call, question: HistogramQuestion) =>
		readHistogram(question, query => host.call('rows.aggregate', { connection, query }, call)),
	)
	createEffect(
		on([props.table.query.chosen, () => props.column, props.table.loads], ([query, column]) => {
			const now = Date.now()
			const ends = endsOf(props.range, now)
			const until = ends.from !== undefined && ends.from < now ? now : undefined
			void reading.run({ query, column, ...ends, until })
		}),
	)
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
							edge={edge}
							noun={rowNoun}
							width={({ from, to }) => durationText(to - from)}
							onRange={(from, to) => props.onRange(printMoment(from), printMoment(to))}
							onReset={props.onReset}
						/>
					</Show>
				)}
			</Show>
		</div>
	)
}
