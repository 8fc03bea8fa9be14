import type { Command } from '../../state/commands.tsx'
import type { Engine } from '../../state/engine.tsx'
import type { GridColumns } from '../columns/grid-columns.ts'
import type { Edits } from '../edit/edits.ts'
import type { PlainCommand } from './grid-keys.ts'

/** What can be done with the selection, for the palette; the keys are the grid's own (grid-keys.ts). */
export function gridCommands(options: {
	readonly engine: Engine
	readonly edits: Edits
	readonly columns: GridColumns
	/** Does what the key of it does. */
	run(command: PlainCommand | 'edit'): void
	paste(): void
	setNull(): void
	fit(names: readonly string[]): void
}): readonly Command[] {
	const { edits, columns } = options
	const { rowNoun } = options.engine
	const keyed = (command: PlainCommand | 'edit', title: string, ...keys: readonly string[]): Command => ({
		id: `grid.${command}`,
		title,
		keys,
		isHeardThere: true,
		run: () => options.run(command),
	})
	return [
		keyed('edit', 'Edit the cell', 'Enter', 'F2'),
		keyed('openValue', 'Open the value', 'Alt+Enter'),
		keyed('copy', 'Copy', 'Mod+C'),
		keyed('copyAs', 'Copy as …', 'Mod+Shift+C'),
		{ id: 'grid.paste', title: 'Paste', keys: ['Mod+V'], isHeardThere: true, run: options.paste },
		keyed('fillDown', 'Fill down', 'Mod+D'),
		{ id: 'grid.setNull', title: 'Set null', run: options.setNull },
		keyed('toggleDeleted', `Delete or keep the ${rowNoun.many}`, 'Delete'),
		{ ...keyed('undo', 'Undo', 'Mod+Z'), isAvailable: edits.canUndo },
		{ ...keyed('redo', 'Redo', 'Mod+Shift+Z', 'Mod+Y'), isAvailable: edits.canRedo },
		{ ...keyed('saveNow', 'Save without a review', 'Mod+Shift+S'), isAvailable: () => edits.count() > 0 },
		keyed('goToRow', 'Go to row …', 'Mod+G'),
		keyed('selectRows', 'Select whole rows', 'Shift+Space'),
		keyed('selectColumns', 'Select whole columns', 'Mod+Space'),
		keyed('selectAll', 'Select all', 'Mod+A'),
		{ id: 'grid.fit', title: 'Fit all columns', run: () => options.fit(columns.names()) },
		{
			id: 'grid.fold',
			title: 'Fold or unfold the columns that say the same',
			isAvailable: () => columns.foldable().length > 0,
			run: () => columns.fold(!columns.isFolded()),
		},
	]
}
