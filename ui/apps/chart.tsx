import './chart.css'
import type { Json } from '@roundhouse/kit/json'
import { For, type JSX, Show } from 'solid-js'
import { Chart } from '../results/chart.tsx'
import type { ChartData } from '../results/chart-points.ts'
import { type AnswerRows, answerRows, notesOf } from './answer-rows.ts'
import type { HostLink } from './host-link.ts'
import { nameText, resultText } from './shown-text.ts'
import { CallTitle, Failure, startApp, unreadable } from './start-app.tsx'

/** The app of `aggregate`: a chart of the groups, and the same numbers as a table. */
function ChartApp(props: { readonly host: HostLink }): JSX.Element {
	const { host } = props
	const groups = () => {
		const by = host.input()?.group_by
		return Array.isArray(by) ? by.length : 0
	}
	const found = () => {
		const answer = answerRows(host.outcome()?.value ?? {})
		return answer && answer.rows.length > 0 ? chartOf(answer, groups()) : undefined
	}
	return (
		<Show when={host.outcome()} fallback={<h1 class="quiet">Counting …</h1>}>
			{outcome => (
				<>
					<CallTitle input={host.input()} name="Groups" />
					<Failure text={outcome().failure ?? unreadable(outcome())} />
					<For each={notesOf(outcome().value ?? {})}>{note => <p class="quiet">{note}</p>}</For>
					<Show when={found()} fallback={<p class="quiet">{outcome().value && 'No groups.'}</p>}>
						{data => <Chart data={data()} foldsTable />}
					</Show>
				</>
			)}
		</Show>
	)
}

const isoTime = /^\d{4}-\d\d-\d\dT/
const textOf = (value: unknown) => resultText(value as Json | undefined).text
const labelOf = (value: Json | undefined) => (typeof value === 'string' ? nameText(value) : textOf(value))

/** Returns the rows as a chart takes them: labels first, then the numbers. The second of two groups is stacked. */
function chartOf({ columns, rows }: AnswerRows, groups: number): ChartData {
	// Parts of a bar must add up, which means do not.
	const isStacked = groups === 2 && columns.slice(groups).every(name => /^(?:count$|sum\()/.test(name))
	const labels = isStacked ? 2 : 1
	const names = columns.slice(0, groups)
	return {
		columns: [...(isStacked ? names : [names.join(', ') || 'all rows']), ...columns.slice(groups)].map(nameText),
		rows: rows.map(row => {
			const keys = row.slice(0, groups).map(labelOf)
			return [...(isStacked ? keys : [keys.join(', ') || 'all rows']), ...row.slice(groups)]
		}),
		textOf,
		by: 0,
		stack: isStacked ? 1 : undefined,
		values: columns.slice(groups).map((_, index) => labels + index),
		isTime: groups > 0 && labels === groups && rows.every(([key]) => isoTime.test(String(key))),
	}
}

startApp('roundhouse-chart', ChartApp)
