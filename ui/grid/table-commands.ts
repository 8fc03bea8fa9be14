import type { Command } from '../state/commands.tsx'
import type { Engine } from '../state/engine.tsx'

/** Commands of the active table. */
export function tableCommands(
	{ rowNoun, tableNoun, hasFacts, imports }: Engine,
	actions: {
		reload(): void
		insert(): void
		goToColumn(): void
		filter(): void
		exportRows(): void
		importRows(): void
		canInsert(): boolean
		togglePanel(): void
		compare(): void
		canCompare(): boolean
		save(): void
		cancelSave(): void
		canCancelSave(): boolean
		discard(): void
		hasStaged(): boolean
		facts(): void
	},
): readonly Command[] {
	return [
		{ id: 'reload', title: 'Reload', keys: ['F5', 'Mod+R'], run: actions.reload },
		{ id: 'table.insert', title: `New ${rowNoun.one}`, keys: ['Insert'], isHeardThere: true, run: actions.insert },
		{ id: 'table.column', title: 'Go to column …', keys: ['Mod+Shift+G'], run: actions.goToColumn },
		{ id: 'table.filter', title: 'Filter by column', run: actions.filter },
		{ id: 'table.export', title: 'Export', run: actions.exportRows },
		{
			id: 'table.import',
			title: `Import ${rowNoun.many} …`,
			isAvailable: () => imports !== null && actions.canInsert(),
			run: actions.importRows,
		},
		{ id: 'table.panel', title: `Show or hide the ${rowNoun.one}`, keys: ['Mod+J'], run: actions.togglePanel },
		{
			id: 'table.compare',
			title: `Compare the two selected ${rowNoun.many.toLowerCase()}`,
			isAvailable: actions.canCompare,
			run: actions.compare,
		},
		{
			id: 'table.save',
			title: 'Review and save',
			keys: ['Mod+S'],
			isAvailable: actions.hasStaged,
			run: actions.save,
		},
		{
			id: 'table.cancel-save',
			title: 'Cancel save',
			keys: ['Mod+.'],
			isAvailable: actions.canCancelSave,
			run: actions.cancelSave,
		},
		{ id: 'table.discard', title: 'Discard the staged changes', isAvailable: actions.hasStaged, run: actions.discard },
		{
			id: 'table.facts',
			title: `About this ${tableNoun.one.toLowerCase()}`,
			isAvailable: () => hasFacts === true,
			run: actions.facts,
		},
	]
}
