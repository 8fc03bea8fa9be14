import { createCurrentLine } from '../controls/current-line.ts'

/** Typed letters belong together for this long. */
const typingMs = 700

/** A long list of buttons as one tab stop: arrows, Home, End, pages and typed letters move the focus in it. */
export function createListKeys(list: {
	count(): number
	textAt(index: number): string
	/** Identifies the item of a line. */
	keyAt(index: number): string | undefined
	/** Lines that fit into the view. */
	pageSize(): number
	/** Indices of the lines that are drawn. */
	drawn(): readonly number[]
	/** Draws a line and scrolls it into view. */
	reveal(index: number): void
	elementAt(index: number): HTMLElement | null
}) {
	const line = createCurrentLine(list)
	const current = line.at
	let typed = ''
	let typedAt = 0

	/** The line that Tab reaches: the last one with the focus, or the first that is drawn. */
	const stop = () => {
		const drawn = list.drawn()
		return drawn.includes(current()) ? current() : drawn[0]
	}

	function go(index: number): void {
		const next = Math.max(0, Math.min(index, list.count() - 1))
		line.set(next)
		list.reveal(next)
		const focus = () => list.elementAt(next)?.focus({ preventScroll: true })
		if (list.elementAt(next)) focus()
		else requestAnimationFrame(focus)
	}

	/** Goes to the next line that begins with the typed letters; one letter again and again steps through its lines. */
	function find(letter: string): void {
		typed = performance.now() - typedAt > typingMs ? letter : typed + letter
		typedAt = performance.now()
		const isOneLetter = [...typed].every(other => other === letter)
		const wanted = (isOneLetter ? letter : typed).toLowerCase()
		const from = current() + (isOneLetter ? 1 : 0)
		for (let step = 0; step < list.count(); step++) {
			const index = (from + step) % list.count()
			if (list.textAt(index).toLowerCase().startsWith(wanted)) return go(index)
		}
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.altKey || event.metaKey) return
		const now = current()
		const target = {
			ArrowDown: now + 1,
			ArrowUp: now - 1,
			PageDown: now + list.pageSize(),
			PageUp: now - list.pageSize(),
			Home: 0,
			End: list.count() - 1,
		}[event.key]
		const isLetter = event.key.length === 1 && event.key !== ' '
		if (target === undefined && !isLetter) return
		event.preventDefault()
		if (target === undefined) find(event.key)
		else go(target)
	}

	return {
		onKeyDown,
		onFocus: (index: number) => line.set(index),
		/** For the element around the lines. */
		around: { onFocusIn: line.onFocusIn, onFocusOut: line.onFocusOut },
		/** Moves the focus to a line. */
		go,
		tabIndex: (index: number) => (index === stop() ? 0 : -1),
	}
}
