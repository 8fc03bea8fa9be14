import { isJsonObject, parseJson } from '@roundhouse/kit/json'
import { createSignal, type JSX, Show } from 'solid-js'
import type { Cell } from '../../../host/ui-server/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Notice } from '../../controls/notice.tsx'
import { newValue } from './cell-input.ts'

/** A new document as JSON, with an id or one that the engine makes. It is staged like every other change. */
export function InsertDialog(props: { onInsert(values: Record<string, Cell>): void; onClose(): void }): JSX.Element {
	const [id, setId] = createSignal('')
	const [text, setText] = createSignal('{\n\t\n}')
	const [fault, setFault] = createSignal<string>()

	function stage(event: Event): void {
		event.preventDefault()
		try {
			const document = parseJson(text())
			if (!isJsonObject(document)) throw new SyntaxError('A document is an object: { … }')
			const values = Object.fromEntries(Object.entries(document).map(([name, value]) => [name, newValue(value)]))
			props.onInsert({ ...(id().trim() !== '' && { _id: id().trim() }), ...values })
			props.onClose()
		} catch (error) {
			setFault(error instanceof Error ? error.message : String(error))
		}
	}

	return (
		<Dialog title="New document" size="wide" onClose={props.onClose}>
			<form class="form" onSubmit={stage}>
				<div class="dialog-body">
					<div class="field">
						<label for="new-id">_id</label>
						<input
							id="new-id"
							autocomplete="off"
							spellcheck={false}
							placeholder="Left empty, the engine makes one"
							value={id()}
							onInput={event => setId(event.currentTarget.value)}
						/>
					</div>
					<textarea
						class="document-editor"
						aria-label="Document as JSON"
						rows={14}
						spellcheck={false}
						value={text()}
						onInput={event => {
							setText(event.currentTarget.value)
							setFault(undefined)
						}}
					/>
					<Show when={fault()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button type="submit" class="button primary">
						Stage
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
