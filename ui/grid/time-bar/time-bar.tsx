import ChartColumn from 'lucide-solid/icons/chart-column'
import Clock3 from 'lucide-solid/icons/clock-3'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { Column } from '../../../host/api/api.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { useCommands } from '../../state/commands.tsx'
import { usePreferences } from '../../state/host.tsx'
import { type Clock, clockName } from '../time/moment.ts'
import { type Span, spanned, spans, type TimeRange } from '../time/time-range.ts'
import { AbsoluteRange } from './absolute-range.tsx'
import { TimeHistogram } from './time-histogram.tsx'
import type { TimedTable } from './timed-table.ts'

/** The time that the rows are limited to, its histogram, and the automatic refresh. For a table with a date column. */
export function TimeBar(props: {
	readonly table: TimedTable
	readonly isActive: boolean
	/** The choice of the automatic refresh. */
	readonly refresh: JSX.Element
}): JSX.Element {
	const { query, rows, target } = props.table
	const dates = createMemo(() => rows.columns().filter(({ kind, isSortable }) => kind === 'date' && isSortable))
	const range = (): TimeRange => rangeOf(query.time(), dates())
	const change = (part: Partial<TimeRange>) => query.setTime({ ...range(), ...part })
	const fold = createFold(`histogram/${target.connection}/${target.table}`)
	let choice: HTMLSelectElement | undefined
	useCommands(() =>
		props.isActive && dates().length > 0
			? [
					{ id: 'table.time', title: 'Time range …', run: () => choice?.focus() },
					{ id: 'table.histogram', title: 'Show or hide the histogram of time', run: fold.toggle },
				]
			: [],
	)
	const otherClock = (): Clock => (range().clock === 'utc' ? 'local' : 'utc')
	return (
		<Show when={dates().length > 0}>
			<div class="time-bar" role="group" aria-label="Time">
				<div class="time-line">
					<Clock3 size={14} class="quiet" />
					<select
						aria-label="Time column"
						class="time-column"
						title={range().column}
						value={range().column}
						onChange={event => change({ column: event.currentTarget.value })}
					>
						<For each={dates()}>
							{({ name }) => (
								<option value={name} selected={name === range().column}>
									{name}
								</option>
							)}
						</For>
					</select>
					<select
						ref={choice}
						aria-label="Time range"
						classList={{ 'is-set': range().span !== 'all' }}
						onChange={event => change(spanned(range(), event.currentTarget.value as Span, Date.now()))}
					>
						<For each={spans}>
							{([span, label]) => (
								<option value={span} selected={span === range().span}>
									{label}
								</option>
							)}
						</For>
					</select>
					<Show when={range().span === 'between'}>
						<AbsoluteRange range={range()} onChange={change} />
					</Show>
					<button
						type="button"
						class="button time-zone"
						aria-label={`Zone: ${clockName(range().clock)}`}
						title={
							clockName('local') === clockName('utc')
								? 'The zone of this computer is UTC.'
								: `Times are in ${clockName(range().clock)}. Click for ${clockName(otherClock())}.`
						}
						onClick={() => change({ clock: otherClock() })}
					>
						{clockName(range().clock)}
					</button>
					<IconButton label="Histogram of time" isSmall isPressed={fold.isOpen()} onClick={fold.toggle}>
						<ChartColumn size={14} />
					</IconButton>
					{props.refresh}
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
					/>
				)}
			</Show>
		</Show>
	)
}

/** Returns the chosen range, with another column if the table lost its own. */
function rangeOf(chosen: TimeRange | undefined, dates: readonly Column[]): TimeRange {
	if (chosen && dates.some(({ name }) => name === chosen.column)) return chosen
	const usual = dates.find(({ name }) => /^@?timestamp$/i.test(name)) ?? dates[0]
	return { clock: 'utc', span: 'all', from: '', to: '', ...chosen, column: usual?.name ?? '' }
}

/** Whether the histogram of a table is shown; remembered. */
function createFold(key: string) {
	const preferences = usePreferences()
	const [isOpen, setOpen] = createSignal(preferences.get(key) === true)
	return {
		isOpen,
		toggle(): void {
			preferences.set(
				key,
				setOpen(isOpen => !isOpen),
			)
		},
	}
}
