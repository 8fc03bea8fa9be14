import { createSignal } from 'solid-js'
import type { PaneSide } from './tab-panes.ts'

/** No other program can drop this. */
const type = 'application/x-roundhouse-tab'

/** Drags tabs to the left or the right pane. While there is one pane, its right half opens the second one. */
export function createTabDrag(options: {
	area(): HTMLElement | undefined
	isSplit(): boolean
	/** The left pane's share in percent. */
	share(): number
	onDrop(id: string, side: PaneSide): void
}) {
	const [target, setTarget] = createSignal<PaneSide>()
	const isTab = (event: DragEvent) => event.dataTransfer?.types.includes(type) === true

	function sideAt(event: DragEvent): PaneSide {
		const { left = 0, width = 0 } = options.area()?.getBoundingClientRect() ?? {}
		return event.clientX - left < (width * (options.isSplit() ? options.share() : 50)) / 100 ? 'left' : 'right'
	}

	return {
		/** The pane that would take the dragged tab. */
		target,
		begin(event: DragEvent, id: string): void {
			event.dataTransfer?.setData(type, id)
			if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
		},
		onDragOver(event: DragEvent): void {
			if (!isTab(event)) return
			event.preventDefault()
			setTarget(sideAt(event))
		},
		onDragLeave(event: DragEvent): void {
			if (!options.area()?.contains(event.relatedTarget as Node | null)) setTarget(undefined)
		},
		onDrop(event: DragEvent): void {
			setTarget(undefined)
			const id = event.dataTransfer?.getData(type)
			if (!id) return
			event.preventDefault()
			options.onDrop(id, sideAt(event))
		},
	}
}
