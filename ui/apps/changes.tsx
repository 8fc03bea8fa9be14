import './changes.css'
import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit/json'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { count, counted } from '../words/format.ts'
import { type HostLink, isExact, isExactNumber, type ToolOutcome } from './host-link.ts'
import { Failure, startApp } from './start-app.tsx'

/** Changes that are shown at once, and those that "More" adds. */
const step = 20
/** A longer value is folded. */
const foldedLength = 600

/** One proposed change. A new row has no id yet. */
interface ProposedChange {
	readonly rowId: string | undefined
	readonly values: readonly (readonly [column: string, value: Json])[]
}

interface Proposal {
	readonly verb: 'Insert' | 'Update' | 'Delete'
	readonly changes: readonly ProposedChange[]
}

/** The app of `insert_rows`, `update_rows` and `delete_rows`: every proposed change, then its outcome. */
function ChangesApp(props: { readonly host: HostLink }): JSX.Element {
	const { host } = props
	const [shown, setShown] = createSignal(step)
	const proposal = () => proposalOf(host.input() ?? {})
	const statuses = () => statusesOf(host.outcome(), proposal().changes.length)
	const isRounded = () => proposal().changes.some(({ values }) => values.some(([, value]) => !isExact(value)))
	const state = () => {
		const outcome = host.outcome()
		if (host.isCancelled() || outcome?.failure !== undefined) return 'Not applied.'
		if (!outcome) return 'Proposed.'
		return `Applied: ${count(Number(outcome.value.applied))} of ${count(proposal().changes.length)}.`
	}
	return (
		<Show when={host.input()} fallback={<p class="quiet">Preparing changes …</p>}>
			{input => (
				<>
					<header>
						<h1>
							{proposal().verb} {counted(proposal().changes.length, { one: 'row', many: 'rows' })}:{' '}
							{String(input().table)}
						</h1>
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
					<ol class="changes">
						<For each={proposal().changes.slice(0, shown())}>
							{(change, index) => (
								<li>
									<h2>
										<span dir="auto">{change.rowId ?? 'New row'}</span>
										<Show when={statuses()(index())}>{status => <span class="quiet">{status()}</span>}</Show>
									</h2>
									<Show when={change.values.length > 0}>
										<dl>
											<For each={change.values}>
												{([column, value]) => (
													<div>
														<dt dir="auto">{column}</dt>
														<dd dir="auto">
															<Value text={textOf(value)} />
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
					<Show when={proposal().changes.length > shown()}>
						<footer>
							<button type="button" onClick={() => setShown(current => current + step)}>
								More of {count(proposal().changes.length)}
							</button>
						</footer>
					</Show>
				</>
			)}
		</Show>
	)
}

function Value(props: { readonly text: string }): JSX.Element {
	return (
		<Show when={props.text.length > foldedLength} fallback={props.text}>
			<details>
				<summary>
					{props.text.slice(0, foldedLength)} … ({count(props.text.length)} characters)
				</summary>
				{props.text}
			</details>
		</Show>
	)
}

const listIn = (value: Json | undefined) => (Array.isArray(value) ? value.filter(item => isJsonObject(item)) : [])
const entriesOf = (value: Json | undefined) => (isJsonObject(value) ? Object.entries(value) : [])

function proposalOf({ rows, updates }: JsonObject): Proposal {
	if (updates !== undefined) {
		const changes = listIn(updates).map(({ row_id: id, set }) => ({ rowId: String(id), values: entriesOf(set) }))
		return { verb: 'Update', changes }
	}
	const items = listIn(rows)
	// A row to delete has an id and at most a version; a new row has columns.
	const isDeletion = items.every(item => typeof item.row_id === 'string' && isAddress(item))
	return isDeletion
		? { verb: 'Delete', changes: items.map(({ row_id: id }) => ({ rowId: String(id), values: [] })) }
		: { verb: 'Insert', changes: items.map(row => ({ rowId: undefined, values: entriesOf(row) })) }
}

const isAddress = (item: JsonObject) => Object.keys(item).every(name => name === 'row_id' || name === 'version')

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
		return [item.status, item.message]
			.filter(part => typeof part === 'string')
			.join(': ')
			.replaceAll('_', ' ')
	}
}

function textOf(value: Json): string {
	if (typeof value === 'string') return value === '' ? '""' : value
	if (typeof value === 'number' && !isExactNumber(value)) return `≈ ${value}`
	return JSON.stringify(value, null, 1)
}

startApp('roundhouse-changes', ChangesApp)
