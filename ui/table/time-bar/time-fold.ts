import { createEffect, createMemo, createSignal } from 'solid-js'
import type { PreferenceStore } from '../../state/preferences.ts'
import type { TableQuery } from '../filter/table-query.ts'
import type { Rows } from '../rows/rows.ts'
import { datesOf } from './shown-range.ts'

/**
 * Whether the time bar of a table is shown. That of a log always is. For another table with a date, a button of the
 * toolbar opens it, and what is set in it keeps it open.
 */
export function createTimeFold(
	table: {
		readonly target: { readonly connection: string; readonly table: string }
		readonly query: TableQuery
		readonly rows: Rows
		readonly live: { isOn(): boolean }
		isInTime(): boolean
	},
	preferences: PreferenceStore,
) {
	const { query, rows, live } = table
	const hasDates = createMemo(() => datesOf(rows.columns()).length > 0)
	const [isOpen, setOpen] = createSignal(preferences.get(histogramKey(table.target)) === true)
	/** A range or the live tail must stay in view while it applies. */
	const isHeld = () => query.hasTime() || live.isOn()
	createEffect(() => isHeld() && setOpen(true))
	let range: HTMLElement | undefined
	function open(): void {
		setOpen(true)
		range?.focus()
	}
	return {
		isShown: () => query.hasTime() || (hasDates() && (table.isInTime() || isOpen())),
		/** Whether the toolbar has the button. */
		isOptional: () => hasDates() && !table.isInTime(),
		isAvailable: () => hasDates() || query.hasTime(),
		/** The choice of the range, which takes the focus when the bar opens. */
		setRange: (element: HTMLElement) => {
			range = element
		},
		/** Opens the bar, and goes to its range. */
		open,
		toggle: () => (isOpen() && !isHeld() ? setOpen(false) : open()),
	}
}
export type TimeFold = ReturnType<typeof createTimeFold>

/** The preference of whether the histogram of a table is shown. */
export const histogramKey = ({ connection, table }: { readonly connection: string; readonly table: string }) =>
	`histogram/${connection}/${table}`
