import { createSignal, For, type JSX } from 'solid-js'
import { type CopyChoice, type CopyFormat, copyFormats, hasNames } from '../../cells/copy.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { counted } from '../../words/format.ts'

/** A format in which a driver writes rows. */
export interface DriverFormat {
	readonly id: string
	readonly label: string
}

/** Copies the selection in a chosen format. */
export function CopyDialog(props: {
	readonly cellCount: number
	/** Formats of the driver. */
	readonly exports: readonly DriverFormat[]
	onCopy(choice: CopyChoice): void
	onClose(): void
}): JSX.Element {
	const [format, setFormat] = createSignal<CopyFormat>('TSV')
	const [exported, setExported] = createSignal<string>()
	const [chosen, setChosen] = createSignal<boolean>()
	const isFree = () => exported() === undefined && (format() === 'TSV' || format() === 'CSV')
	const withNames = () => (isFree() ? (chosen() ?? hasNames(format())) : true)
	return (
		<Dialog title={`Copy ${counted(props.cellCount, { one: 'cell', many: 'cells' })}`} onClose={props.onClose}>
			<form
				class="form"
				onSubmit={event => {
					event.preventDefault()
					const id = exported()
					props.onCopy(id === undefined ? { format: format(), withNames: withNames() } : { exported: id })
					props.onClose()
				}}
			>
				<div class="dialog-body">
					<fieldset class="copy-formats">
						<legend>Format</legend>
						<For each={[...copyFormats.map(each => ({ format: each, label: each })), ...props.exports]}>
							{each => (
								<label class="option">
									<input
										type="radio"
										name="format"
										checked={
											'id' in each ? exported() === each.id : exported() === undefined && format() === each.format
										}
										onChange={() => {
											setExported('id' in each ? each.id : undefined)
											if ('format' in each) setFormat(each.format)
										}}
									/>
									{each.label}
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
