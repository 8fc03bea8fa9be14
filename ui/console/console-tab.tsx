import Play from 'lucide-solid/icons/play'
import { createEffect, For, type JSX, Show } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import type { TabOf, TabProps } from '../state/tab.ts'
import type { OpenConsole } from './console.ts'
import { RunView } from './run-view.tsx'

export interface ConsoleTab extends TabOf<'console'> {
	readonly console: OpenConsole
}

/** A console: the text to the left, what was run to the right. */
export function ConsoleView(props: TabProps<ConsoleTab>): JSX.Element {
	const { runs, asking, fault, runNearest, runAll, editor } = props.tab.console
	createEffect(() => props.isActive && editor.focus())
	return (
		<section class="console" classList={{ hidden: !props.isActive }} role="tabpanel" aria-label="Console">
			<div class="toolbar" role="toolbar" aria-label="Console">
				<button type="button" class="button primary" title="Ctrl-Enter" onClick={runNearest}>
					<Play size={13} /> Run
				</button>
				<button type="button" class="button" onClick={runAll}>
					Run all
				</button>
				<span class="quiet">Runs the request at the cursor, or those that are selected.</span>
			</div>
			<Show when={fault()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<div class="console-split">
				<div class="console-editor">{editor.dom}</div>
				<div class="console-results" aria-live="polite">
					<For each={runs()} fallback={<p class="quiet console-hint">Results show here.</p>}>
						{run => <RunView run={run} />}
					</For>
				</div>
			</div>
			<Show when={asking()}>
				{question => (
					<Dialog title="This destroys data" onClose={() => question().answer(false)}>
						<div class="dialog-body">
							<div class="code-box">
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
