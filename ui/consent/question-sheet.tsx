import { createSignal, createUniqueId, type JSX, onCleanup, onMount } from 'solid-js'
import { Portal } from 'solid-js/web'

/**
 * For so long a new question takes no answer from a key and no yes at all: it came under hands that were busy with
 * something else, and a word half typed must neither refuse nor allow.
 */
const settleMs = 1000

/**
 * A question from outside, at the top of the window and above all else. It takes no keystroke that was meant for
 * something else: the focus stays with whoever is typing (F6 goes to the sheet), and nothing but its own buttons, and
 * Escape while the focus is in it, answers it.
 */
export function QuestionSheet(props: {
	readonly title: string
	readonly children: JSX.Element
	/** What stands beside the buttons. */
	readonly note?: JSX.Element
	/** The buttons that say yes; alive when `isReady`. */
	actions(isReady: () => boolean): JSX.Element
	onRefuse(): void
}): JSX.Element {
	const titleId = createUniqueId()
	const [isReady, setReady] = createSignal(false)
	let sheet: HTMLElement | undefined
	const before = document.activeElement
	const timer = setTimeout(() => setReady(true), settleMs)

	const onKey = (event: KeyboardEvent) => {
		if (event.key !== 'F6') return
		event.preventDefault()
		sheet?.focus()
	}
	window.addEventListener('keydown', onKey)
	onMount(() => {
		if (!isAtWork(before)) sheet?.focus({ preventScroll: true })
	})
	onCleanup(() => {
		clearTimeout(timer)
		window.removeEventListener('keydown', onKey)
		if (sheet?.contains(document.activeElement) && before instanceof HTMLElement) before.focus()
	})
	/** Sheets below close at Escape too, and this one is not theirs. */
	const onEscape = (event: KeyboardEvent) => {
		if (event.key !== 'Escape') return
		event.stopPropagation()
		if (isReady()) props.onRefuse()
	}

	return (
		<Portal>
			{/* The attribute tells the sheets below that a click here is none outside of them. */}
			<div class="question-place" data-kb-top-layer>
				<section
					class="question"
					role="dialog"
					aria-labelledby={titleId}
					tabindex={-1}
					ref={element => {
						sheet = element
						// Before it reaches the document, where the others listen.
						element.addEventListener('keydown', onEscape)
					}}
				>
					<h2 class="question-title" id={titleId} aria-live="assertive">
						{props.title}
					</h2>
					<div class="question-body">{props.children}</div>
					<footer class="dialog-foot">
						<span class="foot-message quiet">{props.note}</span>
						<button type="button" class="button" onClick={event => isMeant(event, isReady()) && props.onRefuse()}>
							Refuse
						</button>
						{props.actions(isReady)}
					</footer>
				</section>
			</div>
		</Portal>
	)
}

/** A pointer was moved here; a key may have been on its way elsewhere. */
function isMeant(event: MouseEvent, isReady: boolean): boolean {
	return isReady || event.detail > 0
}

/** Whether somebody is typing or moving there. */
function isAtWork(element: Element | null): boolean {
	return element?.closest('input, textarea, select, [contenteditable="true"], [role="grid"]') != null
}
