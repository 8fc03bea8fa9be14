import { base64OfHex } from '@roundhouse/kit/cell-input'
import Download from 'lucide-solid/icons/download'
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { bytesOf } from '../../cells/bytes.ts'
import { editText } from '../../cells/edit-text.ts'
import { CopyButton } from '../../controls/copy-button.tsx'
import { Dialog } from '../../controls/dialog.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { saveFile } from '../../controls/save-file.ts'
import { later } from '../../state/later.ts'
import { askBeforeLeaving } from '../../state/leaving.ts'
import { counted, bytes as sizeOf } from '../../words/format.ts'
import { editorKind, readCell } from './cell-input.ts'
import { DateFields } from './date-fields.tsx'
import { hasTemporal, readDate } from './date-text.ts'

const TextEditor = later(async () => (await import('../../controls/text-editor/text-editor.tsx')).TextEditor)

/** One value in a dialog: long text and JSON with line numbers, a date by its parts. Ctrl+Enter keeps it. */
export function ValueDialog(props: {
	readonly column: Column
	readonly cell: Cell
	readonly isReadOnly: boolean
	/** The typed text; undefined if it equals the original. */
	onDone(next?: Cell): void
}): JSX.Element {
	const { column, cell } = props
	const kind = editorKind(column, cell)
	const before = editText(kind, cell)
	const [text, setText] = createSignal(before)
	const isChanged = () => text() !== before
	askBeforeLeaving(isChanged)
	const fault = createMemo(() => {
		const typed = text() === before ? undefined : readCell(column, cell, text())
		return typed && 'fault' in typed ? typed.fault : undefined
	})
	const typedBytes = () => bytesOf(base64OfHex(text()) ?? '')
	const isDate =
		hasTemporal && column.kind === 'date' && kind === 'line' && (before === '' || readDate(before) !== undefined)

	function keep(event?: Event): void {
		event?.preventDefault()
		if (props.isReadOnly || text() === before) return props.onDone()
		const typed = readCell(column, cell, text())
		if ('cell' in typed) props.onDone(typed.cell)
	}

	return (
		<Dialog title={column.name} size="wide" isHeld={isChanged()} onClose={() => props.onDone()}>
			<form class="form" onSubmit={keep} novalidate>
				<div class="dialog-body">
					<Show
						when={isDate && !props.isReadOnly}
						fallback={
							<TextEditor
								label={`Value of ${column.name}`}
								text={before}
								isJson={kind === 'json'}
								isReadOnly={props.isReadOnly}
								onChange={setText}
								onKeep={keep}
							/>
						}
					>
						<DateFields name={column.name} text={text()} onChange={setText} />
					</Show>
				</div>
				<footer class="dialog-foot">
					<span class="hint grow" classList={{ fault: fault() !== undefined }} role="status">
						<Show
							when={fault()}
							fallback={`${column.type}, ${kind === 'bytes' ? `${sizeOf(typedBytes().length)} in hexadecimal` : counted(text().length, { one: 'character', many: 'characters' })}`}
						>
							{message => `This is ${message()}.`}
						</Show>
					</span>
					<CopyButton label="Copy value" text={text} />
					<Show when={kind === 'bytes'}>
						<IconButton
							label="Save the bytes to a file"
							isSmall
							onClick={() => saveFile(`${column.name}.bin`, 'application/octet-stream', typedBytes())}
						>
							<Download size={14} />
						</IconButton>
					</Show>
					<button type="button" class="button" onClick={() => props.onDone()}>
						{props.isReadOnly ? 'Close' : 'Cancel'}
					</button>
					<Show when={!props.isReadOnly}>
						<button type="submit" class="button primary" title="Ctrl-Enter" disabled={fault() !== undefined}>
							Keep
						</button>
					</Show>
				</footer>
			</form>
		</Dialog>
	)
}
