import { stringifyJson } from '@roundhouse/kit/json'
import Copy from 'lucide-solid/icons/copy'
import X from 'lucide-solid/icons/x'
import { createResource, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { Row } from '../../host/ui-server/api.ts'
import { capital } from '../controls/format.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { useEngine } from '../state/engine.tsx'
import { messageOf, useHost } from '../state/host.tsx'

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
	const source = () => props.row && { rowId: props.row.id, version: props.row.version }
	const [whole] = createResource(source, ({ rowId }) =>
		host.call('rows.read', { connection: props.connection, table: props.table, rowId }),
	)
	const text = () => {
		const row = whole.error ? undefined : whole()
		return row ? stringifyJson(row.document, 2) : ''
	}
	return (
		<aside class="document" aria-label={capital(rowNoun.one)}>
			<header class="document-head">
				<span class="grow">{capital(rowNoun.one)}</span>
				<IconButton label={`Copy ${rowNoun.one}`} isSmall onClick={() => void navigator.clipboard.writeText(text())}>
					<Copy size={14} />
				</IconButton>
				<IconButton label={`Close ${rowNoun.one}`} isSmall onClick={() => props.onClose()}>
					<X size={14} />
				</IconButton>
			</header>
			<Switch fallback={<p class="quiet document-hint">Choose a row to see it whole.</p>}>
				<Match when={whole.error}>{error => <Notice kind="error">{messageOf(error())}</Notice>}</Match>
				<Match when={whole()}>
					{row => (
						<>
							<dl class="document-meta">
								<For each={Object.entries(row().meta)}>
									{([name, value]) => (
										<>
											<dt>{name}</dt>
											<dd>{typeof value === 'string' ? value : stringifyJson(value)}</dd>
										</>
									)}
								</For>
							</dl>
							<pre class="document-json">{text().slice(0, shownLength)}</pre>
							<Show when={text().length > shownLength}>
								<p class="document-hint quiet">The {rowNoun.one} goes on. Copy it to see the rest.</p>
							</Show>
						</>
					)}
				</Match>
				<Match when={whole.loading}>
					<p class="quiet document-hint">Loading …</p>
				</Match>
			</Switch>
		</aside>
	)
}
