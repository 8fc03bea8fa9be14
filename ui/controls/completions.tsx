import { createSignal, For, type JSX, Show } from 'solid-js'

export interface Completion {
	readonly label: string
	readonly detail?: string | undefined
}

/** The completions of a field, which keeps the focus and handles the keys. */
export function Completions<T extends Completion>(props: {
	readonly id: string
	readonly options: readonly T[]
	readonly current: number
	onChoose(option: T): void
}): JSX.Element {
	return (
		<Show when={props.options.length > 0}>
			<div id={props.id} role="listbox" aria-label="Completions">
				<For each={props.options}>
					{(option, index) => (
						// biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
						<div
							id={`${props.id}-${index()}`}
							class="completion"
							title={option.label}
							role="option"
							tabIndex={-1}
							aria-selected={index() === props.current}
							// The field keeps the focus.
							onPointerDown={event => event.preventDefault()}
							onClick={() => props.onChoose(option)}
						>
							<span>{option.label}</span>
							<span class="quiet">{option.detail ?? ''}</span>
						</div>
					)}
				</For>
			</div>
		</Show>
	)
}

/**
 * The current completion of a field and its keys: arrows move, Enter accepts the completion that they chose, Tab also
 * the first one, Escape closes, Ctrl+Space opens. `current` is -1 until a key moves.
 */
export function createCompletionKeys<T extends Completion>(list: {
	options(): readonly T[]
	isOpen(): boolean
	open(): void
	close(): void
	accept(option: T): void
}) {
	const [current, setCurrent] = createSignal(-1)
	function onKeyDown(event: KeyboardEvent): void {
		const options = list.options()
		const option = options[Math.max(0, current())]
		if (event.key === ' ' && event.ctrlKey) list.open()
		else if (event.key === 'Escape' && list.isOpen()) list.close()
		else if (event.key === 'ArrowDown' && options.length > 0) setCurrent((current() + 1) % options.length)
		else if (event.key === 'ArrowUp' && options.length > 0)
			setCurrent(current() <= 0 ? options.length - 1 : current() - 1)
		else if (event.key === 'Tab' && !event.shiftKey && option) list.accept(option)
		else if (event.key === 'Enter' && current() >= 0 && option) list.accept(option)
		else return
		event.preventDefault()
		event.stopPropagation()
	}
	return { current, toNone: () => void setCurrent(-1), onKeyDown }
}
