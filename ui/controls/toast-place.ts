import { createSignal, onCleanup } from 'solid-js'

/** Distance to the edges of the window. The line of the connection is below it. */
const edge = { right: 16, bottom: 34 }
/** Distance to what the messages make room for. */
const gap = 8

/** Elements whose actions no message covers. */
const kept = 'footer, [role="toolbar"], [data-foot]'

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
interface Size {
	readonly width: number
	readonly height: number
}

/**
 * Returns the lowest distance to the lower edge at which a box at the right edge covers none of the others. If there is
 * none, it stays at the lower edge.
 */
export function freeBottom(size: Size, window: Size, others: readonly Box[]): number {
	const left = window.width - edge.right - size.width
	let bottom = edge.bottom
	const inTheWay = others
		.filter(other => other.right > left && other.left < window.width - edge.right && other.bottom > other.top)
		.toSorted((a, b) => b.bottom - a.bottom)
	for (const { top, bottom: end } of inTheWay) {
		const below = window.height - bottom
		if (end + gap > below - size.height && top < below) bottom = window.height - top + gap
	}
	return bottom + size.height > window.height ? edge.bottom : bottom
}

/** Keeps the messages away from the actions of bars and dialogs, also of those that appear later. */
export function createToastPlace(list: () => HTMLElement) {
	const [bottom, setBottom] = createSignal(edge.bottom)
	let frame = 0
	function measure(): void {
		frame = 0
		const { width, height } = list().getBoundingClientRect()
		if (height === 0) return
		const others = [...document.querySelectorAll<HTMLElement>(kept)].filter(one => one.checkVisibility())
		const boxes = others.map(one => one.getBoundingClientRect())
		setBottom(freeBottom({ width, height }, { width: innerWidth, height: innerHeight }, boxes))
	}
	const later = () => {
		frame ||= requestAnimationFrame(measure)
	}
	/** Watches the window while there are messages. */
	function watch(): void {
		measure()
		const observer = new MutationObserver(later)
		observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['class', 'hidden', 'style'] })
		window.addEventListener('resize', later)
		onCleanup(() => {
			observer.disconnect()
			window.removeEventListener('resize', later)
			cancelAnimationFrame(frame)
			frame = 0
		})
	}
	return { bottom, watch }
}
