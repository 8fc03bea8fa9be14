import type { JSX } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { StatementText } from '../controls/statement-text.tsx'

/** The request behind the view, with a way to open it in the console. */
export function RequestSheet(props: {
	/** What it is, in the engine's words. */
	readonly name: string
	readonly text: string
	onConsole(text: string): void
	onClose(): void
}): JSX.Element {
	return (
		<Dialog title={props.name} onClose={props.onClose}>
			<div class="dialog-body">
				<pre class="request-text" tabindex={0}>
					<StatementText text={props.text} />
				</pre>
			</div>
			<footer class="dialog-foot">
				<button
					type="button"
					class="button primary"
					data-autofocus
					onClick={() => {
						const { text } = props
						props.onClose()
						props.onConsole(text)
					}}
				>
					Open in the console
				</button>
			</footer>
		</Dialog>
	)
}
