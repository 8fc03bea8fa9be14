import { stringifyJson } from '@roundhouse/kit/json'
import X from 'lucide-solid/icons/x'
import { createEffect, createMemo, For, type JSX, Match, on, Show, Switch } from 'solid-js'
import type { Row } from '../../host/ui-server/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import { createTask } from '../state/task.ts'
import { capital } from '../words/format.ts'

/** Laying out more text than this at once would freeze the window. */
const shownLength = 500_000

/** The whole of the current row, nothing cut, every number as it came. */
export function RowPanel(props: {
	readonly connection: string
	readonly table: string
	readonly row: Row | undefined
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const whole = createTask((call, rowId: string) =>
		host.call('rows.read', { connection: props.connection, table: props.table, rowId }, call),
	)
	/** While the row is on its way, what was shown stays. */
	const row = createMemo(() => props.row)
	createEffect(on(row, chosen => chosen && void whole.run(chosen.id)))
	const text = createMemo(() => {
		const read = whole.value()
		return read ? stringifyJson(read.document, 2) : ''
	})
	return (
		<aside class="row-panel" aria-label={capital(rowNoun.one)}>
			<header class="row-panel-head">
				<span class="grow">{capital(rowNoun.one)}</span>
				<CopyButton label={`Copy ${rowNoun.one}`} text={text} />
				<IconButton label={`Close ${rowNoun.one}`} isSmall onClick={() => props.onClose()}>
					<X size={14} />
				</IconButton>
			</header>
			<Switch fallback={<p class="quiet row-panel-hint">Choose a row to see it whole.</p>}>
				<Match when={whole.error() !== undefined}>
					<Failure of={whole} />
				</Match>
				<Match when={whole.value()}>
					{row => (
						<>
							<dl class="row-panel-meta">
								<For each={Object.entries(row().meta)}>
									{([name, value]) => (
										<>
											<dt>{name}</dt>
											<dd>{typeof value === 'string' ? value : stringifyJson(value)}</dd>
										</>
									)}
								</For>
							</dl>
							<pre class="row-panel-json">{text().slice(0, shownLength)}</pre>
							<Show when={text().length > shownLength}>
								<p class="row-panel-hint quiet">The {rowNoun.one} goes on. Copy it to see the rest.</p>
							</Show>
						</>
					)}
				</Match>
				<Match when={whole.isRunning()}>
					<p class="quiet row-panel-hint">Loading …</p>
				</Match>
			</Switch>
		</aside>
	)
}
