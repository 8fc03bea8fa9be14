import X from 'lucide-solid/icons/x'
import { createEffect, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { IconButton } from './icon-button.tsx'

/** A word on something that was done: one line that goes by itself. What wants a decision is a notice. */
interface Toast {
	readonly text: string
	/** What can be done about it while it shows: taking it back. */
	readonly action?: { readonly label: string; run(): void } | undefined
	/** Called when the person puts it away; such a line waits for them, however long that takes. */
	readonly onDismissed?: (() => void) | undefined
}

/** Time to read a line, and time to think again. */
const restMs = { told: 5_000, undoable: 10_000 }
/** The oldest makes room: a pile of lines is read by nobody. */
const mostAtOnce = 3

// There is one window, and one place where it says such things.
const [toasts, setToasts] = createSignal<readonly Toast[]>([])

/** Says it at the lower right. @returns what takes the line away before its time */
export function showToast(text: string, action?: Toast['action']): () => void {
	return add({ text, action })
}

/** Says what somebody else wants, until the person does it or puts it away. @returns what takes the line away */
export function showWaitingToast(toast: Required<Toast>): () => void {
	return add(toast)
}

function add(toast: Toast): () => void {
	setToasts(all => {
		const passing = all.filter(({ onDismissed }) => !onDismissed).slice(1 - mostAtOnce)
		return [...all.filter(other => other.onDismissed || passing.includes(other)), toast]
	})
	return () => dismiss(toast)
}

const dismiss = (toast: Toast) => setToasts(all => all.filter(other => other !== toast))

/** The lines that show. None goes while one of them is pointed at or has the focus. */
export function Toasts(): JSX.Element {
	const [isPointedAt, setPointedAt] = createSignal(false)
	const [hasFocus, setFocus] = createSignal(false)
	let list!: HTMLUListElement
	let before: Element | null = null

	/** A line that goes takes neither the focus nor the rest of the others along. */
	function close(toast: Toast): void {
		const hadFocus = hasFocus()
		dismiss(toast)
		if (toasts().length === 0) setPointedAt(false)
		const next = list.querySelector('button') ?? before
		if (hadFocus && next instanceof HTMLElement) next.focus()
	}

	function putAway(toast: Toast): void {
		close(toast)
		toast.onDismissed?.()
	}

	return (
		<section
			class="toasts"
			aria-label="Messages"
			// A dialog hides and locks what is beside it, but for what says that it stands above.
			data-kb-top-layer=""
			onPointerEnter={() => setPointedAt(true)}
			onPointerLeave={() => setPointedAt(false)}
			onFocusIn={event => {
				if (!hasFocus()) before = event.relatedTarget instanceof Element ? event.relatedTarget : null
				setFocus(true)
			}}
			onFocusOut={event => {
				const to = event.relatedTarget
				if (!(to instanceof Node && event.currentTarget.contains(to))) setFocus(false)
			}}
		>
			<ul ref={list} aria-live="polite">
				<For each={toasts()}>
					{toast => {
						createEffect(() => {
							if (toast.onDismissed || isPointedAt() || hasFocus()) return
							const timer = setTimeout(dismiss, toast.action ? restMs.undoable : restMs.told, toast)
							onCleanup(() => clearTimeout(timer))
						})
						return (
							<li
								class="toast"
								onKeyDown={event => {
									if (event.key !== 'Escape') return
									event.stopPropagation()
									putAway(toast)
								}}
							>
								<span class="toast-text" title={toast.text}>
									{toast.text}
								</span>
								<Show when={toast.action}>
									{action => (
										<button
											type="button"
											class="toast-action"
											onClick={() => {
												close(toast)
												action().run()
											}}
										>
											{action().label}
										</button>
									)}
								</Show>
								<IconButton label="Dismiss" isSmall onClick={() => putAway(toast)}>
									<X size={13} />
								</IconButton>
							</li>
						)
					}}
				</For>
			</ul>
		</section>
	)
}
