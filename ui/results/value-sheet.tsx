import { type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/api/api.ts'
import { byteCount } from '../cells/bytes.ts'
import { copyText } from '../cells/cell-text.ts'
import type { MenuEntry } from '../controls/context-menu.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { TextEditor } from '../controls/text-editor/text-editor.tsx'
import { LongText } from '../json/long-text.tsx'
import { count, bytes as sizeOf } from '../words/format.ts'

/** A value of a result, of any length. */
export function ValueSheet(props: {
	readonly name: string
	readonly cell: Cell
	/** Opens its row where it can be edited. */
	readonly edit: MenuEntry | undefined
	onClose(): void
}): JSX.Element {
	const text = copyText(props.cell)
	const label = `Value of ${props.name}`
	const isJson = typeof props.cell === 'object' && props.cell !== null && 'json' in props.cell && !noteOn(props.cell)
	return (
		<Dialog title={props.name} size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<Show when={noteOn(props.cell)}>{words => <Notice kind="info">{words()}</Notice>}</Show>
				<Show when={isJson} fallback={<TextEditor label={label} text={text} isJson={false} isReadOnly />}>
					<LongText label={label} bytes={new TextEncoder().encode(text)} isJson />
				</Show>
			</div>
			<footer class="dialog-foot">
				<span class="grow" />
				<Show when={props.edit}>
					{edit => (
						<button
							type="button"
							class="button"
							onClick={() => {
								props.onClose()
								edit().run()
							}}
						>
							{edit().label}
						</button>
					)}
				</Show>
				<CopyButton label="Copy the value" text={() => text} />
				<button type="button" class="button" onClick={() => props.onClose()}>
					Close
				</button>
			</footer>
		</Dialog>
	)
}

/** Returns what the text does not show: that there is no value, or how much of it was read. */
function noteOn(cell: Cell): string | undefined {
	if (cell === null) return 'There is no value here (null).'
	if (typeof cell !== 'object' || !('cutFrom' in cell) || cell.cutFrom === undefined) return undefined
	if ('bytes' in cell) return `Only the first ${sizeOf(byteCount(cell.bytes))} of ${sizeOf(cell.cutFrom)} were read.`
	const read = copyText(cell).length
	return `Only the first ${count(read)} of ${count(cell.cutFrom)} characters were read.`
}
