import Copy from 'lucide-solid/icons/copy'
import { createSignal, type JSX, Show } from 'solid-js'
import { cellCount } from '../../cells/selection.ts'
import type { GridFeature } from '../feature.ts'
import type { GridModel } from '../model.ts'
import type { GridCommand } from '../view/grid-commands.ts'
import { copySelected, sayCopied, selectedColumns } from './copy.ts'
import { CopyDialog, type DriverFormat } from './copy-dialog.tsx'

/** Returns saved rows in a format of the driver. @throws Error with a reason for the user */
export type ExportRows = (asked: {
	readonly format: string
	readonly columns: readonly string[]
	readonly rowIds: readonly string[]
}) => Promise<string>

/** Copies the selected cells in a format that the user chooses: one of the window, or one of the driver. */
export function createCopyFeature(
	grid: GridModel,
	driver?: { readonly formats: readonly DriverFormat[]; readonly exportRows: ExportRows },
): GridFeature {
	const { place, selected } = grid
	const formats = driver?.formats ?? []
	const [isChoosing, setChoosing] = createSignal(false)

	/** Copies the selected columns of the selected rows in a format of the driver, which reads them again. */
	async function copyExported(format: string): Promise<void> {
		const columns = selectedColumns(grid).map(({ column }) => column.name)
		await selected.use('copied', async (rows, signal) => {
			const text = await driver?.exportRows({ format, columns, rowIds: rows.map(({ id }) => id) })
			signal.throwIfAborted()
			await navigator.clipboard.writeText(text ?? '')
			sayCopied(grid, rows.length)
		})
	}
	const commands: readonly GridCommand[] = [
		...formats.map(
			({ id, label }): GridCommand => ({
				id: `grid.copy.${id}`,
				title: `Copy as ${label}`,
				section: 'copy',
				isRare: true,
				isUnlisted: true,
				run: () => void copyExported(id),
			}),
		),
		{
			id: 'grid.copyAs',
			title: 'Copy as …',
			Icon: Copy,
			keys: ['Mod+Shift+C'],
			section: 'copy',
			opensDialog: true,
			run: () => setChoosing(true),
		},
	]
	return {
		commands,
		view: (): JSX.Element => (
			<Show when={isChoosing()}>
				<CopyDialog
					cellCount={cellCount(place.rectangle())}
					exports={formats}
					onCopy={choice =>
						void ('exported' in choice
							? copyExported(choice.exported)
							: copySelected(grid, choice.format, choice.withNames))
					}
					onClose={() => {
						setChoosing(false)
						place.toGrid()
					}}
				/>
			</Show>
		),
	}
}
