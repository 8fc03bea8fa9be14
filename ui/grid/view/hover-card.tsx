import { isCutCell, isUnreadCell } from '@roundhouse/kit/cell'
import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import type { Cell, Column } from '../../../host/api/api.ts'
import { copyText } from '../../cells/cell-text.ts'
import { dateWords } from '../../cells/date-words.ts'
import { editText } from '../../cells/edit-text.ts'
import { counted, groupedDigits } from '../../words/format.ts'

/** How long the pointer rests on a cell before its whole text shows. */
const showDelayMs = 450

/** Time to move from the cell to the card. */
const leaveMs = 160

/** More text is read in a dialog. */
const shownLength = 2_000

/** How long the focus rests on a cell before its whole text shows. */
const focusRestMs = 700

interface Card {
	readonly text: string
	/** What the digits or the date say: separators, local and relative time. */
	readonly words: string | undefined
	readonly length: number
	readonly isMore: boolean
	readonly isFocus: boolean
	readonly style: JSX.CSSProperties
}

/** A cell with the kind of its column. */
interface ShownCell {
	readonly cell: Cell
	readonly kind: Column['kind']
}

/**
 * Shows the whole text of a cell that is wider than its column, the times of a date, and long digits with separators,
 * while the pointer or the focus rests on it.
 */
export function createHoverCard(cellAt: (row: number, column: number) => ShownCell | undefined) {
	const [card, setCard] = createSignal<Card>()
	let timer: ReturnType<typeof setTimeout> | undefined
	const later = (work: () => void, ms: number) => {
		clearTimeout(timer)
		timer = setTimeout(work, ms)
	}
	/** The pointer's target after a real movement. A cell that is drawn under a resting pointer opens nothing. */
	let pointed: Element | null = null
	let place = ''
	const hide = () => {
		clearTimeout(timer)
		setCard(undefined)
	}
	/** The next target starts again, also if it is the same. */
	const leave = () => {
		pointed = null
		later(hide, leaveMs)
	}
	onCleanup(hide)

	function show(element: HTMLElement, isFocus: boolean): void {
		const row = Number(element.closest<HTMLElement>('[data-row]')?.dataset.row)
		const shown = cellAt(row, Number(element.dataset.column))
		if (shown === undefined || !element.isConnected) return
		const { cell } = shown
		const words = wordsOf(shown)
		if (words === undefined && element.scrollWidth <= element.clientWidth) return
		const whole = textOf(cell)
		const grid = element.closest('[role="grid"]') ?? document.documentElement
		const style = placeOf(element.getBoundingClientRect(), grid.getBoundingClientRect())
		const isMore = whole.length > shownLength || (isCutCell(cell) && !isUnreadCell(cell))
		setCard({ text: whole.slice(0, shownLength), words, length: lengthOf(cell, whole), isMore, isFocus, style })
	}

	return {
		hide,
		onPointerMove(event: PointerEvent): void {
			if (event.pointerType === 'touch' || event.buttons !== 0) return
			const before = place
			place = `${event.screenX} ${event.screenY}`
			if (place === before) return
			const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null
			if (element === pointed) return
			pointed = element
			later(
				() => {
					setCard(undefined)
					if (element?.closest('[data-row]')) show(element, false)
				},
				card() === undefined ? showDelayMs : leaveMs,
			)
		},
		onPointerLeave: leave,
		/** The focus moved to another cell. */
		onMoved(cell: () => HTMLElement | null): void {
			later(() => {
				const element = cell()
				if (element) show(element, true)
			}, focusRestMs)
		},
		/** The focus left the grid: nothing rests on the cell. The card itself can have the focus, to be scrolled. */
		onFocusOut({ currentTarget, relatedTarget }: FocusEvent): void {
			const isGrid =
				currentTarget instanceof Element && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
			const isCard = relatedTarget instanceof Element && relatedTarget.closest('.hover-card') !== null
			if (!isGrid && !isCard) hide()
		},
		onScroll(): void {
			pointed = null
			hide()
		},
		view: (): JSX.Element => (
			<Show when={card()}>
				{shown => (
					<Portal>
						<div
							class="hover-card"
							classList={{ 'of-focus': shown().isFocus }}
							role="tooltip"
							// What does not fit is scrolled, by keys too.
							tabindex={0}
							style={shown().style}
							onPointerEnter={() => clearTimeout(timer)}
							onPointerLeave={leave}
						>
							<Show when={shown().text}>{text => <pre>{text()}</pre>}</Show>
							<Show when={shown().words}>{words => <p class="hint">{words()}</p>}</Show>
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

/** Below the cell, or above it if there is more room; over the grid only, because what is below must stay clickable. */
function placeOf({ left, top, bottom }: DOMRect, grid: DOMRect): JSX.CSSProperties {
	const x = `${Math.max(8, Math.min(left, window.innerWidth - 440))}px`
	return grid.bottom - bottom < top - grid.top
		? { left: x, bottom: `${window.innerHeight - top}px`, 'max-height': `${top - grid.top}px` }
		: { left: x, top: `${bottom}px`, 'max-height': `${grid.bottom - bottom}px` }
}

/** Digits that a double cannot hold have separators, a date its local and relative time, and an absent value its reason. */
function wordsOf({ cell, kind }: ShownCell): string | undefined {
	if (isUnreadCell(cell)) return 'This value is large, so the grid does not load it. Alt-Enter loads and opens it.'
	if (kind === 'date') return dateWords(cell)
	return typeof cell === 'object' && cell !== null && 'number' in cell ? groupedDigits(cell.number) : undefined
}

/** A cut value is no longer JSON. */
function textOf(cell: Cell): string {
	return typeof cell === 'object' && cell !== null && 'json' in cell && !isCutCell(cell)
		? editText('json', cell)
		: copyText(cell)
}

function lengthOf(cell: Cell, whole: string): number {
	const isCutText = typeof cell === 'object' && cell !== null && 'cutFrom' in cell && !('bytes' in cell)
	return isCutText ? (cell.cutFrom ?? whole.length) : whole.length
}
