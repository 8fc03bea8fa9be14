import { createEffect, createSignal, onCleanup } from 'solid-js'

const [shown, setShown] = createSignal(0)

/** Whether a pane is shown beside the rows of a tab, so that they lack its width. */
export const isPaneBeside = () => shown() > 0

/** Counts a pane while it is shown. Its owner disposes the count. */
export function countPane(isShown: () => boolean): void {
	createEffect(() => {
		if (!isShown()) return
		setShown(count => count + 1)
		onCleanup(() => setShown(count => count - 1))
	})
}
