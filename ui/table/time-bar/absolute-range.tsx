import { createSignal, type JSX, Show } from 'solid-js'
import { DateInput } from '../time/date-input.tsx'
import { isRelative, printMoment, readMoment, shownMoment } from '../time/moment.ts'
import type { TimeRange } from '../time/time-range.ts'

/** The two ends of a range: dates in the zone that is shown, or times before now. An empty end is open. */
export function AbsoluteRange(props: {
	readonly range: TimeRange
	onChange(ends: Partial<TimeRange>): void
}): JSX.Element {
	return (
		<>
			<End of="from" label="From" range={props.range} onChange={props.onChange} />
			<span class="quiet">–</span>
			<End of="to" label="To" range={props.range} onChange={props.onChange} />
		</>
	)
}

function End(props: {
	readonly of: 'from' | 'to'
	readonly label: string
	readonly range: TimeRange
	onChange(ends: Partial<TimeRange>): void
}): JSX.Element {
	const [isInvalid, setInvalid] = createSignal(false)
	const shown = () => {
		const end = props.range[props.of]
		return end === '' || isRelative(end) ? end : shownMoment(Date.parse(end), props.range.clock)
	}
	function take(text: string): void {
		if (isRelative(text)) {
			setInvalid(false)
			return props.onChange({ [props.of]: text.trim() })
		}
		const moment = readMoment(text, props.range.clock)
		setInvalid(text.trim() !== '' && moment === undefined)
		if (isInvalid()) return
		props.onChange({ [props.of]: moment === undefined ? '' : printMoment(moment) })
	}
	return (
		<>
			<DateInput label={props.label} value={shown()} isInvalid={isInvalid()} onChange={take} />
			<Show when={isInvalid()}>
				<span class="time-fault" role="alert">
					Enter a date such as 2024-02-29 12:30, or a time such as now-3d.
				</span>
			</Show>
		</>
	)
}
