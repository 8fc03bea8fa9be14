import Search from 'lucide-solid/icons/search'
import { createEffect, createSignal, createUniqueId, type JSX, on, onCleanup, Show } from 'solid-js'
import type { ResultOf } from '../../../host/api/api.ts'
import { Completions, createCompletionKeys } from '../../controls/completions.tsx'
import { createDraft } from '../../state/draft.ts'
import { createTask } from '../../state/task.ts'
import { keysText } from '../../words/keys.ts'

type Reading = NonNullable<ResultOf<'rows.readRaw'>>
type Option = Reading['completions']['options'][number]

/** Reads a query while it is typed. `null` if the driver has nothing to say. */
export type ReadRaw = (text: string, offset: number, signal: AbortSignal) => Promise<Reading | null>

/** A text that is still being typed is not read. */
const debounceMs = 150
/** How long Enter waits for the driver. */
const mostReadMs = 400
const delay = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
/** Further typing narrows them. */
const mostShown = 12

/** A query in the engine's language, with completion and the driver's words about what it means. */
export function QueryBar(props: {
	readonly raw: string
	readonly placeholder: string
	readonly read: ReadRaw
	/** Called with the text at Enter, also if it is unchanged, and when the field is emptied. */
	onRaw(text: string): void
	/** Called when a key leaves the field for the rows. */
	onLeave(): void
}): JSX.Element {
	const id = createUniqueId()
	// A query from elsewhere, for example another window, shows here too.
	const [text, setText] = createDraft(() => props.raw)
	/** Where the user typed last; nothing is shown while there is none. */
	const [offset, setOffset] = createSignal<number>()
	/** What the user typed, if Enter searched for its correction. */
	const [replaced, setReplaced] = createSignal<string>()
	/** A text that the user wants as it is. */
	let literal: string | undefined
	const reading = createTask(async (call, text: string, offset: number) => {
		const found = await props.read(text, offset, call.signal)
		return found && { ...found, asked: { text, offset } }
	})
	createEffect(
		on([text, offset], ([text, offset]) => {
			if (offset === undefined) return
			const timer = setTimeout(() => void reading.run(text, offset), debounceMs)
			onCleanup(() => {
				clearTimeout(timer)
				reading.cancel()
			})
		}),
	)
	const shown = () => (offset() === undefined ? undefined : (reading.value() ?? undefined))
	/** Options for an earlier text are narrowed by what was typed since, so that a key never accepts another word. */
	const options = () => {
		const found = shown()
		if (found === undefined) return []
		const { asked, completions } = found
		const isCurrent = asked.text === text() && asked.offset === offset()
		const word = text().slice(completions.from, offset()).toLowerCase()
		const fitting = completions.options.filter(({ label }) => isCurrent || label.toLowerCase().includes(word))
		return fitting.slice(0, mostShown)
	}
	let field!: HTMLInputElement
	function typed(): void {
		setReplaced(undefined)
		setOffset(field.selectionStart ?? text().length)
	}
	function close(): void {
		setOffset(undefined)
		setReplaced(undefined)
		reading.clear()
	}

	function accept({ label, insert = label, cursor = insert.length, replacesAfter = 0 }: Option): void {
		const from = shown()?.completions.from ?? text().length
		const to = Math.min((offset() ?? from) + replacesAfter, text().length)
		setText(`${text().slice(0, from)}${insert}${text().slice(to)}`)
		// What was shown was about the text before.
		reading.clear()
		field.focus()
		field.setSelectionRange(from + cursor, from + cursor)
		typed()
	}

	/** Searches for the text, or for what it probably means. The text that was typed stays one key away. */
	async function submit(): Promise<void> {
		const given = text().trim()
		const at = offset()
		if (at !== undefined && given !== literal && reading.value()?.asked.text !== text())
			await Promise.race([reading.run(text(), at), delay(mostReadMs)])
		const found = reading.value()
		const correction = given !== literal && found?.asked.text.trim() === given ? found.correction : undefined
		close()
		if (correction === undefined) return props.onRaw(given)
		setText(correction)
		setReplaced(given)
		props.onRaw(correction)
	}

	function searchLiterally(given: string): void {
		literal = given
		setText(given)
		close()
		field.focus()
		props.onRaw(given)
	}

	const keys = createCompletionKeys({
		options,
		isOpen: () => offset() !== undefined,
		open: typed,
		close,
		accept,
	})
	createEffect(on(reading.value, keys.toNone))
	/** The arrow leads to the rows. Escape does not: the next keys are meant for the text. */
	function onKeyDown(event: KeyboardEvent): void {
		const given = replaced()
		if (given !== undefined && event.altKey && event.key === 'Enter') {
			event.preventDefault()
			return searchLiterally(given)
		}
		keys.onKeyDown(event)
		if (event.defaultPrevented) return
		if (event.key === 'Escape') close()
		else if (event.key === 'ArrowDown') props.onLeave()
		else return
		event.preventDefault()
	}

	return (
		<form
			class="search-box grow"
			onSubmit={event => {
				event.preventDefault()
				void submit()
			}}
		>
			<Search size={15} />
			<input
				ref={field}
				type="search"
				aria-label="Query"
				aria-autocomplete="list"
				aria-haspopup="listbox"
				aria-controls={options().length > 0 ? id : undefined}
				aria-activedescendant={options().length > 0 && keys.current() >= 0 ? `${id}-${keys.current()}` : undefined}
				autocomplete="off"
				placeholder={props.placeholder}
				spellcheck={false}
				value={text()}
				onKeyDown={onKeyDown}
				onBlur={close}
				onInput={event => {
					setText(event.currentTarget.value)
					typed()
					if (event.currentTarget.value !== '') return
					close()
					if (props.raw !== '') props.onRaw('')
				}}
			/>
			<Show when={shown()}>
				{found => (
					<div class="menu query-reading">
						<Completions id={id} options={options()} current={keys.current()} onChoose={accept} />
						<Words reading={found()} hasOptions={options().length > 0} />
					</div>
				)}
			</Show>
			<Show when={replaced()}>
				{given => (
					<div class="menu query-reading">
						<Replaced given={given()} onUse={() => searchLiterally(given())} />
					</div>
				)}
			</Show>
		</form>
	)
}

/** What the driver understood, and what is wrong. */
function Words(props: { readonly reading: Reading; readonly hasOptions: boolean }): JSX.Element {
	return (
		<p class="query-words" role="status">
			<span class="quiet">{props.reading.understood ?? ''}</span>
			<Show when={props.reading.fault}>{fault => <span class="warn"> {fault()}</span>}</Show>
			<Show when={props.reading.correction}>
				{correction => (
					<span>
						Enter reads it as <code>{correction()}</code>
					</span>
				)}
			</Show>
			<Show when={props.hasOptions}>
				<span class="quiet query-keys">Tab inserts, Enter applies</span>
			</Show>
		</p>
	)
}

/** Offers the query that the user typed, in place of the one that was searched. */
function Replaced(props: { readonly given: string; onUse(): void }): JSX.Element {
	return (
		<button
			type="button"
			class="menu-item query-literal"
			tabIndex={-1}
			// The field keeps the focus.
			onPointerDown={event => event.preventDefault()}
			onClick={() => props.onUse()}
		>
			<span>
				Search for <code>{props.given}</code> as it was typed
			</span>
			<span class="menu-keys">{keysText('Alt+Enter')}</span>
		</button>
	)
}
