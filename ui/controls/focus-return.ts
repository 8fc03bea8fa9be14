/** Where the person works, in the tab in front: the grid, or the editor. */
const work = 'main [role="grid"], main [contenteditable="true"]'

/**
 * What gives the focus back to whoever has it now, for a sheet that closes: Kobalte gives it to a sheet's trigger, and
 * ours have none. What is done when it closes may have taken the focus elsewhere, and then it stays there; where the
 * element has gone, it goes to where the person works.
 */
export function focusReturn(): (event: Event) => void {
	const before = document.activeElement
	return event => {
		event.preventDefault()
		if (document.activeElement !== document.body && document.activeElement !== null) return
		const isThere = before instanceof HTMLElement && before !== document.body && before.checkVisibility()
		const places = [...document.querySelectorAll<HTMLElement>(work)]
		const to = isThere ? before : places.find(place => place.checkVisibility())
		to?.focus({ preventScroll: true })
	}
}
