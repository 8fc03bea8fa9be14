import { createSignal, type JSX, Show } from 'solid-js'
import { rowCount } from '../../cells/selection.ts'
import { createCopyFeature } from '../../grid/copy/copy-feature.tsx'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { isNewRow } from '../edit/staged.ts'
import { ExportDialog } from '../export/export-dialog.tsx'
import type { TableContext, TableFeature } from './feature.ts'

export interface ExportFeature extends TableFeature {
	isOpen(): boolean
	open(): void
}

/** Writes rows to a file, and copies them in the formats of the driver. */
export function createExportFeature({ tab, table }: TableContext): ExportFeature {
	const { grid, columns, edits, place, query, rows, selected, sheet, target } = table
	const host = useHost()
	const [isOpen, setOpen] = createSignal(false)
	const open = () => void setOpen(true)
	const copying = createCopyFeature(grid, {
		formats: useEngine().exports,
		async exportRows(options) {
			// The driver reads saved rows.
			if (options.rowIds.some(id => isNewRow(id) || edits.staged().rows.has(id)))
				throw new Error('Some of these rows have changes that are not saved. Save or discard them first.')
			const asked = { connection: target.connection, query: query.query(), options }
			const { id } = await host.call('exports.begin', asked)
			const response = await fetch(`export/${id}`)
			if (!response.ok) throw new Error('The rows could not be read.')
			return response.text()
		},
	})
	useCommands(() => (tab.isActive ? [{ id: 'table.export', title: 'Export', run: open }] : []))
	return {
		isOpen,
		open,
		...(copying.commands && { commands: copying.commands }),
		view: (): JSX.Element => (
			<>
				{copying.view?.()}
				<Show when={isOpen()}>
					<ExportDialog
						connection={target.connection}
						query={query.query()}
						isFiltered={query.isNarrowed()}
						columns={columns.all().length === 0 ? undefined : columns.exported()}
						selected={selected}
						selectedCount={rowCount(place.rectangle())}
						isAllSelected={rows.total()?.isExact === true && rowCount(place.rectangle()) === sheet.count()}
						onClose={() => setOpen(false)}
					/>
				</Show>
			</>
		),
	}
}
