import './rows.css'
import { type JsonObject, stringifyJson } from '@roundhouse/kit/json'
import { batch, createSignal, For, type JSX, Show } from 'solid-js'
import { count } from '../words/format.ts'
import { answerRows } from './answer-rows.ts'
import { DataTable, type Order } from './data-table.tsx'
import { callTool, type HostLink, isExact, type ToolOutcome } from './host-link.ts'
import { Failure, startApp } from './start-app.tsx'

/** Rows that are shown at once, and those that "More" adds. */
const step = 20
/** Rows that "More" reads at once. */
const pageRows = 100

/** The app of `browse_table` and `query`: the rows of the answer, more of them, and another order. */
function RowsApp(props: { readonly host: HostLink }): JSX.Element {
	const { host } = props
	/** Answers of the app's own calls, which replace or extend the first one. */
	const [pages, setPages] = createSignal<readonly ToolOutcome[]>()
	const [order, setOrder] = createSignal<Order>()
	const [shown, setShown] = createSignal(step)
	const [isLoading, setLoading] = createSignal(false)
	const [message, setMessage] = createSignal<string>()

	const all = () => (pages() ?? [host.outcome()]).flatMap(page => (page ? (answerRows(page.value) ?? []) : []))
	const last = () => all().at(-1)
	const rows = () => all().flatMap(page => page.rows)
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
		const answer = await callTool(host, 'browse_table', {
			...browsed(),
			...sortOf(order()),
			max_rows: pageRows,
			...more,
		})
		setLoading(false)
		setMessage(answer.failure)
		return answer.failure === undefined ? answer : undefined
	}

	async function showMore(): Promise<void> {
		const cursor = last()?.nextCursor
		if (rows().length < shown() + step && canBrowse() && cursor !== undefined) {
			const before = pages() ?? [host.outcome()].filter(page => page !== undefined)
			const answer = await browse({ cursor })
			if (!answer) return
			setPages([...before, answer])
		}
		setShown(current => current + step)
	}

	async function sortBy(next: Order): Promise<void> {
		const answer = await browse(sortOf(next))
		if (!answer) return
		batch(() => {
			setOrder(next)
			setPages([answer])
			setShown(step)
		})
	}

	async function openInWindow(): Promise<void> {
		const { connection_id: id, connection, query, ...rest } = browsed() ?? host.input() ?? {}
		const where = { ...(id !== undefined && { connection_id: id }), ...(connection !== undefined && { connection }) }
		const what = typeof query === 'string' ? { query } : { browse: { ...rest, ...sortOf(order()) } }
		const { failure, value } = await callTool(host, 'open_in_window', { ...where, ...what })
		setMessage(failure ?? (typeof value.status === 'string' ? value.status : undefined))
	}

	const title = () => String(host.input()?.table ?? 'Result')
	const summary = () => {
		const total = last()?.total
		const seen = count(Math.min(shown(), rows().length))
		if (total === undefined) return `${seen} of ${count(rows().length)} rows of the answer`
		return `${seen} of ${last()?.isTotalExact ? '' : 'at least '}${count(total)} rows`
	}

	return (
		<Show when={host.outcome()} fallback={<p class="quiet">Reading rows …</p>}>
			{outcome => (
				<>
					<header>
						<h1>{title()}</h1>
						<Show when={all().length > 0}>
							<span class="quiet" role="status">
								{isLoading() ? 'Loading …' : summary()}
							</span>
						</Show>
					</header>
					<Failure text={outcome().failure ?? message()} />
					<For each={last()?.notes ?? []}>{note => <p class="quiet">{note}</p>}</For>
					<Show
						when={all().length > 0}
						fallback={
							<Show when={!outcome().failure}>
								<pre>{textOf(outcome().value)}</pre>
							</Show>
						}
					>
						<Show when={rows().length > 0} fallback={<p class="quiet">No rows.</p>}>
							<DataTable
								caption={title()}
								columns={last()?.columns ?? []}
								rows={rows().slice(0, shown())}
								order={order()}
								onSort={canBrowse() ? next => void sortBy(next) : undefined}
							/>
						</Show>
						<footer>
							<Show when={hasMore()}>
								<button type="button" disabled={isLoading()} onClick={() => void showMore()}>
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
				</>
			)}
		</Show>
	)
}

/** The answer of a statement without rows. */
function textOf({ text, result, status }: JsonObject): string {
	if (typeof text === 'string') return text
	return result === undefined ? String(status) : stringifyJson(result, 2)
}

startApp('roundhouse-rows', RowsApp)
