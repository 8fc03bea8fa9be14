import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConsoleResult } from '../../host/ui-server/api.ts'
import { cellText } from '../cells/cell-text.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { FactSectionView } from '../controls/fact-section.tsx'
import { Notice } from '../controls/notice.tsx'
import { count } from '../words/format.ts'
import type { Run } from './runs.ts'

/** Laying out more at once would freeze the window. */
const shownRows = 100
const shownCharacters = 200_000

/** One statement with its status line and its result: rows as a table, everything else as text. */
export function RunView(props: { readonly run: Run }): JSX.Element {
	const result = () => props.run.task.value()
	const statement = () => props.run.statement.split('\n')[0] ?? ''
	return (
		<article class="run" aria-label={statement()}>
			<header class="run-head">
				<code class="run-statement">{statement()}</code>
				<Switch>
					<Match when={props.run.task.isRunning()}>
						<span class="quiet">Running …</span>
						<button type="button" class="button small" onClick={props.run.task.cancel}>
							Cancel
						</button>
					</Match>
					<Match when={result()}>
						{found => (
							<>
								<span class="badge" classList={{ positive: !isRefusal.test(found().status) }}>
									{found().status}
								</span>
								<span class="quiet">{found().tookMs} ms</span>
								<Total result={found()} />
								<CopyButton label="Copy the result" size={13} text={() => textOf(found())} />
							</>
						)}
					</Match>
					<Match when={props.run.task.error() === undefined}>
						<span class="quiet">Cancelled</span>
					</Match>
				</Switch>
			</header>
			<Show when={props.run.task.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<For each={result()?.notices ?? []}>{notice => <Notice kind="info">{notice}</Notice>}</For>
			<Show when={result()}>{found => <Body result={found()} />}</Show>
			<For each={result()?.panels ?? []}>{panel => <FactSectionView section={panel} />}</For>
		</article>
	)
}

function Total(props: { readonly result: ConsoleResult }): JSX.Element {
	const total = () => (props.result.body.view === 'rows' ? props.result.body.total : undefined)
	return (
		<Show when={total()}>{found => <span class="quiet">{count(found().value, found().isExact)} in all</span>}</Show>
	)
}

function Body(props: { readonly result: ConsoleResult }): JSX.Element {
	const [limit, setLimit] = createSignal(shownRows)
	const rows = () => (props.result.body.view === 'rows' ? props.result.body : undefined)
	const text = () => (props.result.body.view === 'rows' ? undefined : textOf(props.result))
	return (
		<>
			<Show when={rows()}>
				{table => (
					<div class="run-table">
						<table>
							<thead>
								<tr>
									<For each={table().columns}>{column => <th>{column.name}</th>}</For>
								</tr>
							</thead>
							<tbody>
								<For each={table().rows.slice(0, limit())}>
									{row => (
										<tr>
											<For each={row}>
												{cell => {
													const { text, look } = cellText(cell)
													return <td class={`look-${look}`}>{text}</td>
												}}
											</For>
										</tr>
									)}
								</For>
							</tbody>
						</table>
						<Show when={table().rows.length > limit()}>
							<button type="button" class="button small" onClick={() => setLimit(shown => shown + shownRows)}>
								Show more of {count(table().rows.length)}
							</button>
						</Show>
						<Show when={table().isTruncated}>
							<p class="quiet">There are more rows. Narrow the request, or open the table in the grid.</p>
						</Show>
					</div>
				)}
			</Show>
			<Show when={text()}>
				{body => (
					<pre class="run-text">
						{body().slice(0, shownCharacters)}
						{body().length > shownCharacters ? '\n… copy the result to see the rest' : ''}
					</pre>
				)}
			</Show>
		</>
	)
}

/** How an engine that speaks HTTP says no; others throw. */
const isRefusal = /^[45]\d\d\b/

function textOf({ body }: ConsoleResult): string {
	if (body.view === 'json') return body.json
	if (body.view === 'text') return body.text
	const names = body.columns.map(column => column.name).join('\t')
	return [names, ...body.rows.map(row => row.map(cell => cellText(cell).text).join('\t'))].join('\n')
}
