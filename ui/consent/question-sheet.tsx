import { createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { Portal } from 'solid-js/web'

/**
 * How long a new question ignores keys, and a yes in any form: it may appear while the user types, and a half-typed
 * word must not answer it.
 */
const settleMs = 1000

/**
 * A question of another program at the top of the window, above everything. It takes no key that was meant for another
 * part: the focus stays where the user types (F6 moves to it). Only its buttons answer it, and Escape while it has the
 * focus.
 */
export function QuestionSheet(props: {
	readonly title: string
	/** What it is about, above the title. */
	readonly place?: JSX.Element
	/** The answer concerns a production connection. */
	readonly isProduction?: boolean
	readonly children: JSX.Element
	/** Beside the buttons. */
	readonly note?: JSX.Element
	/** The buttons that agree; enabled with `isReady`. */
	actions(isReady: () => boolean): JSX.Element
	/** Text of the button that refuses. Default: `Refuse`. */
	readonly refusal?: string | undefined
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
	/** Escape also closes sheets below, which this question does not belong to. */
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
					classList={{ 'on-production': props.isProduction === true }}
					role="dialog"
					aria-labelledby={titleId}
					tabindex={-1}
					ref={element => {
						sheet = element
						// Captured before the document, where the others listen.
						element.addEventListener('keydown', onEscape)
					}}
				>
					<Show when={props.place}>{place => <div class="question-about">{place()}</div>}</Show>
					<h2 class="question-title" id={titleId} aria-live="assertive">
						{props.title}
					</h2>
					<div class="question-body">{props.children}</div>
					<footer class="dialog-foot">
						<span class="foot-message quiet">{props.note}</span>
						<button type="button" class="button" onClick={event => isMeant(event, isReady()) && props.onRefuse()}>
							{props.refusal ?? 'Refuse'}
						</button>
						{props.actions(isReady)}
					</footer>
				</section>
			</div>
		</Portal>
	)
}

/** A pointer was moved here; a key may have been meant for another part. */
function isMeant(event: MouseEvent, isReady: boolean): boolean {
	return isReady || event.detail > 0
}

/** Returns whether the user is typing or navigating there. */
function isAtWork(element: Element | null): boolean {
	return element?.closest('input, textarea, select, [contenteditable="true"], [role="grid"]') != null
}
