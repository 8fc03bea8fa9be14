import ArrowRight from 'lucide-solid/icons/arrow-right'
import Minus from 'lucide-solid/icons/minus'
import Plus from 'lucide-solid/icons/plus'
import Undo2 from 'lucide-solid/icons/undo-2'
import { For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { cellText } from '../../cells/cell-text.ts'
import { IconButton } from '../../controls/icon-button.tsx'
import { useEngine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { type NamedRows, nameOfRow, titleOfRow } from './compared.ts'
import type { Edits } from './edits.ts'

/** Rows that are listed. The statements below show the others. */
const mostListed = 100

const marks = { changed: ArrowRight, deleted: Minus, new: Plus } as const

/** The staged changes of a grid by row: old values struck through beside the new ones. Each can be undone alone. */
export function ChangesList(props: { readonly edits: Edits; readonly rows: NamedRows }): JSX.Element {
	const { rowNoun } = useEngine()
	const rows = () => [...props.edits.staged().rows.values()]
	const all = () => rows().length + props.edits.inserts().length
	const Line = (line: {
		readonly kind: keyof typeof marks
		/** The row, as it is named in the list and by the button. */
		readonly name: string
		/** By which a person knows it. */
		readonly title?: string
		onUndo(): void
		readonly children: JSX.Element
	}) => (
		<li>
			<span class={`change-mark of-${line.kind}`}>
				<Dynamic component={marks[line.kind]} size={12} />
			</span>
			<span class="change-row">
				{line.name}
				<Show when={line.title}>{title => <span class="change-title">{title()}</span>}</Show>
			</span>
			{line.children}
			<IconButton
				label={`Undo ${line.name}`}
				tip={`Undo the changes of ${line.name}`}
				isSmall
				isDisabled={props.edits.isSending()}
				onClick={line.onUndo}
			>
				<Undo2 size={14} />
			</IconButton>
		</li>
	)
	return (
		<ul class="changes-list" aria-label="Changes">
			<For each={rows().slice(0, mostListed)}>
				{row => (
					<Line
						kind={row.isDeleted ? 'deleted' : 'changed'}
						name={`${rowNoun.one} ${nameOfRow(props.rows, row.rowId)}`}
						title={titleOfRow(props.rows, row)}
						onUndo={() => props.edits.drop(row.rowId)}
					>
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
					</Line>
				)}
			</For>
			<For each={props.edits.inserts().slice(0, Math.max(0, mostListed - rows().length))}>
				{({ id, values }) => (
					<Line kind="new" name={`new ${rowNoun.one}`} onUndo={() => props.edits.drop(id)}>
						<span class="change-values">
							<For each={Object.entries(values)}>
								{([name, value]) => (
									<span>
										<span class="quiet">{name}</span> <ins>{cellText(value).text}</ins>
									</span>
								)}
							</For>
						</span>
					</Line>
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
