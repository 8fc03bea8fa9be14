import Search from 'lucide-solid/icons/search'
import { createEffect, createSignal, createUniqueId, type JSX, on, onCleanup, Show } from 'solid-js'
import type { ResultOf } from '../../../host/api/api.ts'
import { Completions, createCompletionKeys } from '../../controls/completions.tsx'
import { createDraft } from '../../state/draft.ts'
import { createTask } from '../../state/task.ts'
import { type BarQuery, textOf } from './bar-query.ts'

type Reading = NonNullable<ResultOf<'rows.readRaw'>>
type Option = Reading['completions']['options'][number]

/** Reads a query while it is typed. `null` if the driver has nothing to say. */
export type ReadRaw = (text: string, offset: number, signal: AbortSignal) => Promise<Reading | null>

/** A text that is still being typed is not read. */
const debounceMs = 150
/** Further typing narrows them. */
const mostShown = 12

/** A query in the engine's language, with completion and the driver's words about what it means. */
export function QueryBar(props: {
	readonly query: BarQuery
	readonly placeholder: string
	readonly read: ReadRaw
	/** Returns what is sent for a text. */
	meaning(text: string): Promise<BarQuery>
	/** Returns the last queries, newest first. */
	recent(): readonly BarQuery[]
	/** Called at Enter, also with an unchanged query, and when the field is emptied. */
	onQuery(query: BarQuery): void
	/** Called when a key leaves the field for the rows. */
	onLeave(): void
}): JSX.Element {
	const id = createUniqueId()
	// A query from elsewhere, for example another window, shows here too.
	const [text, setText] = createDraft(() => textOf(props.query))
	/** Where the user typed last; nothing is shown while there is none. */
	const [offset, setOffset] = createSignal<number>()
	/** The last queries, while an empty field offers them. */
	const [recent, setRecent] = createSignal<readonly BarQuery[]>([])
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
	const fitting = (): readonly Option[] => {
		const found = shown()
		if (found === undefined) return recent().map(query => ({ label: textOf(query), kind: 'keyword' }) as const)
		const { asked, completions } = found
		const isCurrent = asked.text === text() && asked.offset === offset()
		const word = text().slice(completions.from, offset()).toLowerCase()
		return completions.options.filter(({ label }) => isCurrent || label.toLowerCase().includes(word))
	}
	const options = () => fitting().slice(0, mostShown)
	let field!: HTMLInputElement
	function typed(): void {
		setRecent([])
		setOffset(field.selectionStart ?? text().length)
	}
	function close(): void {
		setOffset(undefined)
		setRecent([])
		reading.clear()
	}

	function accept({ label, insert = label, cursor = insert.length, replacesAfter = 0 }: Option): void {
		// A recent query is whole, and was read before.
		const before = recent().find(query => textOf(query) === label)
		if (before) {
			setText(label)
			close()
			return props.onQuery(before)
		}
		const from = shown()?.completions.from ?? text().length
		const to = Math.min((offset() ?? from) + replacesAfter, text().length)
		setText(`${text().slice(0, from)}${insert}${text().slice(to)}`)
		// What was shown was about the text before.
		reading.clear()
		field.focus()
		field.setSelectionRange(from + cursor, from + cursor)
		typed()
	}

	/** Searches for what the text means. A query that was read before keeps its meaning, or the choice of the user. */
	async function submit(): Promise<void> {
		const given = text().trim()
		close()
		const query = given === props.query.typed ? props.query : await props.meaning(given)
		// What was typed meanwhile is another query.
		if (text().trim() === given) props.onQuery(query)
	}

	const isOpen = () => offset() !== undefined || recent().length > 0
	const keys = createCompletionKeys({
		options,
		isOpen,
		open: typed,
		close,
		accept,
	})
	createEffect(on([reading.value, recent], keys.toNone))
	/** The arrow leads to the last queries or to the rows. Escape does not: the next keys are meant for the text. */
	function onKeyDown(event: KeyboardEvent): void {
		if (event.altKey && event.key === 'Enter') {
			event.preventDefault()
			close()
			return props.onQuery({ raw: text().trim(), typed: text().trim() })
		}
		if (event.key === 'ArrowDown' && text() === '' && !isOpen()) {
			setRecent(props.recent())
			// Further keys choose one. Without queries, this key leads to the rows.
			if (recent().length > 0) return event.preventDefault()
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
					if (props.query.raw !== '') props.onQuery({ raw: '' })
				}}
			/>
			<Show when={shown()}>
				{found => (
					<div class="menu query-reading">
						<Completions id={id} options={options()} current={keys.current()} onChoose={accept} />
						<Words reading={found()} options={fitting().length} />
					</div>
				)}
			</Show>
			<Show when={recent().length > 0}>
				<div class="menu query-reading">
					<Completions id={id} options={options()} current={keys.current()} onChoose={accept} />
					<p class="query-words" role="status">
						<span class="quiet">Recent queries. Enter applies the chosen one.</span>
					</p>
				</div>
			</Show>
		</form>
	)
}

/** What the driver understood, and what is wrong. */
function Words(props: { readonly reading: Reading; readonly options: number }): JSX.Element {
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
			<Show when={props.options > 0}>
				<span class="quiet query-keys">
					{props.options > mostShown ? `The first ${mostShown} are shown: type to narrow · ` : ''}Tab inserts, Enter
					applies
				</span>
			</Show>
		</p>
	)
}
