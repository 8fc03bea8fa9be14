import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import X from 'lucide-solid/icons/x'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { count } from '../../words/format.ts'
import { IconButton } from '../icon-button.tsx'
import { TextInput } from '../text-input.tsx'

/** What a bar shows of the matches. */
export interface FoundMatches {
	readonly query: string
	readonly matches: { readonly length: number }
	/** Index of the current match, or -1. */
	readonly current: number
	/** There are more matches than these. */
	readonly isCut?: boolean
}

/** Takes a query, shows the number of matches and steps through them. */
export function FindBar(props: {
	/** `Find in the document` */
	readonly label: string
	readonly finding: FoundMatches
	/** Receives a function that focuses the field. */
	ref(focus: () => void): void
	/** The next characters continue the query. */
	readonly isTyped?: boolean
	onQuery(query: string): void
	onStep(step: 1 | -1): void
	/** Replaces the current match or all; absent if the bar only finds. */
	readonly onReplace?: ((text: string, isAll: boolean) => void) | undefined
	onClose(): void
	/** Shown after the number of matches. */
	readonly children?: JSX.Element
}): JSX.Element {
	const [replacement, setReplacement] = createSignal('')
	let field!: HTMLInputElement
	const focus = () => {
		field.focus()
		if (!props.isTyped) field.select()
	}
	props.ref(focus)
	onMount(() => queueMicrotask(focus))
	const words = () => {
		const { query, matches, current, isCut } = props.finding
		if (query === '') return ''
		if (matches.length === 0) return 'Nothing found'
		const all = count(matches.length, isCut !== true)
		return current < 0 ? `${all} found` : `${count(current + 1)} of ${all}`
	}
	const isNowhere = () => props.finding.matches.length === 0

	function onKeyDown(event: KeyboardEvent): void {
		if (event.key === 'Escape') props.onClose()
		else if (event.key === 'Enter' && event.target === field) props.onStep(event.shiftKey ? -1 : 1)
		else if (event.key === 'F3') props.onStep(event.shiftKey ? -1 : 1)
		else return
		event.preventDefault()
		// Otherwise a sheet around the bar would close too.
		event.stopPropagation()
	}

	return (
		<search class="find-bar" aria-label={props.label} on:keydown={onKeyDown}>
			<input
				ref={field}
				type="text"
				aria-label={props.label}
				placeholder="Find"
				autocomplete="off"
				spellcheck={false}
				value={props.finding.query}
				onInput={event => props.onQuery(event.currentTarget.value)}
			/>
			<span class="find-count" role="status">
				{words()}
			</span>
			{props.children}
			<IconButton
				label="Previous match"
				tip="Previous match (Shift+Enter)"
				isSmall
				isDisabled={isNowhere()}
				onClick={() => props.onStep(-1)}
			>
				<ChevronUp size={14} />
			</IconButton>
			<IconButton
				label="Next match"
				tip="Next match (Enter)"
				isSmall
				isDisabled={isNowhere()}
				onClick={() => props.onStep(1)}
			>
				<ChevronDown size={14} />
			</IconButton>
			<IconButton label="Close the search" tip="Close (Esc)" isSmall onClick={() => props.onClose()}>
				<X size={14} />
			</IconButton>
			{/* A disabled button would lose the focus with the last match. */}
			<Show when={props.onReplace}>
				{replace => (
					<span class="find-replace">
						<TextInput
							aria-label="Replace with"
							placeholder="Replace"
							value={replacement()}
							onText={setReplacement}
							onKeyDown={event => {
								if (event.key !== 'Enter' || event.shiftKey) return
								event.preventDefault()
								replace()(replacement(), event.ctrlKey || event.metaKey)
							}}
						/>
						<button
							type="button"
							class="button small"
							aria-disabled={isNowhere()}
							onClick={() => replace()(replacement(), false)}
						>
							Replace
						</button>
						<button
							type="button"
							class="button small"
							aria-disabled={isNowhere()}
							onClick={() => replace()(replacement(), true)}
						>
							Replace all
						</button>
					</span>
				)}
			</Show>
		</search>
	)
}
