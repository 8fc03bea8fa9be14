import Database from 'lucide-solid/icons/database'
import { type JSX, Show } from 'solid-js'

/** What stands where no tab is open: the next step. */
export function Welcome(props: { readonly hasConnections: boolean; onNew(): void }): JSX.Element {
	return (
		<div class="empty">
			<Database size={36} strokeWidth={1.25} />
			<Show
				when={props.hasConnections}
				fallback={
					<>
						<h1>Nothing connected yet</h1>
						<p>Choose an engine, and Roundhouse fetches its driver. No server at hand? Some engines bring a sample.</p>
						<button type="button" class="button primary" onClick={() => props.onNew()}>
							New connection
						</button>
					</>
				}
			>
				<h1>Choose a table</h1>
				<p>Open a connection on the left, then one of its tables.</p>
			</Show>
		</div>
	)
}
