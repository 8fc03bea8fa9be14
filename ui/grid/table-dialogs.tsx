import { type JSX, Match, Switch } from 'solid-js'
import type { CopyChoice } from '../cells/copy.ts'
import { cellCount, rowCount } from '../cells/selection.ts'
import { Picker } from '../controls/picker.tsx'
import { CompareDialog, type Compared } from '../row-panel/compare-dialog.tsx'
import { useEngine } from '../state/engine.tsx'
import { type Draft, InsertDialog } from './edit/insert-dialog.tsx'
import { CopyDialog } from './export/copy-dialog.tsx'
import { ExportDialog } from './export/export-dialog.tsx'
import type { OpenTable } from './open-table.ts'
import type { FoundReference } from './reference.ts'

/** A dialog of a table. One is open at a time. */
export type TableDialog =
	| { readonly kind: 'export' | 'column' }
	/** With values from another row. */
	| { readonly kind: 'insert'; readonly draft?: Draft }
	| { readonly kind: 'copy'; copy(choice: CopyChoice): void }
	| { readonly kind: 'referrers'; readonly found: readonly FoundReference[]; follow(found: FoundReference): void }
	| { readonly kind: 'compare'; readonly rows: readonly [Compared, Compared] }

type Referrers = Extract<TableDialog, { readonly kind: 'referrers' }>

/** The dialog is gone when an entry runs, so the entries hold what they need. */
const picksOf = ({ found, follow }: Referrers) =>
	found.map(reference => {
		const columns = reference.filters.map(({ column }) => column)
		return {
			id: `${reference.table} ${columns.join()}`,
			label: reference.table,
			detail: columns.join(', '),
			run: () => follow(reference),
		}
	})

/** The open dialog of a table, if any. */
export function TableDialogs(props: {
	readonly table: OpenTable
	readonly dialog: TableDialog | undefined
	onClose(): void
}): JSX.Element {
	const { target, query, rows, columns, sheet, place, selected, edits } = props.table
	const engine = useEngine()
	const dialog = <K extends TableDialog['kind']>(kind: K) =>
		props.dialog?.kind === kind ? (props.dialog as Extract<TableDialog, { readonly kind: K }>) : undefined
	function closeToGrid(): void {
		props.onClose()
		place.toGrid()
	}
	return (
		<Switch>
			<Match when={dialog('export')}>
				<ExportDialog
					connection={target.connection}
					query={query.query()}
					isFiltered={query.isNarrowed()}
					columns={columns.all().length === 0 ? undefined : columns.exported()}
					selected={selected}
					selectedCount={rowCount(place.rectangle())}
					isAllSelected={rows.total()?.isExact === true && rowCount(place.rectangle()) === sheet.count()}
					onClose={props.onClose}
				/>
			</Match>
			<Match when={dialog('copy')}>
				{copying => (
					<CopyDialog
						cellCount={cellCount(place.rectangle())}
						exports={engine.exports}
						onCopy={choice => copying().copy(choice)}
						onClose={closeToGrid}
					/>
				)}
			</Match>
			<Match when={dialog('compare')}>
				{compared => <CompareDialog {...target} rows={compared().rows} onClose={closeToGrid} />}
			</Match>
			<Match when={dialog('insert')}>
				<InsertDialog
					columns={rows.columns()}
					draft={dialog('insert')?.draft}
					onInsert={edits.insert}
					onClose={props.onClose}
				/>
			</Match>
			<Match when={dialog('referrers')}>
				{referring => (
					<Picker
						label="Go to what refers to it"
						placeholder="Find where it is referred to"
						nothing="Nothing matches."
						picks={picksOf(referring())}
						onClose={props.onClose}
					/>
				)}
			</Match>
			<Match when={dialog('column')}>
				<Picker
					label="Go to column"
					placeholder="Find a column, including hidden ones"
					nothing="No column matches."
					picks={rows.columns().map(({ name, type }) => ({
						id: name,
						label: name,
						detail: type,
						run: () => place.goToColumn(name),
					}))}
					onClose={props.onClose}
				/>
			</Match>
		</Switch>
	)
}
