import { createUniqueId, type JSX } from 'solid-js'
import { PathButton } from './path-picker.tsx'

/** A folder of this machine, typed or picked. */
export function FolderField(props: {
	readonly help: string
	readonly value: string
	onInput(path: string): void
	onPick(path: string): void
}): JSX.Element {
	const id = createUniqueId()
	return (
		<div class="field">
			<label for={id}>Folder</label>
			<div class="field-input">
				<input
					id={id}
					autocomplete="off"
					spellcheck={false}
					value={props.value}
					aria-describedby={`${id}-help`}
					onInput={event => props.onInput(event.currentTarget.value)}
				/>
				<PathButton kind="folder" label="Folder" value={props.value} onChoose={props.onPick} />
			</div>
			<p id={`${id}-help`} class="field-help">
				{props.help}
			</p>
		</div>
	)
}
