import './chart.css'
import { toCell } from '@roundhouse/kit/cell'
import { type JSX, Show } from 'solid-js'
import { cellText } from '../cells/cell-text.ts'
import { Chart } from '../results/chart.tsx'
import { type AnswerRows, answerRows } from './answer-rows.ts'
import type { HostLink } from './host-link.ts'
import { Failure, startApp } from './start-app.tsx'

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
		<Show when={host.outcome()} fallback={<p class="quiet">Counting …</p>}>
			{outcome => (
				<>
					<h1>{String(host.input()?.table ?? 'Groups')}</h1>
					<Failure text={outcome().failure} />
					<Show when={found()} fallback={<p class="quiet">{outcome().failure ? '' : 'No groups.'}</p>}>
						{chart => <Chart rows={chart()} />}
					</Show>
				</>
			)}
		</Show>
	)
}

const isoTime = /^\d{4}-\d\d-\d\dT/
/** A column as the chart needs it. */
const column = (name: string) =>
	({ name, type: '', kind: 'number', isKey: false, isReadOnly: true, isSortable: false }) as const

/** Returns the rows as the console's chart takes them: the groups in the first column, numbers in the others. */
function chartOf({ columns, rows }: AnswerRows, groups: number) {
	const by = columns.slice(0, groups).join(', ') || 'all rows'
	const values = columns.slice(groups)
	const labelled = rows.map(row => {
		const [first, ...others] = row.slice(0, groups).map(value => cellText(toCell(value)).text)
		return [[first ?? 'all rows', ...others].join(', '), ...row.slice(groups).map(toCell)]
	})
	const isTime = groups === 1 && labelled.every(([label]) => isoTime.test(String(label)))
	const all = [by, ...values].map(column)
	return { view: 'rows' as const, columns: all, rows: labelled, isTruncated: false, chart: { by, values, isTime } }
}

startApp('roundhouse-chart', ChartApp)
