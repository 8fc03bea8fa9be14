import { batch, createEffect, createSignal, on, onCleanup } from 'solid-js'
import type { RowChoice } from '../../../host/api/api.ts'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { useHost } from '../../state/host.tsx'
import { messageOf } from '../../words/message-of.ts'
import { printMoment } from '../time/moment.ts'
import { endsOf } from '../time/time-range.ts'
import { datesOf, shownRange } from './shown-range.ts'
import type { TimedTable } from './timed-table.ts'

/** How long the engine is left alone between two looks. */
const lookMs = 2_000
/** The engine works for the tail at most this share of the time: a slow one is asked less often. */
const restPerWork = 4
/** What is computed beside the rows costs more than the rows, and follows at this distance. */
const wholeMs = 10_000

/** The newest rows that are shown, from which new ones are counted. */
interface Mark {
	/** Number of the reading that it belongs to. */
	readonly reading: number
	/** The rows to count: those with the newest time and later ones. */
	readonly choice: RowChoice
	/** How many of them are shown; `undefined` until a first count, if their first page does not say. */
	shown: number | undefined
}

/**
 * New rows of a table in time. They are counted by one small request at a time, and read only if there are some and
 * the user is at the top; else nothing moves. Only the user stops it: by the button, or by another order.
 */
export function createLiveTail(options: {
	readonly table: TimedTable
	/** Whether the tab is in view. */
	isShown(): boolean
	/** What the user does with the rows, as the end of a sentence; `undefined` at the top, where new rows may arrive. */
	busyWith(): string | undefined
	toTop(): void
	/** Called when rows came above those that the user turned to while they were being read. */
	onMoved(by: number): void
	readonly kept: { isOn(): boolean; setOn(isOn: boolean): void }
}) {
	const { query, rows, target, loads, reload } = options.table
	const { isOn, setOn } = options.kept
	const host = useHost()
	const [isHidden, setHidden] = createSignal(document.hidden)
	const onVisibility = () => setHidden(document.hidden)
	document.addEventListener('visibilitychange', onVisibility)
	onCleanup(() => document.removeEventListener('visibilitychange', onVisibility))
	const [count, setCount] = createSignal(0)
	const [error, setError] = createSignal<string>()
	createEffect(on([rows.reading, isOn], () => setCount(0)))
	const dates = () => datesOf(rows.columns())
	/** The column by which the newest rows are first. */
	function timeColumn(): string | undefined {
		const [first] = query.sort()
		return first?.direction === 'desc' && dates().some(({ name }) => name === first.column) ? first.column : undefined
	}
	// A restored table has no columns yet.
	createEffect(() => isOn() && rows.columns().length > 0 && timeColumn() === undefined && setOn(false))

	let mark: Mark | undefined
	function newMark(): Mark {
		const choice = query.chosen()
		const mark = { reading: rows.reading(), choice, shown: undefined }
		const index = rows.columns().findIndex(({ name }) => name === timeColumn())
		const times = rows.first().map(row => copyText(cellOf(row, index)))
		const [newest = ''] = times
		// Alternatives take no further filter, so all of their rows are counted.
		if (newest === '' || index < 0 || (choice.match === 'any' && choice.filters.length > 1)) return mark
		const column = rows.columns()[index]?.name ?? ''
		const filters = [...choice.filters, { column, operator: 'greater_or_equal', values: [newest] } as const]
		const ties = times.filter(time => time === newest).length
		// Further ones may be on the next page.
		const areAll = ties < times.length || rows.total()?.value === times.length
		return { ...mark, choice: { ...choice, match: 'all', filters }, shown: areAll ? ties : undefined }
	}

	/** The first row, and the number of new ones, when new rows were asked for. */
	let reading: { readonly first: string | undefined; readonly count: number } | undefined
	createEffect(
		on(rows.reading, () => {
			const asked = reading
			reading = undefined
			if (asked === undefined || options.busyWith() === undefined) return
			const index = rows.first().findIndex(({ id }) => id === asked.first)
			options.onMoved(index < 0 ? asked.count : index)
		}),
	)
	let wholeAt = 0
	/** Shows the newest rows, and now and then what is computed beside them. */
	function read(): void {
		reading = { first: rows.first()[0]?.id, count: count() }
		const now = performance.now()
		const isWhole = now - wholeAt >= wholeMs
		if (isWhole) wholeAt = now
		if (isWhole) reload()
		else void rows.open(query.query())
	}

	let isLooking = false
	/** Ticks to pass before the next look. */
	let rest = 0
	async function look(signal: AbortSignal): Promise<void> {
		if (isLooking || rows.isOpening() || rest-- > 0) return
		isLooking = true
		const since = performance.now()
		if (mark?.reading !== rows.reading()) mark = newMark()
		const of = mark
		try {
			const { value } = await host.call('rows.count', { connection: target.connection, query: of.choice }, { signal })
			// Other rows were asked for meanwhile.
			if (signal.aborted || of.reading !== rows.reading() || rows.isOpening()) return
			of.shown ??= value
			setError(undefined)
			setCount(Math.max(0, value - of.shown))
			if (count() > 0 && options.busyWith() === undefined) read()
		} catch (error) {
			if (!signal.aborted) setError(messageOf(error))
		} finally {
			isLooking = false
			rest = Math.floor((restPerWork * (performance.now() - since)) / lookMs)
		}
	}
	createEffect(() => {
		if (!isOn() || timeColumn() === undefined || isHidden() || !options.isShown()) return
		const stop = new AbortController()
		const timer = setInterval(() => void look(stop.signal), lookMs)
		onCleanup(() => {
			clearInterval(timer)
			stop.abort()
		})
	})
	// A reload by the user computed it already.
	createEffect(
		on(
			loads,
			() => {
				wholeAt = performance.now()
			},
			{ defer: true },
		),
	)

	function start(): void {
		const zone = options.table.timeZone()
		const range = shownRange(query.time(), dates(), zone)
		const { from, to } = endsOf(range, Date.now())
		batch(() => {
			if (timeColumn() === undefined) query.setSort([{ column: range.column, direction: 'desc' }])
			// No row is new in a range that has ended.
			if (to !== undefined && to <= Date.now())
				query.setTime({
					...range,
					isOpening: undefined,
					span: 'between',
					from: from === undefined ? '' : printMoment(from),
					to: '',
				})
			setOn(true)
		})
	}
	return {
		isOn,
		toggle: () => (isOn() ? setOn(false) : start()),
		/** Number of new rows that are not shown. */
		count,
		/** Why new rows are not shown, as the end of a sentence. */
		waitsFor: () => (count() > 0 ? options.busyWith() : undefined),
		/** Why the last look failed. */
		error,
		/** Shows the new rows. */
		show(): void {
			options.toTop()
			reload()
		},
	}
}

export type LiveTail = ReturnType<typeof createLiveTail>
