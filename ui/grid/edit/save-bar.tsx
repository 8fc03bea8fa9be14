import Redo2 from 'lucide-solid/icons/redo-2'
import Undo2 from 'lucide-solid/icons/undo-2'
import { For, type JSX, Show } from 'solid-js'
import { Dialog } from '../../controls/dialog.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Notice } from '../../controls/notice.tsx'
import { count, counted } from '../../words/format.ts'
import type { Edits } from './edits.ts'
import type { Saving } from './saving.ts'

/** What is staged, with undo, discard and save; and the review before anything is sent. */
export function SaveBar(props: { readonly edits: Edits; readonly saving: Saving }): JSX.Element {
	const changes = () => counted(props.edits.count(), { one: 'change', many: 'changes' })
	const savingWords = () => {
		const sent = props.saving.sent()
		return sent === undefined ? 'Saving …' : `Saving … ${count(sent)}`
	}
	return (
		<>
			<Show when={props.saving.message()}>{message => <Notice kind={message().kind}>{message().text}</Notice>}</Show>
			<Show when={props.edits.count() > 0 || props.edits.canRedo()}>
				<div class="save-bar" role="toolbar" aria-label="Staged changes">
					<span class="save-count">{changes()} not saved</span>
					<IconButton label="Undo" isDisabled={!props.edits.canUndo()} onClick={props.edits.undo}>
						<Undo2 size={15} />
					</IconButton>
					<IconButton label="Redo" isDisabled={!props.edits.canRedo()} onClick={props.edits.redo}>
						<Redo2 size={15} />
					</IconButton>
					<button type="button" class="button" onClick={props.edits.discard}>
						Discard
					</button>
					<button
						type="button"
						class="button primary"
						disabled={props.edits.count() === 0}
						onClick={() => void props.saving.review()}
					>
						Review and save
					</button>
				</div>
			</Show>
			<Show when={props.saving.preview()}>
				{requests => (
					<Dialog title={`Save ${changes()}`} size="wide" onClose={props.saving.cancel}>
						<div class="dialog-body">
							<p class="quiet">These requests are sent, in this order. A row that fails stays staged.</p>
							<ol class="code-box">
								<For each={requests()}>
									{request => (
										<li>
											<pre>{request}</pre>
										</li>
									)}
								</For>
							</ol>
						</div>
						<footer class="dialog-foot">
							<button type="button" class="button" onClick={props.saving.cancel}>
								Cancel
							</button>
							<button
								type="button"
								class="button primary"
								disabled={props.saving.isSaving()}
								onClick={() => void props.saving.save()}
							>
								{props.saving.isSaving() ? savingWords() : 'Save'}
							</button>
						</footer>
					</Dialog>
				)}
			</Show>
		</>
	)
}
