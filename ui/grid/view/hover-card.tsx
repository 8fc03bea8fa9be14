import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { Cell } from '../../../host/ui-server/api.ts'
import { copyText, isCut } from '../../cells/cell-text.ts'
import { counted } from '../../words/format.ts'
import { editText } from '../edit/cell-input.ts'

/** A pointer that rests so long on a cell asks for the rest of it. */
const restMs = 450

/** Time to get from the cell into the card. */
const leaveMs = 160

/** More than this is read in a sheet of its own. */
const shownLength = 2_000

interface Card {
	readonly text: string
	readonly length: number
	readonly isMore: boolean
	readonly left: number
	readonly top: number
	readonly bottom: number
}

/** Shows the rest of a cell that is cut off by its width, where the pointer rests on it. */
export function createHoverCard(cellAt: (row: number, column: number) => Cell | undefined) {
	const [card, setCard] = createSignal<Card>()
	let timer: ReturnType<typeof setTimeout> | undefined
	const later = (work: () => void, ms: number) => {
		clearTimeout(timer)
		timer = setTimeout(work, ms)
	}
	const hide = () => {
		clearTimeout(timer)
		setCard(undefined)
	}
	onCleanup(hide)

	function show(element: HTMLElement): void {
		const row = Number(element.closest<HTMLElement>('[data-row]')?.dataset.row)
		const cell = cellAt(row, Number(element.dataset.column))
		if (cell === undefined || !element.isConnected || element.scrollWidth <= element.clientWidth) return
		const whole = textOf(cell)
		const { left, top, bottom } = element.getBoundingClientRect()
		const isMore = whole.length > shownLength || isCut(cell)
		setCard({ text: whole.slice(0, shownLength), length: lengthOf(cell, whole), isMore, left, top, bottom })
	}

	return {
		hide,
		onPointerOver(event: PointerEvent): void {
			const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null
			if (event.pointerType === 'touch' || event.buttons !== 0) return
			later(
				() => {
					setCard(undefined)
					if (element?.closest('[data-row]')) show(element)
				},
				card() === undefined ? restMs : leaveMs,
			)
		},
		onPointerLeave: () => later(hide, leaveMs),
		view: (): JSX.Element => (
			<Show when={card()}>
				{shown => (
					<Portal>
						<div
							class="hover-card"
							role="tooltip"
							style={placeOf(shown())}
							onPointerEnter={() => clearTimeout(timer)}
							onPointerLeave={() => later(hide, leaveMs)}
						>
							<pre>{shown().text}</pre>
							<Show when={shown().isMore}>
								<p class="hint">
									{counted(shown().length, { one: 'character', many: 'characters' })}; Alt-Enter opens it whole.
								</p>
							</Show>
						</div>
					</Portal>
				)}
			</Show>
		),
	}
}

/** Below the cell, or above it where there is more room. */
function placeOf({ left, top, bottom }: Card): JSX.CSSProperties {
	const x = `${Math.max(8, Math.min(left, window.innerWidth - 440))}px`
	return bottom > window.innerHeight * 0.6
		? { left: x, bottom: `${window.innerHeight - top}px`, 'max-height': `${top - 8}px` }
		: { left: x, top: `${bottom}px`, 'max-height': `${window.innerHeight - bottom - 8}px` }
}

/** JSON that was cut is no JSON any more. */
function textOf(cell: Cell): string {
	return typeof cell === 'object' && cell !== null && 'json' in cell && !isCut(cell)
		? editText('json', cell)
		: copyText(cell)
}

function lengthOf(cell: Cell, whole: string): number {
	return typeof cell === 'object' && cell !== null && 'cutFrom' in cell ? (cell.cutFrom ?? whole.length) : whole.length
}
