import { createSignal, For, type JSX, Show } from 'solid-js'
import type { ExportOptions } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Notice } from '../controls/notice.tsx'
import { ProgressBar } from '../controls/progress-bar.tsx'
import { type Engine, useEngine } from '../state/engine.tsx'
import { usePreferences } from '../state/host.tsx'
import { count } from '../words/format.ts'
import type { Download } from './download.ts'

/** What the user chooses for every export. */
export type ExportChoice = Pick<ExportOptions, 'format' | 'guardFormulas'>

/** Asks for the format of an export, at first the last one that was exported, then shows its progress and outcome. */
export function ExportSheet(props: {
	readonly title: string
	/** The columns of a CSV file, in words. */
	readonly csvColumns: string
	/** Further formats, of the driver. */
	readonly formats?: Engine['exports']
	readonly download: Pick<Download, 'state' | 'isRunning' | 'cancel' | 'error'>
	/** What the file will have, for example *3,003 documents*, as far as it is known. */
	readonly amount?: string | undefined
	/** What else is chosen or said. */
	readonly children: JSX.Element
	onExport(choice: ExportChoice): void
	onClose(): void
}): JSX.Element {
	const preferences = usePreferences()
	const { rowNoun, removesFields, hasJsonNull } = useEngine()
	const formats: readonly (readonly [id: string, label: string])[] = [
		['ndjson', `NDJSON, one ${rowNoun.one} a line`],
		['json', 'JSON, one array'],
		['csv', `CSV, ${props.csvColumns}`],
		...(props.formats ?? []).map(({ id, label }) => [id, label] as const),
	]
	// Documents nest, so a table of them loses their shape.
	const first = removesFields ? 'ndjson' : 'csv'
	const lastFormat = `exports/${removesFields ? 'nested' : 'flat'}`
	const [format, setFormat] = createSignal(formats.find(([id]) => id === preferences.get(lastFormat))?.[0] ?? first)
	const [isGuarded, setGuarded] = createSignal(true)
	const words = () => {
		const { state: how, rows = 0, message } = props.download.state() ?? {}
		if (how === 'done') return { kind: 'info' as const, text: `Exported ${count(rows)} ${rowNoun.many}.` }
		if (how === 'cancelled') return { kind: 'info' as const, text: 'Cancelled. No file was saved.' }
		return how === 'failed' ? { kind: 'error' as const, text: `The export failed: ${message}` } : undefined
	}
	return (
		<Dialog title={props.title} onClose={props.onClose}>
			<div class="dialog-body">
				<div class="field">
					<label for="export-format">Format</label>
					<select id="export-format" value={format()} onChange={event => setFormat(event.currentTarget.value)}>
						<For each={formats}>
							{([value, label]) => (
								// The value of the select is set before it has options.
								<option value={value} selected={value === format()}>
									{label}
								</option>
							)}
						</For>
					</select>
				</div>
				{props.children}
				<Show when={hasJsonNull && (format() === 'json' || format() === 'ndjson')}>
					<p class="quiet">
						JSON has one null: NULL and a null in a JSON column become the same. CSV keeps them apart.
					</p>
				</Show>
				<Show when={removesFields && format() === 'csv'}>
					<p class="quiet">In CSV, null and an absent value are both empty. NDJSON and JSON keep them apart.</p>
				</Show>
				<Show when={format() === 'csv'}>
					<label class="option">
						<input type="checkbox" checked={isGuarded()} onChange={event => setGuarded(event.currentTarget.checked)} />
						Put ' before text that a spreadsheet would run as a formula
					</label>
					<p class="quiet">
						For a file that another program imports, turn this off. An import here takes it off again.
					</p>
				</Show>
				<Show when={props.download.isRunning() && props.download.state()}>
					{current => {
						const { rows, total } = current()
						return (
							<ProgressBar
								progress={{ done: rows, ...(total !== undefined && { total }) }}
								unit={rowNoun.many}
								label="Exporting"
							/>
						)
					}}
				</Show>
				<Show when={words()}>{said => <Notice kind={said().kind}>{said().text}</Notice>}</Show>
				<Show when={props.download.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			</div>
			<footer class="dialog-foot">
				<Show
					when={props.download.isRunning()}
					fallback={
						<button type="button" class="button" onClick={() => props.onClose()}>
							{props.download.state() ? 'Close' : 'Cancel'}
						</button>
					}
				>
					<button type="button" class="button" onClick={() => props.download.cancel()}>
						Cancel
					</button>
				</Show>
				<button
					type="button"
					class="button primary"
					disabled={props.download.isRunning()}
					onClick={() => {
						preferences.set(lastFormat, format())
						props.onExport({ format: format(), ...(format() === 'csv' && { guardFormulas: isGuarded() }) })
					}}
				>
					{props.amount === undefined ? 'Export' : `Export ${props.amount}`}
				</button>
			</footer>
		</Dialog>
	)
}
