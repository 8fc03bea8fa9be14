import type { CompletionResult } from '@codemirror/autocomplete'
import Play from 'lucide-solid/icons/play'
import { createEffect, For, type JSX, Show } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { useEngine } from '../state/engine.tsx'
import { useHost, usePreferences } from '../state/host.tsx'
import { ConsoleEditor, type EditorHandle } from './editor.tsx'
import { RunView } from './run-view.tsx'
import { createRuns } from './runs.ts'

/** A console: the text to the left, what was run to the right. The text is kept as it is typed. */
export function ConsoleTab(props: {
	readonly connection: string
	readonly isActive: boolean
	/** A request that was sent here from elsewhere, once. */
	takeText(): string | undefined
}): JSX.Element {
	const host = useHost()
	const engine = useEngine()
	const preferences = usePreferences()
	const key = `console/${props.connection}`
	const stored = preferences.get(key)
	let text = typeof stored === 'string' ? stored : ''
	let editor: EditorHandle | undefined
	createEffect(() => {
		const added = props.takeText()
		if (added !== undefined) queueMicrotask(() => editor?.append(added))
	})
	const { runs, asking, fault, runText } = createRuns(host, props.connection)

	async function complete(text: string, offset: number): Promise<CompletionResult | null> {
		const { from, options } = await host.call('console.complete', {
			connection: props.connection,
			text,
			offset,
		})
		if (options.length === 0) return null
		return {
			from,
			options: options.map(({ label, kind, detail, insert }) => ({
				label,
				type: kind,
				...(detail !== undefined && { detail }),
				...(insert !== undefined && { apply: insert }),
			})),
		}
	}

	return (
		<section class="console" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label="Console">
			<div class="grid-toolbar" role="toolbar" aria-label="Console">
				<button
					type="button"
					class="button primary"
					title="Ctrl-Enter"
					onClick={() => void runText(text, editor?.selection())}
				>
					<Play size={13} /> Run
				</button>
				<button type="button" class="button" onClick={() => void runText(text)}>
					Run all
				</button>
				<span class="quiet">Runs the request at the cursor, or those that are selected.</span>
			</div>
			<Show when={fault()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<div class="console-split">
				<ConsoleEditor
					language={engine.console}
					text={text}
					onChange={next => {
						text = next
						preferences.set(key, next)
					}}
					onRun={range => void runText(text, range)}
					complete={complete}
					ref={handle => {
						editor = handle
					}}
				/>
				<div class="console-results" aria-live="polite">
					<For each={runs()} fallback={<p class="quiet document-hint">Results show here.</p>}>
						{run => <RunView run={run} />}
					</For>
				</div>
			</div>
			<Show when={asking()}>
				{question => (
					<Dialog title="This destroys data" onClose={() => question().answer(false)}>
						<div class="dialog-body">
							<div class="requests">
								<pre>{question().statement}</pre>
							</div>
							<p class="quiet">It cannot be undone.</p>
						</div>
						<footer class="dialog-foot">
							<button type="button" class="button" onClick={() => question().answer(false)}>
								Cancel
							</button>
							<button type="button" class="button primary danger" onClick={() => question().answer(true)}>
								Run it
							</button>
						</footer>
					</Dialog>
				)}
			</Show>
		</section>
	)
}
