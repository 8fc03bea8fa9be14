import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { useEngine } from '../../state/engine.tsx'
import { type Delimiter, delimiters, type FileFormat } from './guess-format.ts'

/** How the file is read. */
export function ImportFormat(props: { readonly format: FileFormat; onChange(format: FileFormat): void }): JSX.Element {
	const { rowNoun } = useEngine()
	const id = createUniqueId()
	const csv = () => (props.format.format === 'csv' ? props.format : undefined)
	function choose(format: string): void {
		if (format === 'csv') props.onChange({ format, delimiter: ',', hasHeader: true })
		else if (format === 'ndjson' || format === 'json') props.onChange({ format })
	}
	return (
		<>
			<div class="field">
				<label for={`${id}-format`}>Format</label>
				<select id={`${id}-format`} value={props.format.format} onChange={event => choose(event.currentTarget.value)}>
					<option value="csv">CSV</option>
					<option value="ndjson">{`NDJSON, one ${rowNoun.one} a line`}</option>
					<option value="json">JSON, one array</option>
				</select>
			</div>
			<Show when={csv()}>
				{read => (
					<>
						<div class="field">
							<label for={`${id}-delimiter`}>Delimiter</label>
							<select
								id={`${id}-delimiter`}
								value={read().delimiter}
								onChange={event =>
									// The options are the delimiters.
									props.onChange({ ...read(), delimiter: event.currentTarget.value as Delimiter })
								}
							>
								<For each={delimiters}>{([value, label]) => <option value={value}>{label}</option>}</For>
							</select>
						</div>
						<label class="option">
							<input
								type="checkbox"
								checked={read().hasHeader}
								onChange={event => props.onChange({ ...read(), hasHeader: event.currentTarget.checked })}
							/>
							The first line has the names
						</label>
						<label class="option">
							<input
								type="checkbox"
								checked={read().isGuarded === true}
								onChange={event => props.onChange({ ...read(), isGuarded: event.currentTarget.checked })}
							/>
							Take off the ' before text that a spreadsheet would run as a formula
						</label>
					</>
				)}
			</Show>
		</>
	)
}
