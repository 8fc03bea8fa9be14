import { fromCell } from '@roundhouse/kit/cell'
import { isExactNumber } from '@roundhouse/kit/json'
import type { Cell, Column, Row } from '../../../host/api/api.ts'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { momentOf } from '../../cells/date-words.ts'

/** The rows of one trace as spans in time. Pure. */

/** Names by which loggers and tracers write the parts of a trace: those of ECS, of OpenTelemetry and common ones. */
const names = {
	trace: ['trace.id', 'trace_id', 'traceid'],
	span: ['span.id', 'span_id', 'spanid', 'transaction.id'],
	parent: ['parent.id', 'parent_span_id', 'parent_id', 'parentspanid'],
	name: ['span.name', 'transaction.name', 'name'],
} as const

/** Milliseconds in one unit of a duration, by the name of its column. */
const durations: Readonly<Record<string, number>> = {
	'span.duration.us': 1e-3,
	'transaction.duration.us': 1e-3,
	duration_us: 1e-3,
	'event.duration': 1e-6,
	duration_ns: 1e-6,
	duration_nano: 1e-6,
	duration_ms: 1,
	took_ms: 1,
}

const named = (columns: readonly Column[], wanted: readonly string[]) =>
	wanted.flatMap(name => columns.find(column => column.name.toLowerCase() === name) ?? [])

/** Returns the column that has the trace of a row; `undefined` if none has. */
export const traceColumn = (columns: readonly Column[]): Column | undefined => named(columns, names.trace)[0]

/** A row of a trace as a bar. */
export interface Span {
	readonly rowId: string
	/** What it did: its name, or its message. */
	readonly name: string
	/** Where it ran. */
	readonly source: string
	readonly level: string
	/** Milliseconds since the trace began. */
	readonly start: number
	/** In milliseconds; 0 for a line of a log. */
	readonly duration: number
	/** The number of spans around it. */
	readonly depth: number
}

export interface Trace {
	readonly id: string
	/** Each span before those within it, in the order of their starts. */
	readonly spans: readonly Span[]
	/** In milliseconds. */
	readonly length: number
}

/** The columns of a log that name a span. */
interface Words {
	readonly time: string
	readonly message: string
	readonly level: string | undefined
	readonly sources: readonly string[]
}

/** Returns the trace of some rows; `undefined` if they are of several ones, or if none of them has a duration. */
export function readTrace(columns: readonly Column[], rows: readonly Row[], words: Words): Trace | undefined {
	const column = traceColumn(columns)
	const indexOf = (name: string | undefined) => columns.findIndex(column => column.name === name)
	const indices = (wanted: readonly string[]) => named(columns, wanted).map(({ name }) => indexOf(name))
	const textOf = (row: Row, index: number) => (index < 0 ? '' : copyText(cellOf(row, index)))
	const firstOf = (row: Row, of: readonly number[]) => of.map(index => textOf(row, index)).find(Boolean) ?? ''
	const ids = new Set(rows.map(row => textOf(row, indexOf(column?.name))))
	const [id] = ids
	if (!id || ids.size > 1) return undefined
	const [spanIds, parents, titles] = [indices(names.span), indices(names.parent), indices(names.name)]
	const lasting = Object.entries(durations).flatMap(([name, unit]) =>
		named(columns, [name]).map(found => ({ index: indexOf(found.name), unit })),
	)
	const [time, message, level, source] = [words.time, words.message, words.level, words.sources[0]].map(indexOf)
	const read = rows.flatMap(row => {
		const start = momentOf(cellOf(row, time ?? -1))
		if (start === undefined) return []
		const duration =
			lasting.map(({ index, unit }) => (numberOf(cellOf(row, index)) ?? 0) * unit).find(ms => ms > 0) ?? 0
		const own = firstOf(row, spanIds)
		// A line of a log is written within the span that it names.
		const parent = duration === 0 && own !== '' ? own : firstOf(row, parents)
		const name = firstOf(row, duration === 0 ? [message ?? -1] : [...titles, message ?? -1])
		return [
			{
				rowId: row.id,
				own,
				parent,
				name,
				source: textOf(row, source ?? -1),
				level: textOf(row, level ?? -1),
				start,
				duration,
			},
		]
	})
	if (!read.some(({ duration }) => duration > 0)) return undefined
	const begin = Math.min(...read.map(({ start }) => start))
	const end = Math.max(...read.map(({ start, duration }) => start + duration))
	const byStart = read.toSorted((one, other) => one.start - other.start || other.duration - one.duration)
	const known = new Set(byStart.filter(({ duration }) => duration > 0).map(({ own }) => own))
	const within = Map.groupBy(byStart, ({ parent, own, duration }) =>
		known.has(parent) && (parent !== own || duration === 0) ? parent : '',
	)
	const spans: Span[] = []
	const taken = new Set<string>()
	function take(some: typeof byStart, depth: number): void {
		for (const { own, parent: _, start, ...span } of some) {
			if (taken.has(span.rowId)) continue
			taken.add(span.rowId)
			spans.push({ ...span, start: start - begin, depth })
			if (span.duration > 0) take(within.get(own) ?? [], depth + 1)
		}
	}
	take(within.get('') ?? [], 0)
	// Spans that name each other as parents are in no root.
	take(byStart, 0)
	return { id, spans, length: end - begin }
}

function numberOf(cell: Cell): number | undefined {
	const value = fromCell(cell)
	if (typeof value === 'number') return value
	return isExactNumber(value) ? Number(value.rawJSON) : undefined
}
