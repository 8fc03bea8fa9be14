import { isJsonObject, parseJson } from '@roundhouse/kit/json'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/ui-server/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Notice } from '../../controls/notice.tsx'
import { useEngine } from '../../state/engine.tsx'
import { capital } from '../../words/format.ts'
import { messageOf } from '../../words/message-of.ts'
import { editorKind, newValue, readInput } from './cell-input.ts'

/** A new row as JSON, its key in fields of its own. It is staged like every other change. */
export function InsertDialog(props: {
	readonly columns: readonly Column[]
	onInsert(values: Record<string, Cell>): void
	onClose(): void
}): JSX.Element {
	const { rowNoun, rowKey } = useEngine()
	const id = createUniqueId()
	const keys = () => props.columns.filter(column => column.isKey)
	const [typedKeys, setTypedKeys] = createSignal<Readonly<Record<string, string>>>({})
	const [text, setText] = createSignal('{\n\t\n}')
	const [fault, setFault] = createSignal<string>()

	/** What was typed for a key; nothing where the engine is to make one. */
	function keyCells(column: Column): readonly (readonly [string, Cell])[] {
		const typed = (typedKeys()[column.name] ?? '').trim()
		if (typed === '') {
			if (rowKey === 'given') throw new SyntaxError(`${column.name} is needed.`)
			return []
		}
		const read = readInput(editorKind(column, null), typed)
		if ('fault' in read) throw new SyntaxError(`${column.name} is ${read.fault}.`)
		return [[column.name, read.cell]]
	}

	function stage(event: Event): void {
		event.preventDefault()
		try {
			const row = parseJson(text())
			if (!isJsonObject(row)) throw new SyntaxError('What is added is an object: { … }')
			const values = Object.entries(row).map(([name, value]) => [name, newValue(value)] as const)
			props.onInsert(Object.fromEntries([...keys().flatMap(keyCells), ...values]))
			props.onClose()
		} catch (error) {
			setFault(messageOf(error))
		}
	}

	return (
		<Dialog title={`New ${rowNoun.one}`} size="wide" onClose={props.onClose}>
			<form class="form" onSubmit={stage} novalidate>
				<div class="dialog-body">
					<For each={keys()}>
						{({ name }) => (
							<div class="field">
								<label for={`${id}-${name}`}>{name}</label>
								<input
									id={`${id}-${name}`}
									autocomplete="off"
									spellcheck={false}
									placeholder={rowKey === 'generated' ? 'Left empty, the engine makes one' : undefined}
									required={rowKey === 'given'}
									value={typedKeys()[name] ?? ''}
									onInput={event => {
										const { value } = event.currentTarget
										setTypedKeys(typed => ({ ...typed, [name]: value }))
										setFault(undefined)
									}}
								/>
							</div>
						)}
					</For>
					<textarea
						class="json-editor"
						aria-label={`${capital(rowNoun.one)} as JSON`}
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
