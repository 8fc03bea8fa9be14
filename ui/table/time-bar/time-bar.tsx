import ChartColumn from 'lucide-solid/icons/chart-column'
import Clock3 from 'lucide-solid/icons/clock-3'
import Undo2 from 'lucide-solid/icons/undo-2'
import ZoomOut from 'lucide-solid/icons/zoom-out'
import { createEffect, createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { useCommands } from '../../state/commands.tsx'
import { usePreferences } from '../../state/host.tsx'
import { dateIn } from '../../words/format.ts'
import { keysText } from '../../words/keys.ts'
import { type Clock, clockName, zoneOf } from '../time/moment.ts'
import { endsOf, type Span, spanned, spans, type TimeRange, typedEnds, zoomedOut } from '../time/time-range.ts'
import { AbsoluteRange } from './absolute-range.tsx'
import { datesOf, inClock, shownRange } from './shown-range.ts'
import { histogramKey } from './time-fold.ts'
import { TimeHistogram } from './time-histogram.tsx'
import type { TimedTable } from './timed-table.ts'

/**
 * The time that the rows are limited to, its histogram, and the live tail. For a table with a date column, and
 * for one that had a date column when its range was chosen.
 */
export function TimeBar(props: {
	readonly table: TimedTable
	readonly isActive: boolean
	/** The choice of the live tail. */
	readonly live: JSX.Element
	/** Keeps the rows with a value. */
	onPart(column: Column, value: Cell): void
}): JSX.Element {
	const { query, rows, target, rangesBefore } = props.table
	const dates = createMemo(() => datesOf(rows.columns()))
	const zone = () => props.table.timeZone()
	const range = (): TimeRange => shownRange(query.time(), dates(), zone())
	const hasZone = () => dates().find(({ name }) => name === range().column)?.zone !== 'none'
	const { timeFold } = props.table
	const isLost = () => rows.columns().length > 0 && !dates().some(({ name }) => name === range().column)
	const choices = () => [...(isLost() ? [range().column] : []), ...dates().map(({ name }) => name)]
	function change(part: Partial<TimeRange>): void {
		const [old, next] = [range(), inClock({ ...range(), ...part, isOpening: undefined }, dates())]
		if ((['column', 'span', 'from', 'to'] as const).some(name => old[name] !== next[name])) rangesBefore.add(old)
		query.setTime(next)
	}
	function back(): void {
		const last = rangesBefore.take()
		if (last) query.setTime(last)
	}
	/** The end that the range got when the user switched from one without an end. */
	let switchedAt: string | undefined
	function chooseSpan(span: Span): void {
		const [now, before] = [Date.now(), range()]
		const chosen = spanned(before, span, now)
		if (before.span !== 'between') switchedAt = endsOf(before, now).to === undefined ? chosen.to : undefined
		change(chosen)
	}
	/** Says why a table opened at a time in the past. */
	function openedAt(): string {
		const { isOpening, span, to } = range()
		if (!isOpening || span !== 'between') return ''
		return `Newest: ${dateIn(Date.parse(to) - 1, zoneOf(range().clock))}`
	}
	const wider = () => zoomedOut(range(), Date.now())
	const zoomOut = () => change(wider() ?? {})
	const fold = createFold(histogramKey(target), () => props.table.isInTime())
	function toggleHistogram(): void {
		if (!timeFold.isShown()) timeFold.open()
		fold.toggle()
	}
	useCommands(() =>
		props.isActive && timeFold.isAvailable()
			? [
					{ id: 'table.time', title: 'Time range …', run: timeFold.open },
					{
						id: 'table.zoomOut',
						title: 'Zoom out: a longer time range',
						keys: ['Alt+Shift+Z'],
						isAvailable: () => wider() !== undefined,
						run: zoomOut,
					},
					{
						id: 'table.rangeBefore',
						title: 'Back to the range before',
						keys: ['Alt+Shift+B'],
						isAvailable: rangesBefore.hasAny,
						run: back,
					},
					{ id: 'table.histogram', title: 'Show or hide the histogram of time', run: toggleHistogram },
				]
			: [],
	)
	/** The zones to choose from, each once: that of the engine's days, UTC, and that of this computer. */
	const clocks = (): readonly Clock[] =>
		[zone() ?? 'utc', 'utc', 'local'].filter(
			(clock, at, all) => all.findIndex(one => zoneOf(one) === zoneOf(clock)) === at,
		)
	function otherClock(): Clock {
		const at = clocks().findIndex(clock => zoneOf(clock) === zoneOf(range().clock))
		return clocks()[(at + 1) % clocks().length] ?? 'utc'
	}
	return (
		<Show when={timeFold.isShown()}>
			<div class="time-bar" role="group" aria-label="Time">
				<div class="time-line">
					<Clock3 size={14} class="quiet" />
					<select
						aria-label="Time column"
						class="time-column"
						title={
							isLost()
								? `${range().column} is no date that can be sorted any more. Its range still applies.`
								: range().column
						}
						value={range().column}
						onChange={event =>
							change({ column: event.currentTarget.value, ...(!hasZone() && { clock: zone() ?? 'utc' }) })
						}
					>
						<For each={choices()}>
							{name => (
								<option value={name} selected={name === range().column}>
									{isLost() && name === range().column ? `${name} (no date)` : name}
								</option>
							)}
						</For>
					</select>
					<select
						ref={timeFold.setRange}
						aria-label="Time range"
						classList={{ 'is-set': range().span !== 'all' }}
						onChange={event => chooseSpan(event.currentTarget.value as Span)}
					>
						<For each={spans}>
							{([span, label]) => (
								<option value={span} selected={span === range().span}>
									{/* The two dates stand beside it. */}
									{span === 'between' && range().span === span ? 'Range' : label}
								</option>
							)}
						</For>
					</select>
					<Show when={range().span === 'between'}>
						<AbsoluteRange range={range()} onChange={ends => change(typedEnds(ends, range(), switchedAt))} />
					</Show>
					<Show when={hasZone()}>
						<button
							type="button"
							class="button time-zone"
							aria-label={`Zone: ${clockName(range().clock)}`}
							title={
								clocks().length === 1
									? 'The zone of this computer is UTC.'
									: `The range and the histogram are in ${clockName(range().clock)}; cells and the query stay as stored; Settings > Appearance shows local times beside them. Click for ${clockName(otherClock())}.`
							}
							onClick={() => change({ clock: otherClock() })}
						>
							{clockName(range().clock)}
						</button>
					</Show>
					<IconButton
						label="Histogram of time"
						word="Histogram"
						isSmall
						isPressed={fold.isOpen()}
						onClick={fold.toggle}
					>
						<ChartColumn size={14} />
					</IconButton>
					{/* At the end, so that nothing moves when they come. Their range takes the focus when they go. */}
					<Show when={rangesBefore.hasAny()}>
						<IconButton
							label="Back to the range before"
							word="Back"
							tip={`Back to the range before (${keysText('Alt+Shift+B')})`}
							isSmall
							onClick={() => {
								back()
								if (!rangesBefore.hasAny()) timeFold.open()
							}}
						>
							<Undo2 size={14} />
						</IconButton>
					</Show>
					<Show when={wider()}>
						<IconButton
							label="Zoom out"
							word="Zoom out"
							tip={`Zoom out: a longer time range (${keysText('Alt+Shift+Z')})`}
							isSmall
							onClick={() => {
								zoomOut()
								if (!wider()) timeFold.open()
							}}
						>
							<ZoomOut size={14} />
						</IconButton>
					</Show>
					<span class="time-rest quiet" title={openedAt()}>
						{openedAt()}
					</span>
					{props.live}
				</div>
			</div>
			<Show when={fold.isOpen() && dates().find(({ name }) => name === range().column)}>
				{column => (
					<TimeHistogram
						table={props.table}
						range={range()}
						column={column()}
						onRange={(from, to) => change({ span: 'between', from, to })}
						onReset={() => change({ span: 'all' })}
						onBack={rangesBefore.hasAny() ? back : undefined}
						onPart={props.onPart}
					/>
				)}
			</Show>
		</Show>
	)
}

/** Whether the histogram of a table is shown; remembered. */
function createFold(key: string, isUsual: () => boolean) {
	const preferences = usePreferences()
	const [chosen, setOpen] = createSignal(preferences.get(key))
	function choose(next: boolean): void {
		preferences.set(key, next)
		setOpen(next)
	}
	// What was shown once stays, also when the table is opened again in another order.
	createEffect(() => typeof chosen() !== 'boolean' && isUsual() && choose(true))
	const isOpen = () => chosen() === true
	return { isOpen, toggle: () => choose(!isOpen()) }
}
