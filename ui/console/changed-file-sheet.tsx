import type { JSX } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import type { ChangedFile } from './saved-file.ts'

/** Git, an editor or another window changed a saved request while this console showed it. */
export function ChangedFileSheet(props: {
	readonly changed: ChangedFile
	onLoad(): void
	onOverwrite(): void
	onClose(): void
}): JSX.Element {
	return (
		<Dialog title={`${props.changed.onDisk.name} was changed on disk`} size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<p>
					{props.changed.isSaving
						? 'The file has changed since you opened it. Its content now:'
						: 'You have changed it too. The content of the file now:'}
				</p>
				<pre class="changed-file" tabindex={0}>
					{props.changed.onDisk.text}
				</pre>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => props.onClose()}>
					{props.changed.isSaving ? 'Do not save' : 'Keep mine here'}
				</button>
				<button type="button" class="button" onClick={() => props.onOverwrite()}>
					Overwrite with mine
				</button>
				<button type="button" class="button primary" onClick={() => props.onLoad()}>
					Load the file
				</button>
			</footer>
		</Dialog>
	)
}
