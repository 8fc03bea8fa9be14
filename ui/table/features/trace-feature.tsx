import GitBranch from 'lucide-solid/icons/git-branch'
import { createEffect, createMemo, createSignal, type JSX, Show } from 'solid-js'
import { cellOf } from '../../cells/cell-text.ts'
import { at } from '../../cells/selection.ts'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { count } from '../../words/format.ts'
import { seriesOf } from '../../words/series.ts'
import { filtersOf, withFocusedCell } from '../table-filters.tsx'
import { readTrace, traceColumn } from '../trace/read-trace.ts'
import { TracePane } from '../trace/trace-pane.tsx'
import type { TableContext, TableFeature } from './feature.ts'
import { openApart } from './open-apart.ts'

/** More spans are no picture. */
const mostSpans = 1_000

/** Opens the trace of a row in another tab. Rows of one trace have its spans above them. */
export function createTraceFeature(context: TableContext): TableFeature {
	const { table, beside } = context
	const { query, rows, sheet, place, scrolling, selected } = table
	const { rowNoun } = useEngine()
	const host = useHost()
	const column = createMemo(() => traceColumn(rows.columns()))
	/** Whether a filter asks for one trace. */
	const isOfTrace = createMemo(() =>
		query.filters.chips().some(({ column: name, operator }) => name === column()?.name && operator === 'equals'),
	)
	const [isClosed, setClosed] = createSignal(false)
	const total = () => rows.total()?.value ?? 0
	createEffect(() => {
		if (isOfTrace() && !isClosed() && total() > 0) rows.show(0, Math.min(total(), mostSpans) - 1)
	})
	const trace = createMemo(() => {
		const log = table.log()
		if (!log || !isOfTrace() || isClosed()) return undefined
		return readTrace(
			rows.columns(),
			rows.loaded().flatMap(({ rows }) => rows),
			log,
		)
	})
	const note = () =>
		(trace()?.spans.length ?? 0) < total()
			? `${count(trace()?.spans.length ?? 0)} of ${count(total())} ${rowNoun.many.toLowerCase()}`
			: ''
	/** A trace that began before midnight is in two tables of days, which some engines open as one. */
	async function wholeSeries(): Promise<string | undefined> {
		const { connection, table: name } = table.target
		const series = seriesOf(name)
		if (series === undefined) return undefined
		const found = await host.call('tables.find', { connection, text: series }).catch(() => [])
		return found.find(({ name }) => name === series)?.name
	}
	const open = () =>
		withFocusedCell(table, 'opened', async ({ row }) => {
			const of = column()
			const index = rows.columns().findIndex(({ name }) => name === of?.name)
			if (!of) return
			const cell = cellOf(row, index)
			if (cell === null || (typeof cell === 'object' && 'missing' in cell))
				return selected.say(`This ${rowNoun.one} has no ${of.name}.`)
			const filters = filtersOf(table, { column: of, cell })
			if (filters.length > 0) openApart(context, filters, { series: await wholeSeries(), rowId: row.id })
		})
	/** Selects the row of a span, and opens it. */
	function show(rowId: string): void {
		const found = sheet.find(rowId)
		if (!found) return
		const { column: current } = place.selection().focus
		place.setSelection(at({ row: found.index, column: current }))
		scrolling.reveal(place.selection().focus)
		beside.openRow()
	}
	return {
		commands: [
			{
				id: 'grid.trace',
				title: `The trace of the ${rowNoun.one}, in another tab`,
				label: 'Trace, in another tab',
				Icon: GitBranch,
				keys: ['Alt+Shift+T'],
				section: 'filter',
				isAvailable: () => column() !== undefined && !isOfTrace(),
				run: () => void open(),
			},
		],
		topPanel: (): JSX.Element => (
			<Show when={trace()}>
				{trace => (
					<TracePane
						trace={trace()}
						note={note()}
						rowId={place.currentRow()?.id}
						onRow={show}
						onLeave={place.toGrid}
						onClose={() => {
							setClosed(true)
							place.toGrid()
						}}
					/>
				)}
			</Show>
		),
	}
}
