import './rows.css'
import { type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import { batch, createEffect, createMemo, createSignal, For, type JSX, on, Show } from 'solid-js'
import { count } from '../words/format.ts'
import { answerRows, joined, notesOf } from './answer-rows.ts'
import { DataTable, type Order } from './data-table.tsx'
import { callTool, type HostLink, isExact, type ToolOutcome, textIn } from './host-link.ts'
import { nameText, spelledOut } from './shown-text.ts'
import { CallTitle, Failure, startApp, unreadable } from './start-app.tsx'

/** Rows that are shown at once, and those that "More" adds. */
const step = 20
/** Rows that "More" reads at once. */
const pageRows = 100

/** The app of `browse_table` and `query`: the rows of the answer, more of them, and another order. */
function RowsApp(props: { readonly host: HostLink }): JSX.Element {
	const { host } = props
	/** The answer to the call, then the answers to the app's own calls. */
	const [pages, setPages] = createSignal<readonly ToolOutcome[]>([])
	const [order, setOrder] = createSignal<Order>()
	const [shown, setShown] = createSignal(step)
	const [isLoading, setLoading] = createSignal(false)
	const [message, setMessage] = createSignal<string>()
	/** What the window was asked to show. */
	const [offered, setOffered] = createSignal<string>()
	let content!: HTMLDivElement

	function show(page: ToolOutcome, sort: Order | undefined): void {
		batch(() => {
			setOrder(sort)
			setPages([page])
			setShown(step)
		})
	}
	createEffect(on(host.outcome, outcome => outcome && show(outcome, undefined)))

	const all = createMemo(() => pages().flatMap(({ value }) => answerRows(value ?? {}) ?? []))
	const last = () => all().at(-1)
	const table = createMemo(() => joined(all()))
	const rows = () => table().rows
	const notes = () => [...new Set(pages().flatMap(({ value = {} }) => [...notesOf(value), ...restOf(value)]))]
	/** The arguments without those of one page; `undefined` for a statement. */
	const browsed = (): JsonObject | undefined => {
		const { cursor: _, max_rows: __, ...rest } = host.input() ?? {}
		return typeof rest.table === 'string' ? rest : undefined
	}
	/** A rounded number in the arguments would ask for other rows. */
	const canCall = () => host.canCallTools() && isExact(host.input() ?? {})
	const canBrowse = () => canCall() && browsed() !== undefined
	const hasMore = () => rows().length > shown() || (canBrowse() && last()?.nextCursor !== undefined)

	const sortOf = (sort: Order | undefined): JsonObject => (sort ? { sort: [{ ...sort }] } : {})
	async function browse(more: JsonObject): Promise<ToolOutcome | undefined> {
		setLoading(true)
		setMessage(undefined)
		setOffered(undefined)
		const args = { ...browsed(), ...sortOf(order()), max_rows: pageRows, ...more }
		const answer = await callTool(host, 'browse_table', args)
		setLoading(false)
		setMessage(answer.failure ?? unreadable(answer))
		return answer.value === undefined ? undefined : answer
	}

	async function showMore(): Promise<void> {
		if (isLoading()) return
		const cursor = last()?.nextCursor
		if (rows().length < shown() + step && canBrowse() && cursor !== undefined) {
			const answer = await browse({ cursor })
			if (!answer) return
			setPages(before => [...before, answer])
		}
		setShown(current => current + step)
		// The button that had the focus is gone.
		if (!hasMore()) content.querySelector('section')?.focus()
	}

	async function sortBy(next: Order): Promise<void> {
		if (isLoading()) return
		const answer = await browse(sortOf(next))
		if (answer) show(answer, next)
	}

	async function openInWindow(): Promise<void> {
		const { connection_id: id, query, ...rest } = browsed() ?? host.input() ?? {}
		const what = typeof query === 'string' ? { query } : { browse: { ...rest, ...sortOf(order()) } }
		const args = { ...(id !== undefined && { connection_id: id }), ...what }
		const { failure, value } = await callTool(host, 'open_in_window', args)
		setMessage(failure)
		setOffered(textIn(value?.status))
	}

	const title = () => nameText(textIn(host.input()?.table) ?? 'Result')
	const summary = () => {
		const total = last()?.total
		const seen = count(Math.min(shown(), rows().length))
		if (total === undefined) return `${seen} of ${count(rows().length)} rows of the answer`
		return `${seen} of ${last()?.isTotalExact ? '' : 'at least '}${count(total)} rows`
	}

	return (
		<Show when={host.outcome()} fallback={<h1 class="quiet">Reading rows …</h1>}>
			{outcome => (
				<div class="answer" ref={content}>
					<header>
						<CallTitle input={host.input()} name="Result" />
						<Show when={all().length > 0}>
							<span class="quiet" role="status">
								{isLoading() ? 'Loading …' : summary()}
							</span>
						</Show>
					</header>
					<Failure text={outcome().failure ?? unreadable(outcome()) ?? message()} />
					<Show when={offered()}>
						{text => (
							<p class="quiet" role="status">
								{text()}
							</p>
						)}
					</Show>
					<For each={notes()}>{note => <p class="quiet">{note}</p>}</For>
					<Show
						when={all().length > 0}
						fallback={<Show when={outcome().value}>{value => <pre>{textOf(value())}</pre>}</Show>}
					>
						<Show when={rows().length > 0} fallback={<p class="quiet">No rows.</p>}>
							<DataTable
								caption={title()}
								columns={table().columns}
								rows={rows().slice(0, shown())}
								order={order()}
								onSort={canBrowse() ? next => void sortBy(next) : undefined}
							/>
						</Show>
						<footer>
							<Show when={hasMore()}>
								<button type="button" aria-disabled={isLoading()} onClick={() => void showMore()}>
									More
								</button>
							</Show>
							<Show when={canCall()}>
								<button type="button" onClick={() => void openInWindow()}>
									Show in Roundhouse
								</button>
							</Show>
						</footer>
					</Show>
				</div>
			)}
		</Show>
	)
}

/** Returns what an answer has that is not shown, as sentences. */
function restOf({ affected_rows: affected, more_results: more }: JsonObject): readonly string[] {
	return [
		...(typeof affected === 'number' ? [`Affected rows: ${count(affected)}.`] : []),
		...(Array.isArray(more) ? [`Further results that are not shown here: ${count(more.length)}.`] : []),
	]
}

/** The answer of a statement without rows. */
function textOf({ text, result, status }: JsonObject): string {
	if (typeof text === 'string') return spelledOut(text)
	return spelledOut(result === undefined ? String(status) : stringifyJson(result, 2))
}

startApp('roundhouse-rows', RowsApp)
