import { onCleanup, onMount } from 'solid-js'

/** Has the browser ask before the window is closed or loaded anew, as long as something would be lost. */
export function askBeforeLeaving(wouldLose: () => boolean): void {
	const ask = (event: BeforeUnloadEvent) => {
		if (wouldLose()) event.preventDefault()
	}
	onMount(() => addEventListener('beforeunload', ask))
	onCleanup(() => removeEventListener('beforeunload', ask))
}
