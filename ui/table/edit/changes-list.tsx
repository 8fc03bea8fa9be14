import { For, type JSX, Show } from 'solid-js'
import { cellText } from '../../cells/cell-text.ts'
import { useEngine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { type NamedRows, nameOfRow } from './compared.ts'
import type { Edits } from './edits.ts'

/** Rows that are listed. The statements below show the others. */
const mostListed = 100

/** The staged changes of a grid by row: old values struck through beside the new ones. */
export function ChangesList(props: { readonly edits: Edits; readonly rows: NamedRows }): JSX.Element {
	const { rowNoun } = useEngine()
	const rows = () => [...props.edits.staged().rows.values()]
	const all = () => rows().length + props.edits.inserts().length
	return (
		<ul class="changes-list" aria-label="Changes">
			<For each={rows().slice(0, mostListed)}>
				{row => (
					<li>
						<span class="change-row">{`${rowNoun.one} ${nameOfRow(props.rows, row.rowId)}`}</span>
						<Show when={!row.isDeleted} fallback={<span class="change-deleted">deleted</span>}>
							<span class="change-values">
								<For each={[...row.cells]}>
									{([name, { before, after }]) => (
										<span>
											<span class="quiet">{name}</span> <del>{cellText(before).text}</del>{' '}
											<ins>{cellText(after).text}</ins>
										</span>
									)}
								</For>
							</span>
						</Show>
					</li>
				)}
			</For>
			<For each={props.edits.inserts().slice(0, Math.max(0, mostListed - rows().length))}>
				{({ values }) => (
					<li>
						<span class="change-row">new</span>
						<span class="change-values">
							<For each={Object.entries(values)}>
								{([name, value]) => (
									<span>
										<span class="quiet">{name}</span> <ins>{cellText(value).text}</ins>
									</span>
								)}
							</For>
						</span>
					</li>
				)}
			</For>
			<Show when={all() > mostListed}>
				<li class="quiet">
					and {count(all() - mostListed)} more of {counted(all(), rowNoun)}
				</li>
			</Show>
		</ul>
	)
}
