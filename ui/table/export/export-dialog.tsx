import { createEffect, createSignal, type JSX, on } from 'solid-js'
import type { GridQuery } from '../../../host/api/api.ts'
import { createDownload } from '../../exports/download.ts'
import { type ExportChoice, ExportSheet } from '../../exports/export-sheet.tsx'
import { keepExport } from '../../exports/kept-exports.ts'
import type { SelectedRows } from '../../grid/selection/selected-rows.ts'
import { SelectionWork } from '../../grid/selection/selection-work.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost, useRecords } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { capital, count, countText } from '../../words/format.ts'

type Scope = 'shown' | 'all' | 'selection'

/** Exports whole rows as a download: the selected ones if they are several, else what the filters show, or all. */
export function ExportDialog(props: {
	readonly connection: string
	readonly query: GridQuery
	readonly isFiltered: boolean
	/** Those of the grid, in order. `undefined` until rows were read: then the file has all. */
	readonly columns: readonly string[] | undefined
	/** The selected rows, read on demand. */
	readonly selected: SelectedRows
	readonly selectedCount: number
	/** Everything visible is selected, so rows need not be listed. */
	readonly isAllSelected: boolean
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, exports } = useEngine()
	const [chosen, setChosen] = createSignal<Scope>()
	/** Until the user chooses, it follows a filter that is still being applied when the dialog opens. */
	const scope = () => chosen() ?? (props.selectedCount > 1 ? 'selection' : props.isFiltered ? 'shown' : 'all')
	const query = (): GridQuery => {
		const { raw: _, ...unfiltered } = props.query
		return scope() === 'all' ? { ...unfiltered, filters: [] } : props.query
	}
	const counting = createTask((call, query: GridQuery) =>
		host.call('rows.count', { connection: props.connection, query }, call),
	)
	createEffect(on([scope, query], ([scope, query]) => scope === 'selection' || void counting.run(query)))
	const counted = () => (counting.isRunning() ? undefined : counting.value())
	/** How many rows will be exported, in words, as far as it is known. */
	const amount = () => {
		const found = scope() === 'selection' ? { value: props.selectedCount, isExact: true } : counted()
		return found && `${countText(found)} ${found.value === 1 ? rowNoun.one : rowNoun.many}`
	}
	/** What is known of the number beside the button that names it. */
	const remark = () => {
		if (scope() === 'selection') return ''
		if (counting.error() !== undefined) return `The number of ${rowNoun.many} is not known.`
		return counting.isRunning() ? 'Counting …' : counting.value()?.notice
	}

	const records = useRecords()
	const download = createDownload(async (call, choice: ExportChoice, rowIds: readonly string[] | undefined) => {
		const columns = choice.format === 'csv' && props.columns && { columns: props.columns }
		const options = { ...choice, ...columns, ...(rowIds && { rowIds }) }
		const asked = { connection: props.connection, query: query(), options }
		const begun = await host.call('exports.begin', asked, call)
		keepExport(records, begun.id, asked)
		return begun
	})

	async function start(choice: ExportChoice): Promise<void> {
		// What is said about the export stays that of this one.
		setChosen(scope())
		if (scope() !== 'selection' || props.isAllSelected) await download.begin(choice, undefined)
		else
			await props.selected.use('exported', rows =>
				download.begin(
					choice,
					rows.map(row => row.id),
				),
			)
	}

	return (
		<ExportSheet
			title={`Export ${props.query.table}`}
			csvColumns={props.columns ? 'the columns of the grid' : 'all columns'}
			formats={exports}
			amount={amount()}
			download={download}
			onExport={choice => void start(choice)}
			onClose={props.onClose}
		>
			<div class="field">
				<label for="export-scope">{capital(rowNoun.many)}</label>
				<select id="export-scope" value={scope()} onChange={event => setChosen(event.currentTarget.value as Scope)}>
					<option value="all">All</option>
					<option value="shown">What the filters show</option>
					<option value="selection">
						{props.selectedCount === 1
							? `The selected ${rowNoun.one}`
							: `The ${count(props.selectedCount)} selected ${rowNoun.many.toLowerCase()}`}
					</option>
				</select>
				<span class="field-help" role="status">
					{remark()}
				</span>
			</div>
			<SelectionWork selected={props.selected} />
		</ExportSheet>
	)
}
