import ChevronDown from 'lucide-solid/icons/chevron-down'
import CircleAlert from 'lucide-solid/icons/circle-alert'
import ListX from 'lucide-solid/icons/list-x'
import Pin from 'lucide-solid/icons/pin'
import PinOff from 'lucide-solid/icons/pin-off'
import X from 'lucide-solid/icons/x'
import { createEffect, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js'
import { type MenuEntry, WithMenu } from '../controls/context-menu.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Picker } from '../controls/picker.tsx'
import { useEngine } from '../state/engine.tsx'
import { clockOf, count } from '../words/format.ts'
import { resultName, resultSize } from './result-words.ts'
import type { Results, ResultTab } from './results.ts'
import type { Run } from './run.ts'

/** This many tabs are in sight. More may be behind the bar of the result. */
const fewTabs = 2

/** The results of a console as tabs. Arrow keys go from one to the next, Delete closes a result, and P pins it. */
export function ResultTabs(props: {
	readonly results: Results
	/** The id of the element that shows the result in front. */
	readonly panel: string
	menu(run: Run): readonly (MenuEntry | 'line')[]
	/** Takes the focus when no tab is left. */
	onEmpty(): void
}): JSX.Element {
	const id = createUniqueId()
	const { rowNoun } = useEngine()
	const { results } = props
	const [isListOpen, setListOpen] = createSignal(false)
	const idOf = (tab: ResultTab) => `${id}-${tab === 'messages' ? tab : tab.number}`
	const focusFront = () => {
		const tab = results.front()
		if (tab) document.getElementById(idOf(tab))?.focus()
		else props.onEmpty()
	}
	/** Removes something, and moves the focus from its button to what is left. */
	function removing(remove: () => void): void {
		remove()
		queueMicrotask(focusFront)
	}
	createEffect(
		on(results.front, tab => {
			if (tab)
				queueMicrotask(() =>
					document.getElementById(idOf(tab))?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
				)
		}),
	)

	function onKeyDown(event: KeyboardEvent, tab: ResultTab): void {
		if (event.ctrlKey || event.altKey || event.metaKey) return
		if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') results.step(event.key === 'ArrowLeft' ? -1 : 1)
		else if (event.key === 'Delete' && tab !== 'messages') results.dismiss(tab)
		else if (event.key.toLowerCase() === 'p' && tab !== 'messages') results.togglePin(tab)
		else return
		event.preventDefault()
		queueMicrotask(focusFront)
	}
	const head = (tab: ResultTab, title: () => string, children: JSX.Element) => (
		<button
			type="button"
			role="tab"
			id={idOf(tab)}
			class="result-tab-name"
			aria-selected={results.front() === tab}
			aria-controls={props.panel}
			tabIndex={results.front() === tab ? 0 : -1}
			title={title()}
			onClick={() => results.choose(tab)}
			onAuxClick={event => event.button === 1 && tab !== 'messages' && results.dismiss(tab)}
			onKeyDown={event => onKeyDown(event, tab)}
		>
			{children}
		</button>
	)
	return (
		<div class="result-strip">
			{/* The tabs belong to it by their ids: it may hold nothing else, and each stands beside its buttons. */}
			<div role="tablist" aria-label="Results" aria-owns={results.all().map(idOf).join(' ')} />
			<div class="result-tabs">
				<For each={results.tabs()}>
					{run => {
						const name = () => resultName(run)
						const isPinned = () => results.isPinned(run)
						return (
							<WithMenu class="result-tab" menu={() => ({ label: name(), entries: props.menu(run) })}>
								<div
									class="result-tab-inner"
									classList={{ active: results.front() === run, pinned: isPinned() }}
									data-run={run.number}
								>
									{head(
										run,
										() => `${run.statement}\n${clockOf(run.begunAt)}`,
										<>
											<Show when={run.failure() !== undefined}>
												<CircleAlert size={13} class="result-tab-failed" />
											</Show>
											<span class="result-tab-words">{name()}</span>
											<span class="result-tab-size">{resultSize(run, rowNoun)}</span>
											<Show when={isPinned()}>
												<span class="result-tab-size result-tab-clock">{clockOf(run.begunAt)}</span>
											</Show>
										</>,
									)}
									<IconButton
										label={`${isPinned() ? 'Unpin' : 'Pin'} ${name()}`}
										tip={isPinned() ? 'Unpin: the next run replaces it' : 'Pin: the next run keeps it'}
										isSmall
										isPressed={isPinned()}
										onClick={() => results.togglePin(run)}
									>
										<Show when={isPinned()} fallback={<Pin size={12} />}>
											<PinOff size={12} />
										</Show>
									</IconButton>
									<IconButton label={`Close ${name()}`} isSmall onClick={() => removing(() => results.dismiss(run))}>
										<X size={13} />
									</IconButton>
								</div>
							</WithMenu>
						)
					}}
				</For>
				<Show when={results.messages().length > 0}>
					<div class="result-tab">
						<div
							class="result-tab-inner"
							classList={{ active: results.front() === 'messages' }}
							data-run={Math.max(...results.messages().map(({ number }) => number))}
						>
							{head(
								'messages',
								() => 'Messages',
								<>
									<span class="result-tab-words">Messages</span>
									<span class="result-tab-size">{count(results.messages().length)}</span>
								</>,
							)}
						</div>
					</div>
				</Show>
			</div>
			<Show when={results.all().length > fewTabs}>
				<IconButton label="All results" isSmall onClick={() => setListOpen(true)}>
					<ChevronDown size={14} />
				</IconButton>
			</Show>
			<IconButton
				label="Clear"
				tip="Clear: removes the results that are not pinned"
				isSmall
				onClick={() => removing(results.clear)}
			>
				<ListX size={14} />
			</IconButton>
			<Show when={isListOpen()}>
				<Picker
					label="Results"
					placeholder="Go to a result"
					nothing="No result matches."
					picks={results.all().map(tab => ({
						id: idOf(tab),
						label: tab === 'messages' ? 'Messages' : resultName(tab),
						detail: tab === 'messages' ? '' : `${resultSize(tab, rowNoun)}, ${clockOf(tab.begunAt)}`,
						run: () => results.choose(tab),
					}))}
					onClose={() => setListOpen(false)}
				/>
			</Show>
		</div>
	)
}
