import { Dialog as Kobalte } from '@kobalte/core/dialog'
import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js'
import { count } from '../words/format.ts'
import { keysText } from '../words/keys.ts'
import { choiceOnceGone, focusFirst, OnceGone } from './focus-return.ts'
import { createLookUp } from './look-up.ts'
import { rankPicks } from './rank-picks.ts'

/** An entry to choose. */
export interface Pick {
	readonly id: string
	readonly label: string
	/** The part of the label by which people know it. Default: the label. */
	readonly name?: string | undefined
	/** Its location or kind. */
	readonly detail?: string
	readonly keys?: readonly string[]
	readonly icon?: JSX.Element
	/** The heading above it and its neighbours of the same group, as long as nothing is searched. */
	readonly group?: string | undefined
	/** It is of what the user works on, so it comes before others that match as well. */
	readonly isNear?: boolean
	/** It leads to production. */
	readonly isProduction?: boolean
	/** It has exactly the typed name, so it comes before entries whose label contains it. */
	readonly isExact?: boolean
	/** Leads to other entries, for example of a folder. */
	readonly staysOpen?: boolean
	run(): void
}

/** Users do not read more lines than this; they type on. */
const mostShown = 120

/** An entry with what matched marked, in its name if that did. */
function lineOf(result: ReturnType<typeof rankPicks<Pick>>[number]): Matching['lines'][number] {
	const { obj: pick, 0: inLabel, 2: inName } = result
	const mark = (part: string) => <mark>{part}</mark>
	if (!pick.name || !inName?.target) return { pick, label: inLabel?.target ? inLabel.highlight(mark) : pick.label }
	const at = pick.label.lastIndexOf(pick.name)
	return { pick, label: [pick.label.slice(0, at), inName.highlight(mark), pick.label.slice(at + pick.name.length)] }
}

interface Matching {
	readonly lines: readonly { readonly pick: Pick; readonly label: JSX.Element }[]
	/** How many match, with those that are not shown. */
	readonly total: number
}

const restWords = ({ lines, total }: Matching) =>
	lines.length < total ? `The first ${count(lines.length)} of ${count(total)}. Type more to find the others.` : ''

/** A field over a list. The typed text filters the list by letters, in any order of parts. */
export function Picker(props: {
	readonly label: string
	readonly placeholder: string
	/** In the order that is shown for an empty query. */
	readonly picks: readonly Pick[]
	/**
	 * Finds further entries for a text, for example in an engine. They follow the others, unless they have the typed
	 * name.
	 */
	find?(text: string): Promise<readonly Pick[]>
	/** Shown if nothing matches. */
	readonly nothing: string
	/** Its entries have a second line. */
	readonly isWide?: boolean
	onClose(): void
}): JSX.Element {
	const id = createUniqueId()
	const choice = choiceOnceGone()
	let list!: HTMLDivElement
	let field!: HTMLInputElement
	const [search, setSearch] = createSignal('')
	const [current, setCurrent] = createSignal(0)
	const more = createLookUp(search, async text => (await props.find?.(text)) ?? [])
	const matching = createMemo((): Matching => {
		const words = search().trim()
		const { picks } = props
		if (words === '')
			return { lines: picks.slice(0, mostShown).map(pick => ({ pick, label: pick.label })), total: picks.length }
		const ranked = rankPicks(words, picks, mostShown)
		return { lines: ranked.map(lineOf), total: ranked.total }
	})
	const found = createMemo(() => {
		const marked = (pick: Pick) => rankPicks(search().trim(), [pick], 1).map(lineOf)[0]
		const shown = (picks: readonly Pick[]) => picks.map(pick => marked(pick) ?? { pick, label: pick.label })
		const [exact, others] = [more().filter(({ isExact }) => isExact), more().filter(({ isExact }) => !isExact)]
		return [...shown(exact), ...matching().lines, ...shown(others)]
	})
	/** The heading above a line: the group of the line, where another one begins. */
	function headingAt(index: number): string | undefined {
		if (search().trim() !== '') return undefined
		const group = found()[index]?.pick.group
		return group === found()[index - 1]?.pick.group ? undefined : group
	}
	createEffect(on(search, () => setCurrent(0)))
	createEffect(() => list.children[current()]?.scrollIntoView({ block: 'nearest' }))

	function choose(pick: Pick | undefined): void {
		if (!pick) return
		if (pick.staysOpen) {
			setSearch('')
			setCurrent(0)
			pick.run()
			return
		}
		choice.choose(pick.run)
		props.onClose()
	}

	function onKeyDown(event: KeyboardEvent): void {
		const last = found().length - 1
		const to = {
			ArrowDown: current() >= last ? 0 : current() + 1,
			ArrowUp: current() <= 0 ? last : current() - 1,
			PageDown: Math.min(last, current() + 10),
			PageUp: Math.max(0, current() - 10),
		}[event.key]
		if (to !== undefined) setCurrent(Math.max(0, to))
		else if (event.key === 'Enter') choose(found()[current()]?.pick)
		else return
		event.preventDefault()
	}

	return (
		<Kobalte open onOpenChange={isOpen => !isOpen && props.onClose()}>
			<Kobalte.Portal>
				<Kobalte.Overlay class="backdrop clear" />
				<div class="picker-place">
					<Kobalte.Content
						class="picker"
						classList={{ wide: props.isWide === true }}
						aria-label={props.label}
						onOpenAutoFocus={event => focusFirst(event, field)}
						onCloseAutoFocus={choice.gone}
					>
						<input
							ref={field}
							class="picker-search"
							type="text"
							role="combobox"
							aria-label={props.label}
							aria-expanded="true"
							aria-controls={id}
							aria-autocomplete="list"
							aria-activedescendant={found().length > 0 ? `${id}-${current()}` : undefined}
							autocomplete="off"
							spellcheck={false}
							placeholder={props.placeholder}
							value={search()}
							onInput={event => setSearch(event.currentTarget.value)}
							onKeyDown={onKeyDown}
						/>
						<div ref={list} id={id} class="picker-list" role="listbox" aria-label={props.label}>
							<For each={found()}>
								{({ pick, label }, index) => (
									<div role="presentation">
										<Show when={headingAt(index())}>
											{heading => (
												<div class="picker-group" role="presentation">
													{heading()}
												</div>
											)}
										</Show>
										{/* The field above has the focus and handles the keys. */}
										{/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
										<div
											id={`${id}-${index()}`}
											class="picker-line"
											role="option"
											tabIndex={-1}
											aria-selected={index() === current()}
											onPointerMove={() => setCurrent(index())}
											onClick={() => choose(pick)}
										>
											{pick.icon}
											<span class="picker-label">{label}</span>
											<Show when={pick.detail}>
												<span class="picker-detail" classList={{ 'on-production': pick.isProduction }}>
													{pick.detail}
												</span>
											</Show>
											<For each={pick.keys ?? []}>{keys => <kbd class="keys">{keysText(keys)}</kbd>}</For>
										</div>
									</div>
								)}
							</For>
						</div>
						<p class="picker-nothing quiet" role="status">
							{found().length === 0 ? props.nothing : restWords(matching())}
						</p>
						<OnceGone run={choice.gone} />
					</Kobalte.Content>
				</div>
			</Kobalte.Portal>
		</Kobalte>
	)
}
