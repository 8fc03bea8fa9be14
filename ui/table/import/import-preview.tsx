import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { Column, FilePreview } from '../../../host/api/api.ts'
import { useEngine } from '../../state/engine.tsx'

/** The first rows of a file, with a column of the table for each of its columns. */
export function ImportPreview(props: {
	readonly preview: FilePreview
	readonly columns: readonly Column[]
	/** Columns by field of the file. */
	readonly mapping: Readonly<Record<string, string>>
	onMap(field: string, column: string): void
}): JSX.Element {
	const { columnNoun } = useEngine()
	const id = createUniqueId()
	return (
		<section class="import-preview" tabindex={0} aria-label="Preview">
			<table>
				<thead>
					<tr>
						<th scope="col">Line</th>
						<For each={props.preview.fields}>
							{(field, at) => (
								<th scope="col">
									<label for={`${id}-${at()}`}>{field}</label>
									<select
										id={`${id}-${at()}`}
										title={`The ${columnNoun.one} for ${field}`}
										value={props.mapping[field] ?? ''}
										onChange={event => props.onMap(field, event.currentTarget.value)}
									>
										<option value="">Not imported</option>
										<For each={props.columns}>
											{({ name, type }) => (
												<option value={name} selected={props.mapping[field] === name}>
													{name} ({type})
												</option>
											)}
										</For>
									</select>
								</th>
							)}
						</For>
					</tr>
				</thead>
				<tbody>
					<For each={props.preview.rows}>
						{({ line, texts, fault }) => (
							<tr>
								<th scope="row">{line}</th>
								<Show when={fault} fallback={<For each={texts}>{text => <td>{text}</td>}</For>}>
									{why => (
										<td class="import-fault" colspan={props.preview.fields.length}>
											{why()}
										</td>
									)}
								</Show>
							</tr>
						)}
					</For>
				</tbody>
			</table>
		</section>
	)
}
