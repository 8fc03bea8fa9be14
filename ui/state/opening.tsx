import { createEffect, createSignal, type JSX, onCleanup } from 'solid-js'
import { OpeningContext } from './task.ts'

const mostHiddenMs = 1_000

/**
 * Shows the parts of a page together, when each has read what it shows, or after a second. A part that appeared later
 * would move those below it while the user aims at them.
 */
export function OpensTogether(props: { readonly children: JSX.Element }): JSX.Element {
	const [reading, setReading] = createSignal(0)
	const [isOpen, setOpen] = createSignal(false)
	const begin = () => {
		setReading(count => count + 1)
		return () => void setReading(count => count - 1)
	}
	createEffect(() => reading() === 0 && setOpen(true))
	const timer = setTimeout(setOpen, mostHiddenMs, true)
	onCleanup(() => clearTimeout(timer))
	return (
		<OpeningContext.Provider value={begin}>
			<div class="opens-together" classList={{ 'is-opening': !isOpen() }}>
				{props.children}
			</div>
		</OpeningContext.Provider>
	)
}
