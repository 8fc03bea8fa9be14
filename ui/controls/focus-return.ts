import { type JSX, onCleanup } from 'solid-js'

/** The main element of the active tab: the grid or the editor. */
const work = 'main [role="grid"], main [contenteditable="true"]'

/** Returns the grid or the editor that has the nearest part of the page in common with an element. */
function workAround(element: Element | null): HTMLElement | undefined {
	for (let part = element; part; part = part.parentElement) {
		const found = part.querySelector<HTMLElement>(work)
		if (found) return found
	}
	return undefined
}

/**
 * Returns a function that restores the focus, for parts that close: Kobalte restores it to a trigger, and our sheets
 * have none. If the action moved the focus, it stays there. If the element is gone or disabled, the focus goes to the
 * grid or the editor beside which it was. A second call, by Kobalte's own event, corrects what happened in between.
 */
export function focusReturn(): (event?: Event) => void {
	const before = document.activeElement
	const beside = workAround(before)
	return event => {
		event?.preventDefault()
		if (document.activeElement !== document.body && document.activeElement !== null) return
		const isThere = before instanceof HTMLElement && before !== document.body && before.checkVisibility()
		const places = [...(beside ? [beside] : []), ...document.querySelectorAll<HTMLElement>(work)]
		for (const to of [...(isThere ? [before] : []), ...places.filter(place => place.checkVisibility())]) {
			to.focus({ preventScroll: true })
			// A button that is disabled meanwhile does not take it.
			if (document.activeElement === to) return
		}
	}
}

/**
 * Runs as soon as its element leaves the page. Kobalte reports closing from a timer, and fast typing arrives before
 * timers.
 */
export function OnceGone(props: { run(): void }): JSX.Element {
	onCleanup(() => queueMicrotask(props.run))
	return undefined
}

/** For parts that close before they act: restores the focus, which the action may then move. */
export function choiceOnceGone() {
	let giveFocusBack = focusReturn()
	let chosen = () => {}
	return {
		/** Called when it opens or closes. */
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
 * Focuses the first of these elements in what opens, unless the focus is inside already. It runs after Solid has
 * finished, because a sheet below would take the focus back until then, and before any key, unlike Kobalte's timer.
 */
export function focusFirst(event: Event, container: HTMLElement, ...selectors: readonly string[]): void {
	const [first = container] = selectors.flatMap(selector => container.querySelector<HTMLElement>(selector) ?? [])
	event.preventDefault()
	queueMicrotask(() => {
		if (!container.contains(document.activeElement)) first.focus({ preventScroll: true })
	})
}

const focusable =
	':is(button, input, select, textarea, a[href], [tabindex="0"], [contenteditable="true"]):not(:disabled)'

/**
 * Moves the focus to the nearest part that is left when the focused element is removed, for example with the filter that
 * its button removes. The browser would give it to the body, where keys reach nothing.
 */
export function keepFocusIn(root: HTMLElement): void {
	/** The focused element and what is around it, from the inside. */
	let trail: readonly Element[] = []
	root.addEventListener('focusin', ({ target }) => {
		const around: Element[] = []
		for (let part = target as Element | null; part && part !== root; part = part.parentElement) around.push(part)
		trail = [...around, root]
	})
	const isLost = () => document.activeElement === document.body && trail[0]?.isConnected === false
	let timer: ReturnType<typeof setTimeout> | undefined
	function give(): void {
		if (!isLost()) return
		const left = trail.find(part => part.isConnected)
		const places = [...(left?.querySelectorAll<HTMLElement>(focusable) ?? [])]
		places.find(place => place.checkVisibility())?.focus({ preventScroll: true })
	}
	const observer = new MutationObserver(() => {
		if (!isLost()) return
		clearTimeout(timer)
		// The action that removed the element may move the focus itself.
		timer = setTimeout(give, 50)
	})
	observer.observe(root, { childList: true, subtree: true })
	onCleanup(() => {
		observer.disconnect()
		clearTimeout(timer)
	})
}
