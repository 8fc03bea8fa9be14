import { createSignal } from 'solid-js'
import { followPointer } from '../controls/follow-pointer.ts'
import type { Box, Size } from './layout.ts'

const [smallest, largest, step] = [0.05, 2, 1.25]

/** The size of texts that the user has chosen. */
const fontScale = () => Number(getComputedStyle(document.documentElement).getPropertyValue('--font-scale')) || 1

/** The size at which a diagram is drawn, and the part of it in view. */
export function createZoom(canvas: () => HTMLElement, size: () => Size | undefined) {
	const [factor, setFactor] = createSignal(fontScale())
	/** Keeps a point of the canvas where it is. @param at from its top left corner */
	function zoomTo(next: number, at = { x: canvas().clientWidth / 2, y: canvas().clientHeight / 2 }): void {
		const bounded = Math.min(largest, Math.max(smallest, next))
		const grown = bounded / factor()
		const [left, top] = [(canvas().scrollLeft + at.x) * grown - at.x, (canvas().scrollTop + at.y) * grown - at.y]
		setFactor(bounded)
		canvas().scrollTo(left, top)
	}
	return {
		factor,
		/** Size of the drawn sheet, which scrolls. */
		room: () => ({
			width: `${(size()?.width ?? 0) * factor()}px`,
			height: `${(size()?.height ?? 0) * factor()}px`,
		}),
		in: () => zoomTo(factor() * step),
		out: () => zoomTo(factor() / step),
		/** Shows the whole diagram, at most in its full size. */
		fit(): void {
			const whole = size()
			if (!whole) return
			zoomTo(Math.min(1, canvas().clientWidth / whole.width, canvas().clientHeight / whole.height))
			canvas().scrollTo(0, 0)
		},
		/** Scrolls to the middle of a box. */
		reveal(box: Box | undefined): void {
			if (!box) return
			const middle = { x: (box.x + box.width / 2) * factor(), y: (box.y + box.height / 2) * factor() }
			canvas().scrollTo(middle.x - canvas().clientWidth / 2, middle.y - canvas().clientHeight / 2)
		},
		onWheel(event: WheelEvent): void {
			if (!event.ctrlKey && !event.metaKey) return
			event.preventDefault()
			const edge = canvas().getBoundingClientRect()
			const at = { x: event.clientX - edge.left, y: event.clientY - edge.top }
			zoomTo(factor() * (event.deltaY < 0 ? step : 1 / step), at)
		},
		/** Drags the sheet. */
		onPointerDown(event: PointerEvent): void {
			if (event.button !== 0) return
			const from = { left: canvas().scrollLeft, top: canvas().scrollTop, x: event.clientX, y: event.clientY }
			followPointer(moved => canvas().scrollTo(from.left + from.x - moved.clientX, from.top + from.y - moved.clientY))
		},
	}
}
