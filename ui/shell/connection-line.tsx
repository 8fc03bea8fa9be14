import { type JSX, Show } from 'solid-js'
import type { TabConnection } from '../state/tab.ts'
import { connectionColour } from '../words/connection-colour.ts'
import { safeModeWords } from '../words/safe-mode.ts'

/** Under every tab: whose it is, and what may be written there. */
export function ConnectionLine(props: { readonly connection: TabConnection }): JSX.Element {
	const view = () => props.connection.view
	return (
		<section class="connection-status" aria-label="Connection of this tab">
			<span class="connection-colour" style={{ background: connectionColour(view()) }} />
			<span class="connection-text">{props.connection.name}</span>
			<span class={`guard guard-${view().safeMode}`}>{safeModeWords[view().safeMode]}</span>
			<Show when={view().isProduction}>
				<span class="guard production">Production</span>
			</Show>
		</section>
	)
}
