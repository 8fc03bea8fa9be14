import { createEffect, createSignal, untrack } from 'solid-js'

/** The current line of a list that may be reloaded at any time. */
export interface CurrentLine {
	/** Index of the line. */
	at(): number
	/** Identifies its item, before and after a reload; `undefined` until a line was reached. */
	key(): string | undefined
	set(index: number): void
	/** For the element around the lines. */
	readonly onFocusIn: () => void
	readonly onFocusOut: (event: FocusEvent) => void
}

/**
 * Keeps the current line, and the focus on it, while lines come and go: it follows its item to another index. If the item
 * is gone, the line at its index becomes the current one.
 */
export function createCurrentLine(list: {
	count(): number
	/** Identifies the item of a line. */
	keyAt(index: number): string | undefined
	/** Returns the element of a line, if it is drawn. */
	elementAt(index: number): HTMLElement | null
}): CurrentLine {
	const [at, setAt] = createSignal(0)
	let key: string | undefined
	let hasFocus = false

	function set(index: number): void {
		key = untrack(() => list.keyAt(index))
		setAt(index)
	}

	createEffect(() => {
		const count = list.count()
		const before = untrack(at)
		if (key === undefined || count === 0) return
		let index = list.keyAt(before) === key ? before : -1
		for (let place = 0; index < 0 && place < count; place++) if (list.keyAt(place) === key) index = place
		set(index < 0 ? Math.min(before, count - 1) : index)
		if (hasFocus) queueMicrotask(() => focus() || requestAnimationFrame(focus))
	})

	/** Focuses the line if it is drawn. A reload does not scroll. @returns whether it is drawn */
	function focus(): boolean {
		const element = list.elementAt(at())
		element?.focus({ preventScroll: true })
		return element !== null
	}

	return {
		at,
		key: () => key,
		set,
		onFocusIn: () => {
			hasFocus = true
		},
		onFocusOut: ({ currentTarget, target, relatedTarget }) => {
			// An element that is removed loses the focus without the user.
			queueMicrotask(() => {
				const isRemoved = relatedTarget === null && target instanceof Node && !target.isConnected
				const isInside = currentTarget instanceof Node && currentTarget.contains(document.activeElement)
				if (!isRemoved && !isInside) hasFocus = false
			})
		},
	}
}
