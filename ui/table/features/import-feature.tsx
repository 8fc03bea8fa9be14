import { type JSX, Show } from 'solid-js'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { ImportDialog } from '../import/import-dialog.tsx'
import type { TableContext, TableFeature } from './feature.ts'

export interface ImportFeature extends TableFeature {
	/** Whether the table takes the rows of a file. */
	canImport(): boolean
	open(): void
}

/** Reads rows from a file into the table. */
export function createImportFeature({ tab: props, table }: TableContext): ImportFeature {
	const { rowNoun, imports } = useEngine()
	const canImport = () => imports !== null && table.cannot().insert === undefined
	const open = () => props.tab.setImporting(true)
	useCommands(() =>
		props.isActive
			? [{ id: 'table.import', title: `Import ${rowNoun.many} …`, isAvailable: canImport, run: open }]
			: [],
	)
	return {
		canImport,
		open,
		view: (): JSX.Element => (
			<Show when={props.tab.isImporting()}>
				<ImportDialog
					target={table.target}
					safeMode={props.tab.connection.view.safeMode}
					connection={props.tab.connection}
					onImported={() => {
						table.reload()
						props.tab.onRowsChanged()
					}}
					onClose={() => props.tab.setImporting(false)}
				/>
			</Show>
		),
	}
}
