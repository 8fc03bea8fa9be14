import { createSignal, For, type JSX } from 'solid-js'
import { type CopyFormat, copyFormats, hasNames } from '../../cells/copy.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { counted } from '../../words/format.ts'

/** Copies the selection in a chosen format, with or without column names. */
export function CopyDialog(props: {
	readonly cellCount: number
	onCopy(format: CopyFormat, withNames: boolean): void
	onClose(): void
}): JSX.Element {
	const [format, setFormat] = createSignal<CopyFormat>('TSV')
	const [chosen, setChosen] = createSignal<boolean>()
	const isFree = () => format() === 'TSV' || format() === 'CSV'
	const withNames = () => (isFree() ? (chosen() ?? hasNames(format())) : true)
	return (
		<Dialog title={`Copy ${counted(props.cellCount, { one: 'cell', many: 'cells' })}`} onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					props.onCopy(format(), withNames())
					props.onClose()
				}}
			>
				<div class="dialog-body">
					<fieldset class="copy-formats">
						<legend>Format</legend>
						<For each={copyFormats}>
							{each => (
								<label class="option">
									<input type="radio" name="format" checked={format() === each} onChange={() => setFormat(each)} />
									{each}
								</label>
							)}
						</For>
					</fieldset>
					<label class="option">
						<input
							type="checkbox"
							checked={withNames()}
							disabled={!isFree()}
							onChange={event => setChosen(event.currentTarget.checked)}
						/>
						With column names
					</label>
				</div>
				<footer class="dialog-foot">
					<button type="button" class="button" onClick={() => props.onClose()}>
						Cancel
					</button>
					<button type="submit" class="button primary">
						Copy
					</button>
				</footer>
			</form>
		</Dialog>
	)
}
