import X from 'lucide-solid/icons/x'
import { createEffect, createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { IconButton } from './icon-button.tsx'

/** A message about a completed action: one line that disappears. A decision uses a notice. */
interface Toast {
	readonly text: string
	/** An action while it shows, for example undo. */
	readonly action?: { readonly label: string; run(): void } | undefined
	/** Called when the user dismisses it. Such a message stays until then. */
	readonly onDismissed?: (() => void) | undefined
	/** How far the work is that runs behind the window. Such a message stays until the work ends. */
	readonly progress?: (() => string | undefined) | undefined
}

/** Whether a message waits for the user or for the end of what runs. */
const isLasting = ({ onDismissed, progress }: Toast) => onDismissed !== undefined || progress !== undefined

/** Time to read a line twice. Tests on a busy machine need more. */
export const visibleMs = { plain: 5_000, undoable: 10_000 }
/** The oldest is removed: users do not read a pile of messages, and all share one line. */
const mostAtOnce = 2

// There is one window and one place for these messages.
const [toasts, setToasts] = createSignal<readonly Toast[]>([])

/** Shows a message at the right of the status line. @returns a function that removes it */
export function showToast(text: string, action?: Toast['action']): () => void {
	return add({ text, action })
}

/** Shows a request of another party until the user acts or dismisses it. @returns a function that removes it */
export function showWaitingToast(toast: Required<Pick<Toast, 'text' | 'action' | 'onDismissed'>>): () => void {
	return add(toast)
}

/** Shows work that runs behind the window, with an action that stops it. @returns a function that removes it */
export function showRunningToast(toast: Required<Pick<Toast, 'text' | 'action' | 'progress'>>): () => void {
	return add(toast)
}

/** Shows a message that stays until the user dismisses it. */
export function showLastingToast(text: string): void {
	add({ text, onDismissed() {} })
}

/** A message replaces an older one with the same text, unless that one has an action, for example its own undo. */
function add(toast: Toast): () => void {
	setToasts(all => {
		const different = all.filter(({ text, action }) => action !== undefined || text !== toast.text)
		const passing = different.filter(other => !isLasting(other)).slice(1 - mostAtOnce)
		return [...all.filter(other => isLasting(other) || passing.includes(other)), toast]
	})
	return () => dismiss(toast)
}

const dismiss = (toast: Toast) => setToasts(all => all.filter(other => other !== toast))

/**
 * The visible messages, in the status line, where they lie over no other element. None disappears while one is hovered
 * or focused.
 */
export function Toasts(): JSX.Element {
	// They end with the window that shows them.
	onCleanup(() => setToasts([]))
	const [isPointedAt, setPointedAt] = createSignal(false)
	const [hasFocus, setFocus] = createSignal(false)
	let list!: HTMLUListElement
	let before: Element | null = null

	/** A message that disappears takes neither the focus nor the remaining time of the others. */
	function close(toast: Toast): void {
		const hadFocus = hasFocus()
		dismiss(toast)
		if (toasts().length === 0) setPointedAt(false)
		const next = list.querySelector('button') ?? before
		if (hadFocus && next instanceof HTMLElement) next.focus()
	}

	function putAway(toast: Toast): void {
		if (toast.progress) return
		close(toast)
		toast.onDismissed?.()
	}

	return (
		<section
			class="toasts"
			aria-label="Messages"
			// A dialog hides and locks everything beside it except elements that are marked as above it.
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
							if (isLasting(toast) || isPointedAt() || hasFocus()) return
							const timer = setTimeout(dismiss, toast.action ? visibleMs.undoable : visibleMs.plain, toast)
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
									{/* A change of it is not announced. */}
									<Show when={toast.progress?.()}>{progress => <span aria-live="off">: {progress()}</span>}</Show>
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
								<Show when={!toast.progress}>
									<IconButton label="Dismiss" isSmall onClick={() => putAway(toast)}>
										<X size={13} />
									</IconButton>
								</Show>
							</li>
						)
					}}
				</For>
			</ul>
		</section>
	)
}
