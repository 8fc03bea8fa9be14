import { type JSX, Show } from 'solid-js'
import { keysText } from '../../words/keys.ts'
import { type BarQuery, textOf } from './bar-query.ts'

/** Says what was searched for instead of the typed text, and offers the other choice. */
export function QueryNote(props: {
	readonly query: BarQuery
	/** Searches for what the driver reads in a text. */
	onRead(text: string): void
	/** Searches for exactly this text. */
	onLiteral(text: string): void
}): JSX.Element {
	const isLiteral = () => props.query.typed === props.query.raw
	return (
		<Show when={props.query.typed !== undefined}>
			<p class="query-note">
				<Show
					when={isLiteral()}
					fallback={
						<span class="query-note-words" title={props.query.raw} role="status">
							Read as <code>{props.query.raw}</code>
						</span>
					}
				>
					<span class="query-note-words" role="status">
						Searched exactly as typed.
					</span>
				</Show>
				<button
					type="button"
					class="button tiny"
					title={isLiteral() ? undefined : keysText('Alt+Enter')}
					onClick={() => (isLiteral() ? props.onRead : props.onLiteral)(textOf(props.query))}
				>
					{isLiteral() ? 'Search for its meaning' : 'Search as typed'}
				</button>
			</p>
		</Show>
	)
}
