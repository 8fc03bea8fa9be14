import { type JSX, onCleanup } from 'solid-js'

/** Where the person works, in the tab in front: the grid, or the editor. */
const work = 'main [role="grid"], main [contenteditable="true"]'

/**
 * What gives the focus back to whoever has it now, for what closes: Kobalte gives it to a trigger, and our sheets have
 * none. What is done when it closes may have taken the focus elsewhere, and then it stays there; where the element has
 * gone, it goes to where the person works. Called again, by Kobalte's own event, it mends what came in between.
 */
export function focusReturn(): (event?: Event) => void {
	const before = document.activeElement
	return event => {
		event?.preventDefault()
		if (document.activeElement !== document.body && document.activeElement !== null) return
		const isThere = before instanceof HTMLElement && before !== document.body && before.checkVisibility()
		const places = [...document.querySelectorAll<HTMLElement>(work)]
		const to = isThere ? before : places.find(place => place.checkVisibility())
		to?.focus({ preventScroll: true })
	}
}

/**
 * Runs as soon as what it stands in is out of the page. Kobalte says that it has closed from a timer, and keys are heard
 * before timers: those of a fast hand would reach nobody.
 */
export function OnceGone(props: { run(): void }): JSX.Element {
	onCleanup(() => queueMicrotask(props.run))
	return undefined
}

/** For what closes before it acts: the focus goes back where it was, and what was chosen may take it elsewhere. */
export function choiceOnceGone() {
	let giveFocusBack = focusReturn()
	let chosen = () => {}
	return {
		/** It opened, or closes. */
		turned(isOpen: boolean): void {
			if (isOpen) giveFocusBack = focusReturn()
		},
		choose(run: () => void): void {
			chosen = run
		},
		gone(event?: Event): void {
			giveFocusBack(event)
			const run = chosen
			chosen = () => {}
			run()
		},
	}
}

/**
 * Puts the focus on the first of these in what opens, unless it is in there already. Once Solid is done: until then a
 * sheet below would take it back. And before any key, which Kobalte's timer is not.
 */
export function focusFirst(event: Event, container: HTMLElement, ...selectors: readonly string[]): void {
	const [first = container] = selectors.flatMap(selector => container.querySelector<HTMLElement>(selector) ?? [])
	event.preventDefault()
	queueMicrotask(() => {
		if (!container.contains(document.activeElement)) first.focus({ preventScroll: true })
	})
}
