import { createSignal, onCleanup } from 'solid-js'
import { keep, plain } from '../../state/keep.ts'
import type { Records } from '../../state/records.ts'
import { isTimeRange, type TimeRange } from '../time/time-range.ts'

/** Ranges that a user steps back through. */
const most = 20

export type RangesBefore = ReturnType<typeof keepRangesBefore>

/** The ranges of time before the present one, the last one at the end. They outlive the window, and are of it alone. */
export function keepRangesBefore(records: Records, key: string) {
	const [all, setAll] = createSignal<readonly TimeRange[]>([])
	onCleanup(records.own(key))
	keep(records, key, {
		read: () => (all().length === 0 ? null : plain(all())),
		take(value) {
			const ranges: readonly unknown[] = Array.isArray(value) ? value : []
			setAll(ranges.filter(isTimeRange))
		},
	})
	return {
		hasAny: () => all().length > 0,
		add: (range: TimeRange) => void setAll(all => [...all, range].slice(-most)),
		/** Takes the last one away and returns it. */
		take(): TimeRange | undefined {
			const last = all().at(-1)
			setAll(all => all.slice(0, -1))
			return last
		},
	}
}
