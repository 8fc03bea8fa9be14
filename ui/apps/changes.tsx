import './changes.css'
import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit/json'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { count, counted } from '../words/format.ts'
import { FoldedText } from './folded-text.tsx'
import { type HostLink, isExact, type ToolOutcome, textIn } from './host-link.ts'
import { nameText, valueText } from './shown-text.ts'
import { CallTitle, Failure, startApp } from './start-app.tsx'

/** Changes that are shown at first. "More" doubles the number. */
const firstShown = 20
/** A longer value is folded. */
const foldedLength = 600

interface ProposedChange {
	/** `undefined` for a new row, which has no id yet. */
	readonly rowId: string | undefined
	/** The version that the change expects. */
	readonly version: string | undefined
	readonly values: readonly (readonly [column: string, value: Json])[]
}

const valuesOf = (value: Json | undefined) => (isJsonObject(value) ? Object.entries(value) : [])
const addressOf = ({ row_id: id, version }: JsonObject) => ({ rowId: textIn(id) ?? '', version: textIn(version) })

/** What the tool of each page does with an item of its list. */
const pages = {
	insert: {
		verb: 'Insert',
		list: 'rows',
		change: (row: JsonObject): ProposedChange => ({ rowId: undefined, version: undefined, values: valuesOf(row) }),
	},
	update: {
		verb: 'Update',
		list: 'updates',
		change: (row: JsonObject): ProposedChange => ({ ...addressOf(row), values: valuesOf(row.set) }),
	},
	delete: {
		verb: 'Delete',
		list: 'rows',
		change: (row: JsonObject): ProposedChange => ({ ...addressOf(row), values: [] }),
	},
}
const page = pages[document.body.dataset.page as keyof typeof pages]

/** The app of `insert_rows`, `update_rows` and `delete_rows`: every proposed change, then its outcome. */
function ChangesApp(props: { readonly host: HostLink }): JSX.Element {
	const { host } = props
	const [shown, setShown] = createSignal(firstShown)
	let list!: HTMLOListElement
	const changes = () => listIn(host.input()?.[page.list]).map(page.change)
	const statuses = () => statusesOf(host.outcome(), changes().length)
	const isRounded = () => changes().some(({ values }) => values.some(([, value]) => !isExact(value)))
	const state = () => {
		const outcome = host.outcome()
		if (!outcome) return host.isCancelled() ? unknown : 'Proposed.'
		if (outcome.failure !== undefined) return beforeSending.test(outcome.failure) ? 'Failed.' : unknown
		const applied = outcome.value?.applied
		if (applied === undefined) return unknown
		const words = `Applied: ${count(Number(applied))} of ${count(changes().length)}.`
		return listIn(outcome.value?.outcomes).some(({ status }) => status === 'unknown') ? `${words} ${unknown}` : words
	}
	function showMore(): void {
		setShown(current => current * 2)
		// The button that had the focus is gone.
		if (shown() >= changes().length) list.focus()
	}
	return (
		<Show when={host.input()} fallback={<h1 class="quiet">Preparing changes …</h1>}>
			{input => (
				<>
					<header>
						<CallTitle
							input={input()}
							prefix={`${page.verb} ${counted(changes().length, { one: 'row', many: 'rows' })}: `}
						/>
						<span class="quiet" role="status">
							{state()}
						</span>
					</header>
					<Failure text={host.outcome()?.failure} />
					<Show when={isRounded()}>
						<p class="quiet">
							A number with ≈ may have other digits here than in the change: this client rounds it for display.
						</p>
					</Show>
					<ol class="changes" tabindex={-1} ref={list}>
						<For each={changes().slice(0, shown())}>
							{(change, index) => (
								<li>
									<h2>
										<bdi>{change.rowId === undefined ? 'New row' : nameText(change.rowId)}</bdi>
										<Show when={change.version}>
											{version => <span class="quiet">version {nameText(version())}</span>}
										</Show>
										<Show when={statuses()(index())}>{status => <span class="quiet">{status()}</span>}</Show>
									</h2>
									<Show when={change.values.length > 0}>
										<dl>
											<For each={change.values}>
												{([column, value]) => (
													<div>
														<dt dir="auto">{nameText(column)}</dt>
														<dd dir="auto">
															<FoldedText text={valueText(value)} maxLength={foldedLength} />
														</dd>
													</div>
												)}
											</For>
										</dl>
									</Show>
								</li>
							)}
						</For>
					</ol>
					<Show when={changes().length > shown()}>
						<footer>
							<button type="button" onClick={showMore}>
								More of {count(changes().length)}
							</button>
						</footer>
					</Show>
				</>
			)}
		</Show>
	)
}

/** Failures after which no row was changed. Others may have come after the changes were sent. */
const beforeSending = /^(?:invalid_argument|denied|not_found|unsupported|query_failed: No row was changed)/
const unknown = 'The outcome is unknown: rows may have been changed.'

const listIn = (value: Json | undefined) => (Array.isArray(value) ? value.filter(item => isJsonObject(item)) : [])

/** Returns the status of a change by its index. Of many rows the answer lists only those that were not applied. */
function statusesOf(outcome: ToolOutcome | undefined, total: number): (index: number) => string {
	const { outcomes, applied } = outcome?.value ?? {}
	const listed = listIn(outcomes)
	const byRow = new Map(listed.map(item => [item.row, item]))
	const others = listed.filter(({ status }) => status !== 'applied').length
	const isWhole = applied === total - others
	return index => {
		const item = byRow.get(index)
		if (!item) return outcome && isWhole ? 'applied' : ''
		const status = String(item.status).replaceAll('_', ' ')
		return typeof item.message === 'string' ? `${status}: ${item.message}` : status
	}
}

startApp('roundhouse-changes', ChangesApp)
