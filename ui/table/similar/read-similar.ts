import type { RowChoice, SimilarGroups } from '../../../host/api/api.ts'
import type { CallOptions, HostConnection } from '../../api/client.ts'
import { cellOf, cellText, copyText } from '../../cells/cell-text.ts'
import type { Engine } from '../../state/engine.tsx'
import { OpenQuery } from '../rows/open-query.ts'
import { readMoment } from '../time/moment.ts'
import type { Ends } from '../time/time-range.ts'
import { groupSample, type Message } from './group-sample.ts'

/** Rows that the window groups itself: the newest ones. */
const mostSampled = 5_000
const pageRows = 1_000
const mostGroups = 200
/** Counts of a spark line. */
const parts = 30

/** What is asked about a table. */
export interface SimilarQuestion {
	readonly connection: string
	readonly query: RowChoice
	readonly column: string
	readonly time: string
	/** Known ends of the time. The engine says the others. */
	readonly ends: Ends
	/** For notices about a sample. */
	readonly rowNoun: Engine['rowNoun']
}

/** Groups of messages, and of which rows. */
export interface Similar extends SimilarGroups {
	/** Number of rows in a sample; absent if all rows were grouped. */
	readonly sampled?: number
}

/** Groups similar messages: the engine does where it can, else the window groups the newest rows. */
export async function readSimilar(
	host: HostConnection,
	{ connection, query, column, time, ends, rowNoun }: SimilarQuestion,
	call: Required<CallOptions>,
): Promise<Similar> {
	const range = await rangeOf()
	if (range === undefined) return { groups: [], notices: [] }
	const asked = { ...query, column, time, ...range, parts, limit: mostGroups }
	const found = await host.call('rows.groupSimilar', { connection, query: asked }, call)
	if (found) return found
	const { messages, isWhole } = await sample()
	if (isWhole) return groupSample(messages, asked, rowNoun)
	// The newest rows are of the last part of the time: the whole of it would be one bar.
	const since = readMoment(messages.at(-1)?.time ?? '')
	const from = since === undefined ? asked.from : new Date(since).toISOString()
	return { ...groupSample(messages, { ...asked, from }, rowNoun), sampled: messages.length }

	async function rangeOf() {
		let { from, to } = ends
		if (from === undefined || to === undefined) {
			const measures = (['min', 'max'] as const).map(name => ({ function: name, column: time }))
			const asked = { ...query, groups: [], measures, limit: 1 }
			const { rows } = await host.call('rows.aggregate', { connection, query: asked }, call)
			const [least, most] = [rows[0]?.[1], rows[0]?.[2]].map(cell => readMoment(cellText(cell ?? null).text))
			if (least === undefined || most === undefined) return undefined
			from ??= least
			to ??= most + 1
		}
		return { from: new Date(from).toISOString(), to: new Date(Math.max(to, from + 1)).toISOString() }
	}

	async function sample() {
		const sorted = { ...query, sort: [{ column: time, direction: 'desc' as const }] }
		const open = new OpenQuery(host, { connection, query: sorted, firstRows: pageRows })
		const stop = () => open.close()
		call.signal.addEventListener('abort', stop)
		try {
			const messages: Message[] = []
			let page = await open.first
			const total = page.total
			for (;;) {
				const [at, timeAt] = [column, time].map(wanted => page.columns.findIndex(({ name }) => name === wanted))
				for (const row of page.rows) messages.push({ text: textOf(row, at), time: textOf(row, timeAt) })
				const isEnd = page.rows.length < pageRows
				if (isEnd || messages.length >= mostSampled)
					return { messages, isWhole: isEnd || (total.isExact && total.value <= messages.length) }
				call.onProgress({ done: messages.length, total: Math.min(total.value, mostSampled) })
				page = await open.page({ offset: messages.length, limit: pageRows }, call.signal)
			}
		} finally {
			call.signal.removeEventListener('abort', stop)
			open.close()
		}
	}
}

const textOf = (row: Parameters<typeof cellOf>[0], at: number | undefined) =>
	at === undefined || at < 0 ? '' : copyText(cellOf(row, at))
