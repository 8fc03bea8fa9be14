import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Effect } from '../../host/api/api.ts'
import { placeWords } from '../words/place-words.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog, type HeldWords } from './dialog.tsx'
import { EffectView } from './effect-view.tsx'
import { Notice } from './notice.tsx'
import { StatementText } from './statement-text.tsx'

/** The connection of a write, as its dialog names it. */
export interface WrittenConnection {
	readonly name: string
	readonly id: string
	readonly view: { readonly isProduction: boolean }
}

/** Shows what would be sent. On a production connection, a destructive action waits until a name is typed. */
export function WriteSheet(props: {
	/** What is done; the title adds the connection. */
	readonly title: string
	readonly connection: WrittenConnection
	/** The database, if that is another one than that of the connection. */
	readonly database?: string | undefined
	/** What is changed, above the statements. */
	readonly lead?: JSX.Element
	/** The heading of the statements. Without one their words stand alone. */
	readonly head?: string
	/** What more is known of the statements, below them. */
	readonly rest?: JSX.Element
	readonly words: string
	readonly writes: readonly { readonly text: string; readonly destroys?: string; readonly effect?: Effect }[]
	/** The name of what is destroyed; undefined if nothing is. */
	readonly destroyed?: string | undefined
	readonly yes: string
	readonly no?: string
	/** Whether it lies beside the rows, which stay in sight and in use. */
	readonly isBeside?: boolean
	/**
	 * The focus begins on the button that writes, unless something is destroyed or the connection is in production. Then it
	 * begins on the other button, so that the key that asked is no answer.
	 */
	readonly startsAtYes?: boolean
	readonly isBusy?: boolean
	/** What stops the write. */
	readonly whileBusy?: JSX.Element
	/** What Escape and the close button ask while it runs, if closing stops it. The backdrop does not close it then. */
	readonly stops?: HeldWords
	readonly fault?: string | undefined
	onYes(typed: string | undefined): void
	onNo(): void
}): JSX.Element {
	const id = createUniqueId()
	const [typed, setTyped] = createSignal('')
	/** The name to type, if one is asked for. */
	const name = () => (props.connection.view.isProduction ? props.destroyed : undefined)
	const needsCare = () => props.destroyed !== undefined || props.connection.view.isProduction
	const isReady = () => props.isBusy !== true && (name() === undefined || typed() === name())
	function send(event: Event): void {
		event.preventDefault()
		if (isReady()) props.onYes(name() === undefined ? undefined : typed())
	}
	return (
		<Dialog
			title={`${props.title} on ${placeWords(props.connection.name, props.database)}`}
			size={props.isBeside === true ? 'pane' : 'wide'}
			isProduction={props.connection.view.isProduction}
			isHeld={props.isBusy === true && props.stops !== undefined}
			{...(props.stops && { heldWords: props.stops })}
			onClose={() => props.onNo()}
		>
			<form class="form" onSubmit={send} novalidate>
				<div class="dialog-body">
					<For each={props.writes.flatMap(({ destroys }) => destroys ?? [])}>
						{destroys => <Notice kind="error">{`This deletes ${destroys}.`}</Notice>}
					</For>
					<For each={props.writes}>
						{({ effect, text }) => <Show when={effect}>{effect => <EffectView effect={effect()} text={text} />}</Show>}
					</For>
					{props.lead}
					<Show when={props.head}>{head => <h3 class="write-head">{head()}</h3>}</Show>
					<p class="quiet">{props.words}</p>
					<ol class="code-box">
						<For each={props.writes}>
							{({ text }) => (
								<li>
									<pre tabindex={0}>
										<StatementText text={text} />
									</pre>
								</li>
							)}
						</For>
					</ol>
					{props.rest}
					<Show when={name()}>
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
					<CopyButton label="Copy what is sent" text={() => props.writes.map(({ text }) => text).join('\n\n')} />
					<span class="grow" />
					{props.whileBusy}
					<button
						type="button"
						class="button"
						data-autofocus={needsCare() && name() === undefined ? '' : undefined}
						onClick={() => props.onNo()}
					>
						{props.no ?? 'Cancel'}
					</button>
					<button
						type="submit"
						class="button primary"
						classList={{ danger: props.destroyed !== undefined }}
						disabled={!isReady()}
						data-autofocus={props.startsAtYes && !needsCare() ? '' : undefined}
					>
						{props.yes}
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
