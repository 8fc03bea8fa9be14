import { ErrorBoundary, type JSX, Show } from 'solid-js'
import { Toasts } from '../controls/toasts.tsx'
import type { TabConnection } from '../state/tab.ts'
import { connectionColour } from '../words/connection-colour.ts'
import { placeWords } from '../words/place-words.ts'
import { safeModeWords } from '../words/safe-mode.ts'

/**
 * The lower edge of the window: the connection of the active tab, and the messages. It is always there and no dialog
 * covers it, so a message neither moves nor covers a control.
 * In a single pane, the status line also has the figures of the table (ui/grid/view/view.css).
 */
export function StatusLine(props: {
	readonly connection: TabConnection | undefined
	/** The database of the active tab, if that is another one than that of the connection. */
	readonly database: string | undefined
}): JSX.Element {
	return (
		<footer class="status-line">
			<Show when={props.connection} keyed>
				{connection => (
					// The fault is the window's, which shows it. The messages stay.
					<ErrorBoundary fallback={null}>
						<ConnectionStatus connection={connection} database={props.database} />
					</ErrorBoundary>
				)}
			</Show>
			<div class="tab-status" />
			<Toasts />
		</footer>
	)
}

/** The connection and its safe mode. */
function ConnectionStatus(props: {
	readonly connection: TabConnection
	readonly database: string | undefined
}): JSX.Element {
	const view = () => props.connection.view
	return (
		<section class="connection-status" aria-label="Connection of this tab">
			<span class="connection-colour" style={{ background: connectionColour(view()) }} />
			<span class="connection-text">{placeWords(props.connection.name, props.database)}</span>
			<Show when={view().isProduction}>
				<span class="guard production">Production</span>
			</Show>
			<span class="quiet">{safeModeWords[view().safeMode]}</span>
		</section>
	)
}
