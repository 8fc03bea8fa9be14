import { isUnreadCell } from '@roundhouse/kit/cell'
import Check from 'lucide-solid/icons/check'
import { createSignal, For, type JSX, Show } from 'solid-js'
import type { Cell, Column } from '../../../host/api/api.ts'
import { cellOf, cellText } from '../../cells/cell-text.ts'
import { documentOf, wholeCell } from '../../cells/whole-row.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Notice } from '../../controls/notice.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { countPane } from '../../state/panes-beside.ts'
import { createReading } from '../../state/task.ts'
import { capital, counted, oneOf } from '../../words/format.ts'
import type { Rows } from '../rows/rows.ts'
import { comparedCells, nameOfRow, otherChanges } from './compared.ts'
import type { Edits } from './edits.ts'
import type { KeptChanges } from './staged.ts'

type ComparedRows = Pick<Rows, 'find' | 'columns' | 'patch'>

interface Target {
	readonly connection: string
	readonly table: string
}

/** Rows that another client changed: original, mine and theirs, resolved field by field. */
export function Conflicts(props: {
	readonly target: Target
	readonly rows: ComparedRows
	readonly edits: Edits
	/** Whether the tab is shown, whose rows lack the width of a comparison. */
	readonly isShown?: boolean
}): JSX.Element {
	const { rowNoun } = useEngine()
	const [open, setOpen] = createSignal<string>()
	const conflicts = () => [...props.edits.faults()].filter(([, fault]) => fault.isConflict).map(([rowId]) => rowId)
	countPane(() => props.isShown === true && conflicts().some(rowId => rowId === open()))
	const nameOf = (rowId: string) => nameOfRow(props.rows, rowId)
	return (
		<>
			<Show when={conflicts()[0]}>
				{rowId => (
					<Notice kind="error" action={{ label: 'Compare', run: () => setOpen(rowId()) }}>
						{conflicts().length === 1
							? `${capital(oneOf(rowNoun))} was`
							: `${counted(conflicts().length, rowNoun)} were`}{' '}
						changed by another client.{' '}
						{nameOf(rowId())
							? `Compare ${rowNoun.one} ${nameOf(rowId())}, then save again.`
							: 'Compare, then save again.'}
					</Notice>
				)}
			</Show>
			<Show when={conflicts().find(rowId => rowId === open())} keyed>
				{rowId => (
					<ConflictDialog
						target={props.target}
						rows={props.rows}
						edits={props.edits}
						rowId={rowId}
						name={nameOf(rowId)}
						onClose={() => setOpen(undefined)}
					/>
				)}
			</Show>
		</>
	)
}

function ConflictDialog(props: {
	readonly target: Target
	readonly rows: ComparedRows
	readonly edits: Edits
	readonly rowId: string
	/** Its keys; empty if it has none or is not loaded. */
	readonly name: string
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, columnNoun } = useEngine()
	const reading = createReading(async call => {
		const read = await host.call('rows.read', { ...props.target, rowId: props.rowId }, call)
		return { version: read.version, document: documentOf(read) }
	})
	/** The current values. Nothing is resolved without them, because the resolution is against their version. */
	const theirs = () => (reading.isRunning() || reading.error() !== undefined ? undefined : reading.value())
	const mine = props.edits.get(props.rowId)
	const allMine = new Set(mine?.cells.keys())
	const fields = comparedCells(mine, props.rows.columns())
	const hasChoice = !mine?.isDeleted && fields.length > 0
	const [kept, setKept] = createSignal<ReadonlySet<string>>(allMine)
	/** The row and the columns as the grid shows them. */
	const shown = props.rows.find(props.rowId)
	const columns = props.rows.columns()
	const theirCell = (name: string): Cell => {
		const index = columns.findIndex(column => column.name === name)
		const column = columns[index] ?? unlisted(name)
		const cell: Cell = shown && index >= 0 ? cellOf(shown, index) : { missing: true }
		return wholeCell(theirs()?.document ?? null, column, cell)
	}
	const theirText = (column: string) => (theirs() ? cellText(theirCell(column)).text : '…')
	/** What they changed beside the compared cells, as far as the grid shows the row. */
	const others = () => (theirs() && shown ? otherChanges({ row: shown, columns }, mine, theirCell) : [])

	/** Makes their values the original, and keeps the selected ones of mine. */
	function settle(keep: KeptChanges): void {
		const found = theirs()
		if (!found) return
		const { version } = found
		props.edits.rebase(props.rowId, { version, cell: theirCell }, keep)
		props.rows.patch((row, now) => {
			if (row.id !== props.rowId) return undefined
			// A page leaves out large values.
			const cells = now.map(({ name }, index) => {
				const cell = cellOf(row, index)
				return isUnreadCell(cell) ? cell : theirCell(name)
			})
			return { id: row.id, cells, ...(version !== undefined && { version }) }
		})
		props.onClose()
	}

	const nothing: KeptChanges = { cells: new Set(), isDeleted: false }
	const choices = mine?.isDeleted
		? [
				{ label: `Keep the ${rowNoun.one}`, keep: () => nothing },
				{ label: 'Delete it anyway', keep: () => ({ ...nothing, isDeleted: true }), isLast: true },
			]
		: [
				{ label: 'Take theirs', keep: () => nothing },
				{ label: 'Keep mine', keep: () => ({ ...nothing, cells: allMine }) },
				...(hasChoice
					? [{ label: 'Use these values', keep: () => ({ ...nothing, cells: kept() }), isLast: true }]
					: []),
			]

	function drop(): void {
		props.edits.drop(props.rowId)
		props.onClose()
	}

	return (
		<Dialog
			title={`Changed by another client${props.name && `: ${rowNoun.one} ${props.name}`}`}
			size="pane"
			onClose={props.onClose}
		>
			<div class="dialog-body">
				<Show when={reading.error()}>
					{message => (
						<Notice kind="error" action={{ label: 'Try again', run: reading.retry }}>
							The current values cannot be read: {message()}
						</Notice>
					)}
				</Show>
				<p class="quiet" role="status">
					{mine?.isDeleted && `You delete this ${rowNoun.one}, and another client has changed it since it was read. `}
					{reading.isRunning()
						? 'Reading the current values …'
						: `${hasChoice ? `Choose a value for each ${columnNoun.one}. ` : ''}Nothing is sent until you save again.`}
				</p>
				<Show when={hasChoice || others().length > 0}>
					<table class="conflict">
						<thead>
							<tr>
								<th>{capital(columnNoun.one)}</th>
								<th>It was</th>
								<th>Theirs</th>
								<th>Mine</th>
							</tr>
						</thead>
						<tbody>
							<For each={hasChoice ? fields : []}>
								{([name, { before, after }]) => {
									const choose = (isMine: boolean) =>
										setKept(names => new Set(isMine ? [...names, name] : [...names].filter(other => other !== name)))
									const Choice = (choice: { readonly isMine: boolean; readonly text: string }) => (
										<td classList={{ taken: kept().has(name) === choice.isMine }}>
											<label class="option">
												<input
													type="radio"
													name={name}
													checked={kept().has(name) === choice.isMine}
													onChange={() => choose(choice.isMine)}
												/>
												{choice.text}
											</label>
										</td>
									)
									return (
										<tr>
											<th>{name}</th>
											<td>
												<del>{cellText(before).text}</del>
											</td>
											<Choice isMine={false} text={theirText(name)} />
											<Choice isMine text={cellText(after).text} />
										</tr>
									)
								}}
							</For>
							<For each={others()}>
								{({ name, before, after }) => (
									<tr>
										<th>{name}</th>
										<td>
											<del>{cellText(before).text}</del>
										</td>
										<td classList={{ taken: !mine?.isDeleted }}>
											<span class="option">
												{!mine?.isDeleted && <Check size={13} />}
												{cellText(after).text}
											</span>
										</td>
										<td class="quiet">{mine?.isDeleted ? 'deleted' : 'not changed by you'}</td>
									</tr>
								)}
							</For>
						</tbody>
					</table>
				</Show>
			</div>
			<footer class="dialog-foot">
				<Show when={reading.error() !== undefined}>
					<button type="button" class="button" onClick={drop}>
						Drop mine
					</button>
				</Show>
				<For each={choices}>
					{({ label, keep, isLast }) => (
						<button
							type="button"
							class="button"
							classList={{ primary: isLast }}
							disabled={theirs() === undefined}
							onClick={() => settle(keep())}
						>
							{label}
						</button>
					)}
				</For>
			</footer>
		</Dialog>
	)
}

/** A staged name that is no column of the grid, for example of a whole list of objects. */
const unlisted = (name: string): Column => ({
	name,
	type: '',
	kind: 'other',
	isKey: false,
	isReadOnly: false,
	isSortable: false,
})
