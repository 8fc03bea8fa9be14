import { createEffect, type JSX, on, Show } from 'solid-js'
import type { Column, RowChoice } from '../../../host/api/api.ts'
import { Failure } from '../../controls/failure.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { count } from '../../words/format.ts'
import { Histogram } from '../histogram/histogram.tsx'
import { type HistogramQuestion, readHistogram } from '../histogram/read-histogram.ts'
import { clockName, printMoment, shownMoment } from '../time/moment.ts'

/** The rows of a table along the values of a column of numbers or dates. A range of bars filters. */
export function ColumnHistogram(props: {
	readonly connection: string
	readonly query: RowChoice
	readonly column: Column
	readonly loads: number
	/** The rows of the table cannot be read. Their error is shown already. */
	readonly isTableFailed: boolean
	onRange(column: Column, from: string, to: string): void
	onRangeReset(column: Column): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const reading = createTask((call, question: HistogramQuestion) =>
		readHistogram(question, query => host.call('rows.aggregate', { connection: props.connection, query }, call)),
	)
	createEffect(
		on(
			[() => props.query, () => props.column, () => props.loads],
			([query, column]) => void reading.run({ query, column }),
		),
	)
	const isDate = () => props.column.kind === 'date'
	const zone = () => reading.value()?.timeZone ?? 'utc'
	const edge = (value: number) => (isDate() ? shownMoment(value, zone()).replace(/ 00:00:00$/, '') : shownNumber(value))
	const typed = (value: number) => (isDate() ? printMoment(value) : String(value))
	return (
		<>
			<Failure of={reading} isSilent={props.isTableFailed} />
			<Show when={reading.value()?.buckets}>
				{buckets => (
					<Show when={buckets().length > 0}>
						<h2>{isDate() && props.column.zone !== 'none' ? `Distribution (${clockName(zone())})` : 'Distribution'}</h2>
						<Histogram
							label={`${rowNoun.many} by ${props.column.name}`}
							buckets={buckets()}
							edge={edge}
							noun={rowNoun}
							onRange={(from, to) => props.onRange(props.column, typed(from), typed(to))}
							onReset={() => props.onRangeReset(props.column)}
						/>
					</Show>
				)}
			</Show>
		</>
	)
}

const shownNumber = (value: number) => (Number.isInteger(value) ? count(value) : String(value))
