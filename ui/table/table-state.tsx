import Inbox from 'lucide-solid/icons/inbox'
import { createEffect, createSignal, For, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { useEngine } from '../state/engine.tsx'

/** Times after which a message and a cancel button appear. */
const [unseenMs, longMs] = [200, 1000]

/** Shown over the grid while there are no rows: progress, or the reason. */
export function TableState(props: {
	readonly isOpening: boolean
	/** Whether rows of the previous query are shown meanwhile. */
	readonly hasRows: boolean
	readonly isEmpty: boolean
	/** What leaves rows out, if there are none. */
	readonly narrowings: readonly { readonly label: string; remove(): void }[]
	/** What the driver says about the query. */
	readonly notices: readonly string[]
	onCancel(): void
	/** Absent if the table takes no new rows. */
	readonly onInsert: (() => void) | undefined
	/** Absent if nothing can be imported. */
	readonly onImport: (() => void) | undefined
}): JSX.Element {
	const { rowNoun, tableNoun } = useEngine()
	const [waited, setWaited] = createSignal(0)
	createEffect(() => {
		setWaited(0)
		if (!props.isOpening) return
		const since = performance.now()
		const timer = setInterval(() => setWaited(performance.now() - since), unseenMs)
		onCleanup(() => clearInterval(timer))
	})
	return (
		<Switch>
			<Match when={props.isOpening && waited() >= unseenMs}>
				<div class="grid-state">
					<Show when={!props.hasRows}>
						<div class="grid-skeleton" aria-hidden="true" />
					</Show>
					<Show when={waited() >= longMs}>
						<div class="grid-state-word" role="status">
							<span>Loading … {Math.floor(waited() / 1000)} s</span>
							<button type="button" class="button small" onClick={() => props.onCancel()}>
								Cancel
							</button>
						</div>
					</Show>
				</div>
			</Match>
			<Match when={props.isEmpty && !props.isOpening}>
				<div class="grid-state">
					<div class="grid-state-nothing" role="status">
						<Inbox size={24} strokeWidth={1.5} />
						<Show
							when={props.narrowings.length > 0}
							fallback={
								<>
									<strong>
										This {tableNoun.one.toLowerCase()} has no {rowNoun.many}.
									</strong>
									<Show when={props.onInsert}>
										{insert => (
											<button type="button" class="button small" onClick={() => insert()()}>
												New {rowNoun.one}
											</button>
										)}
									</Show>
									<Show when={props.onImport}>
										{importRows => (
											<button type="button" class="button small" onClick={() => importRows()()}>
												Import {rowNoun.many} …
											</button>
										)}
									</Show>
								</>
							}
						>
							<strong>No {rowNoun.one} matches.</strong>
							<For each={props.notices}>{notice => <span class="warn">{notice}</span>}</For>
							<For each={props.narrowings}>
								{narrowing => (
									<button type="button" class="button small" onClick={() => narrowing.remove()}>
										{narrowing.label}
									</button>
								)}
							</For>
						</Show>
					</div>
				</div>
			</Match>
		</Switch>
	)
}
