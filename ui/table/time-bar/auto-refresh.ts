import { createEffect, createSignal, onCleanup } from 'solid-js'

/** Intervals of the automatic refresh in seconds, with their labels. */
export const refreshIntervals: readonly (readonly [seconds: number, label: string])[] = [
	[0, 'Refresh: off'],
	[5, 'Every 5 s'],
	[10, 'Every 10 s'],
	[60, 'Every 1 min'],
	[300, 'Every 5 min'],
]

/** Runs `refresh` at an interval, but not while the user pauses it or `busyWith` gives a reason. */
export function createAutoRefresh(options: {
	/** What the user does with the rows, as the end of a sentence; a refresh could move these rows. */
	busyWith(): string | undefined
	/** Whether to skip a refresh silently: the tab is hidden, or rows are being read. */
	isSilent(): boolean
	refresh(): void
}) {
	const [seconds, setSeconds] = createSignal(0)
	const [isPaused, setPaused] = createSignal(false)
	const reason = () => (isPaused() ? 'by you' : options.busyWith())
	createEffect(() => {
		if (seconds() === 0 || reason() !== undefined) return
		const timer = setInterval(() => {
			if (!options.isSilent()) options.refresh()
		}, seconds() * 1000)
		onCleanup(() => clearInterval(timer))
	})
	return {
		seconds,
		/** Chooses an interval, which ends a pause. 0 is off. */
		choose(next: number): void {
			setPaused(false)
			setSeconds(next)
		},
		setPaused,
		isPaused,
		/** Why it waits, if it is on and does. */
		waitsFor: () => (seconds() === 0 ? undefined : reason()),
	}
}
