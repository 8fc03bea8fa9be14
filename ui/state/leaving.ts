import { onCleanup, onMount } from 'solid-js'

/** Makes the browser ask before the window closes or reloads while something would be lost. */
export function askBeforeLeaving(wouldLose: () => boolean): void {
	const ask = (event: BeforeUnloadEvent) => {
		if (wouldLose()) event.preventDefault()
	}
	onMount(() => addEventListener('beforeunload', ask))
	onCleanup(() => removeEventListener('beforeunload', ask))
}
