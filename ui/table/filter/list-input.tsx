import { createEffect, createMemo, createSignal, createUniqueId, type JSX, on, Show } from 'solid-js'
import type { FilterField } from '../../../host/api/api.ts'
import { Completions, createCompletionKeys } from '../../controls/completions.tsx'
import { replaceValue, valueAt } from './filters.ts'
import { createSuggestions, mostSuggested, type Suggest } from './suggest-values.ts'

/** Enter applies a filter from a field of several lines, and Shift+Enter begins a line. @returns whether it was applied */
export function applyAtEnter(
	event: KeyboardEvent & { currentTarget: HTMLInputElement | HTMLTextAreaElement },
): boolean {
	if (event.defaultPrevented || event.key !== 'Enter' || event.shiftKey) return false
	event.preventDefault()
	event.currentTarget.form?.requestSubmit()
	return true
}

/**
 * A list takes pasted lines, and completes the value at the caret. Enter applies it, as in the other fields, and
 * Shift+Enter begins a line.
 */
export function ListInput(props: {
	readonly target: FilterField | undefined
	readonly text: string
	readonly suggest: Suggest
	onText(text: string): void
}): JSX.Element {
	const id = createUniqueId()
	let field!: HTMLTextAreaElement
	/** Where the user typed last; the completions are closed while there is none. */
	const [caret, setCaret] = createSignal<number>()
	const typed = () => setCaret(field.selectionStart)
	const close = () => setCaret(undefined)
	const value = createMemo(() => {
		const at = caret()
		return at === undefined ? undefined : valueAt(props.text, at)
	})
	const values = createSuggestions(props, () => value()?.typed)
	const options = () => {
		const at = value()
		if (!at) return []
		const others = [...at.before, ...at.after]
		return (
			(values.value() ?? [])
				.filter(found => found.toLowerCase().includes(at.typed.toLowerCase()) && !others.includes(found))
				// Alone in the list, it would be two values.
				.filter(found => !found.includes('\n') && (!found.includes(',') || others.length > 0))
				.map(label => ({ label }))
		)
	}
	const keys = createCompletionKeys({ options, isOpen: () => caret() !== undefined, open: typed, close, accept })
	createEffect(on(values.value, keys.toNone))

	function accept({ label }: { readonly label: string }): void {
		const replaced = replaceValue(props.text, caret() ?? props.text.length, label)
		props.onText(replaced.text)
		close()
		field.focus()
		field.setSelectionRange(replaced.caret, replaced.caret)
	}

	return (
		<span class="filter-list-place">
			<textarea
				ref={field}
				name="value"
				aria-label="Value"
				aria-autocomplete="list"
				aria-haspopup="listbox"
				aria-controls={options().length > 0 ? id : undefined}
				aria-activedescendant={options().length > 0 && keys.current() >= 0 ? `${id}-${keys.current()}` : undefined}
				class="filter-list"
				spellcheck={false}
				placeholder="one, two, three, or a line for each"
				rows={Math.min(6, props.text.split('\n').length)}
				value={props.text}
				onInput={event => {
					props.onText(event.currentTarget.value)
					typed()
				}}
				onBlur={close}
				onKeyDown={event => {
					keys.onKeyDown(event)
					if (applyAtEnter(event)) close()
				}}
			/>
			<Show when={options().length > 0}>
				<div class="menu filter-list-values">
					<Completions id={id} options={options()} current={keys.current()} onChoose={accept} />
					<Show when={(values.value() ?? []).length >= mostSuggested}>
						<p class="quiet query-words">The {mostSuggested} most frequent: type to find others</p>
					</Show>
				</div>
			</Show>
		</span>
	)
}
