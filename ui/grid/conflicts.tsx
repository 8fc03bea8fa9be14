import { createResource, createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell } from '../../host/ui-server/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { messageOf, useHost } from '../state/host.tsx'
import { newValue } from './cell-input.ts'
import { cellOf, cellText } from './cell-text.ts'
import { valueAt } from './document-path.ts'
import type { Edits } from './edits.ts'
import type { Rows } from './rows.ts'

interface Target {
	readonly connection: string
	readonly table: string
}

/** Rows that someone else changed meanwhile: what was there, mine and theirs, settled field by field. */
export function Conflicts(props: { readonly target: Target; readonly rows: Rows; readonly edits: Edits }): JSX.Element {
	const [open, setOpen] = createSignal<string>()
	const conflicts = () => [...props.edits.faults()].filter(([, fault]) => fault.isConflict).map(([rowId]) => rowId)
	return (
		<>
			<Show when={conflicts()[0]}>
				{rowId => (
					<Notice kind="error" action={{ label: 'Compare', run: () => setOpen(rowId()) }}>
						{conflicts().length === 1 ? 'A document was' : `${conflicts().length} documents were`} changed by someone
						else.
					</Notice>
				)}
			</Show>
			<Show when={open()} keyed>
				{rowId => (
					<ConflictDialog
						target={props.target}
						rows={props.rows}
						edits={props.edits}
						rowId={rowId}
						onClose={() => setOpen(undefined)}
					/>
				)}
			</Show>
		</>
	)
}

function ConflictDialog(props: {
	readonly target: Target
	readonly rows: Rows
	readonly edits: Edits
	readonly rowId: string
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const [theirs] = createResource(() => host.call('rows.read', { ...props.target, rowId: props.rowId }))
	const fields = [...(props.edits.get(props.rowId)?.cells ?? [])]
	const [kept, setKept] = createSignal<ReadonlySet<string>>(new Set(fields.map(([name]) => name)))
	const theirCell = (column: string): Cell => {
		const value = valueAt(theirs.error ? undefined : theirs()?.document, column)
		return value === undefined ? { missing: true } : newValue(value)
	}

	function settle(keep: ReadonlySet<string>): void {
		const version = theirs()?.version
		props.edits.rebase(props.rowId, version, theirCell, keep)
		props.rows.patch((row, columns) => {
			if (row.id !== props.rowId) return undefined
			const cells = columns.map((column, index) => (column.isReadOnly ? cellOf(row, index) : theirCell(column.name)))
			return { id: row.id, cells, ...(version !== undefined && { version }) }
		})
		props.onClose()
	}

	return (
		<Dialog title="Changed by someone else" size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<Show when={theirs.error}>{error => <Notice kind="error">{messageOf(error())}</Notice>}</Show>
				<p class="quiet">Choose field by field what is to stand. Nothing is sent until you save again.</p>
				<table class="conflict">
					<thead>
						<tr>
							<th>Field</th>
							<th>It was</th>
							<th>Mine</th>
							<th>Theirs</th>
						</tr>
					</thead>
					<tbody>
						<For each={fields}>
							{([name, { before, after }]) => {
								const choose = (isMine: boolean) =>
									setKept(names => new Set(isMine ? [...names, name] : [...names].filter(other => other !== name)))
								return (
									<tr>
										<th>{name}</th>
										<td>{cellText(before).text}</td>
										<td>
											<label class="radio">
												<input type="radio" name={name} checked={kept().has(name)} onChange={() => choose(true)} />
												{cellText(after).text}
											</label>
										</td>
										<td>
											<label class="radio">
												<input type="radio" name={name} checked={!kept().has(name)} onChange={() => choose(false)} />
												{cellText(theirCell(name)).text}
											</label>
										</td>
									</tr>
								)
							}}
						</For>
					</tbody>
				</table>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={() => settle(new Set())}>
					Take theirs
				</button>
				<button type="button" class="button" onClick={() => settle(new Set(fields.map(([name]) => name)))}>
					Keep mine
				</button>
				<button type="button" class="button primary" disabled={theirs() === undefined} onClick={() => settle(kept())}>
					Use the choice
				</button>
			</footer>
		</Dialog>
	)
}
