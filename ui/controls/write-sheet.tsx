import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Shows what would be sent. A destructive action waits until the name of its target is typed. */
export function WriteSheet(props: {
	readonly title: string
	readonly words: string
	readonly writes: readonly { readonly text: string; readonly destroys?: string }[]
	/** The name to type; undefined if nothing is destroyed. */
	readonly name?: string | undefined
	readonly yes: string
	readonly no?: string
	readonly isBusy?: boolean
	readonly fault?: string | undefined
	onYes(typed: string | undefined): void
	onNo(): void
}): JSX.Element {
	const id = createUniqueId()
	const [typed, setTyped] = createSignal('')
	const isReady = () => props.isBusy !== true && (props.name === undefined || typed() === props.name)
	function send(event: Event): void {
		event.preventDefault()
		if (isReady()) props.onYes(props.name === undefined ? undefined : typed())
	}
	return (
		<Dialog title={props.title} size="wide" onClose={() => props.onNo()}>
			<form class="form" onSubmit={send} novalidate>
				<div class="dialog-body">
					<For each={props.writes.flatMap(({ destroys }) => destroys ?? [])}>
						{destroys => <Notice kind="error">{`This deletes: ${destroys}.`}</Notice>}
					</For>
					<p class="quiet">{props.words}</p>
					<ol class="code-box">
						<For each={props.writes}>
							{({ text }) => (
								<li>
									<pre tabindex={0}>{text}</pre>
								</li>
							)}
						</For>
					</ol>
					<Show when={props.name}>
						{name => (
							<div class="write-name">
								<label for={id}>
									Type <strong>{name()}</strong> to confirm
								</label>
								<input
									id={id}
									autocomplete="off"
									spellcheck={false}
									disabled={props.isBusy}
									value={typed()}
									onInput={event => setTyped(event.currentTarget.value)}
								/>
							</div>
						)}
					</Show>
					<Show when={props.fault}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onNo()}>
						{props.no ?? 'Cancel'}
					</button>
					<button
						type="submit"
						class="button primary"
						classList={{ danger: props.name !== undefined }}
						disabled={!isReady()}
					>
						{props.yes}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
