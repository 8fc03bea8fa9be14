import type { Sort } from '../../../host/api/api.ts'
import { type CopyFormat, copyFormats } from '../../cells/copy.ts'
import type { Command } from '../../state/commands.tsx'
import type { Engine } from '../../state/engine.tsx'
import { isSameKeys, pressedKeys, writesByAltGr } from '../../words/keys.ts'
import type { CellFilterUse } from '../filter/cell-filter.ts'

/** A row of the grid's command table: its keys, its place in the menu of cells, and whether the palette lists it. */
export interface GridCommand extends Command {
	/** Section of the menu of cells, counted from 1; absent where the menu does not have it. */
	readonly section?: number
	/** Its words in the menu, if they are shorter there. */
	readonly label?: string
	/** It opens a dialog, so the menu returns the focus first. */
	readonly opensDialog?: boolean
	/** The palette does not list it, because another part of the tab lists it there or the key is enough. */
	readonly isUnlisted?: boolean
	/** The browser sends another event for the keys. */
	readonly isNative?: boolean
}

/** What the commands do; the grid and its tab own it. */
export interface GridActs {
	openRow(): void
	/** Compares two selected rows. */
	compare(): void
	canCompare(): boolean
	edit(): void
	openValue(): void
	copy(format: CopyFormat): void
	copyAs(): void
	/** Copies in an export format of the driver. */
	copyExported(format: string): void
	paste(): void
	/** Pastes all rows of the block as new rows. */
	pasteNew(): void
	fillDown(): void
	setNull(): void
	/** Whether a selected column takes null. */
	canSetNull(): boolean
	removeField(): void
	toggleDeleted(): void
	goToRow(): void
	undo(): void
	canUndo(): boolean
	redo(): void
	canRedo(): boolean
	save(isAtOnce: boolean): void
	canSave(): boolean
	select(span: 'all' | 'rows' | 'columns'): void
	/** Shows the numbers and the most frequent values of the focused column. */
	statistics(): void
	/** Filters the rows by the value of the focused cell. */
	filter(use: CellFilterUse): void
	/** Opens the rows with the value of the focused cell in another tab. */
	filterApart(): void
	/** Opens the rows around the focused one in time, in another tab. */
	showAround(): void
	/** Whether rows have a time. */
	canShowAround(): boolean
	/** Copies the filter for the value of the focused cell. */
	copyFilter(): void
	canCopyFilter(): boolean
	/** Sorts the rows by the focused column. */
	sort(direction: Sort['direction']): void
	/** Opens the row that the cell refers to. */
	follow(): void
	canFollow(): boolean
	/** Opens the rows that refer to the focused row. */
	followBack(): void
	canFollowBack(): boolean
	insert(): void
	/** Opens a new row with the values of the focused one. */
	duplicate(): void
	canInsert(): boolean
	openMenu(): void
	fitAll(): void
	fold(): void
	canFold(): boolean
	find(): void
	/** Goes to the next match, or to the previous one. */
	findStep(by: 1 | -1): void
	isFinding(): boolean
}

/** The table of the grid's commands, in the order of its menu. Keys, palette and menu read it. */
export function gridCommands(
	acts: GridActs,
	{ rowNoun, columnNoun, exports, removesFields }: Pick<Engine, 'rowNoun' | 'columnNoun' | 'exports' | 'removesFields'>,
): readonly GridCommand[] {
	const rows = rowNoun.many
	const copies = copyFormats.map((format): Omit<GridCommand, 'isHeardThere'> => {
		const run = () => acts.copy(format)
		const label = `Copy as ${format}`
		return format === 'TSV'
			? { id: 'grid.copy', title: 'Copy', label, keys: ['Mod+C'], section: 3, run }
			: { id: `grid.copy.${format}`, title: label, section: 3, isUnlisted: true, run }
	})
	const driverCopies = exports.map(({ id, label }) => ({
		...{ id: `grid.copy.${id}`, title: `Copy as ${label}`, section: 3, isUnlisted: true },
		run: () => acts.copyExported(id),
	}))
	const filter = (use: CellFilterUse, shown: Pick<GridCommand, 'title' | 'label' | 'keys'>) => ({
		...{ id: `grid.filter.${use}`, ...shown, section: 1, run: () => acts.filter(use) },
	})
	const table: readonly Omit<GridCommand, 'isHeardThere'>[] = [
		filter('for', { title: 'Filter for this value', label: 'Filter for this', keys: ['=', 'Alt+='] }),
		filter('out', { title: 'Filter out this value', label: 'Filter out', keys: ['-', 'Alt+-'] }),
		{
			id: 'grid.filter.apart',
			title: 'Only this value, in another tab',
			label: 'Only this, in another tab',
			keys: ['Alt+Shift+O'],
			section: 1,
			run: acts.filterApart,
		},
		{
			...{ id: 'grid.around', title: `The ${rows.toLowerCase()} around it in time, in another tab` },
			...{ label: 'Around it in time, in another tab', keys: ['Alt+Shift+A'], section: 1 },
			...{ isAvailable: acts.canShowAround, run: acts.showAround },
		},
		{
			id: 'grid.statistics',
			title: 'Top values and statistics of the column',
			label: 'Top values',
			keys: ['Alt+T'],
			section: 1,
			run: acts.statistics,
		},
		filter('exists', { title: `Filter for rows where the ${columnNoun.one} has a value`, label: 'Has a value' }),
		filter('missing', { title: `Filter for rows where the ${columnNoun.one} has no value`, label: 'Has no value' }),
		...(['asc', 'desc'] as const).map(direction => {
			const word = direction === 'asc' ? 'ascending' : 'descending'
			const names = { title: `Sort by the ${columnNoun.one}, ${word}`, label: `Sort ${word}` }
			return { id: `grid.sort.${direction}`, ...names, section: 1, run: () => acts.sort(direction) }
		}),
		{
			id: 'grid.openRow',
			title: `Open ${rowNoun.one}`,
			keys: ['Space'],
			section: 2,
			isUnlisted: true,
			run: acts.openRow,
		},
		{
			...{ id: 'grid.compare', title: `Compare the two ${rows.toLowerCase()}`, section: 2, isUnlisted: true },
			...{ opensDialog: true, isAvailable: acts.canCompare, run: acts.compare },
		},
		{ id: 'grid.edit', title: 'Edit the cell', label: 'Edit', keys: ['Enter', 'F2'], section: 2, run: acts.edit },
		{
			id: 'grid.openValue',
			title: 'Open the value',
			label: 'Open value',
			keys: ['Alt+Enter'],
			section: 2,
			run: acts.openValue,
		},
		{
			...{ id: 'grid.follow', title: `Go to the ${rowNoun.one} it refers to`, keys: ['F12'], section: 2 },
			...{ isAvailable: acts.canFollow, run: acts.follow },
		},
		{
			...{ id: 'grid.followBack', title: `Go to the ${rows.toLowerCase()} that refer to it`, keys: ['Shift+F12'] },
			...{ section: 2, opensDialog: true, isAvailable: acts.canFollowBack, run: acts.followBack },
		},
		...copies,
		...driverCopies,
		{ id: 'grid.copyAs', title: 'Copy as …', keys: ['Mod+Shift+C'], section: 3, opensDialog: true, run: acts.copyAs },
		{
			...{ id: 'grid.copyFilter', title: 'Copy the value as a filter', label: 'Copy as filter', section: 3 },
			...{ isAvailable: acts.canCopyFilter, run: acts.copyFilter },
		},
		{ id: 'grid.paste', title: 'Paste', keys: ['Mod+V'], section: 3, isNative: true, run: acts.paste },
		{
			...{ id: 'grid.pasteNew', title: `Paste as new ${rows.toLowerCase()}`, keys: ['Mod+Shift+V'], section: 3 },
			...{ isAvailable: acts.canInsert, run: acts.pasteNew },
		},
		{ id: 'grid.fillDown', title: 'Fill down', keys: ['Mod+D'], section: 4, run: acts.fillDown },
		{
			...{ id: 'grid.setNull', title: 'Set null', keys: ['Alt+Delete', 'Alt+Backspace'], section: 4 },
			...{ isAvailable: acts.canSetNull, run: acts.setNull },
		},
		...(removesFields
			? [
					{
						id: 'grid.removeField',
						title: `Remove ${columnNoun.one}`,
						section: 4,
						isUnlisted: true,
						run: acts.removeField,
					},
				]
			: []),
		{
			...{ id: 'grid.duplicate', title: `Duplicate ${rowNoun.one}`, keys: ['Mod+Shift+D'], section: 4 },
			...{ opensDialog: true, isAvailable: acts.canInsert, run: acts.duplicate },
		},
		{
			...{ id: 'grid.toggleDeleted', title: `Delete or restore the ${rows}`, label: 'Delete or restore' },
			...{ keys: ['Delete'], section: 4, run: acts.toggleDeleted },
		},
		{ id: 'grid.goToRow', title: 'Go to row …', keys: ['Mod+G'], section: 5, opensDialog: true, run: acts.goToRow },
		{
			...{ id: 'grid.find', title: `Find in the loaded ${rows.toLowerCase()}`, label: 'Find …', keys: ['Mod+F'] },
			...{ section: 5, opensDialog: true, run: acts.find },
		},
		...([1, -1] as const).map(by => ({
			id: by === 1 ? 'grid.findNext' : 'grid.findPrevious',
			title: by === 1 ? 'Next match' : 'Previous match',
			keys: [by === 1 ? 'F3' : 'Shift+F3'],
			isAvailable: acts.isFinding,
			run: () => acts.findStep(by),
		})),
		{ id: 'grid.undo', title: 'Undo', keys: ['Mod+Z'], isAvailable: acts.canUndo, run: acts.undo },
		{ id: 'grid.redo', title: 'Redo', keys: ['Mod+Shift+Z', 'Mod+Y'], isAvailable: acts.canRedo, run: acts.redo },
		{ id: 'grid.save', title: 'Review and save', keys: ['Mod+S'], isUnlisted: true, run: () => acts.save(false) },
		{
			...{ id: 'grid.saveNow', title: 'Save without a review', keys: ['Mod+Shift+S'] },
			...{ isAvailable: acts.canSave, run: () => acts.save(true) },
		},
		{ id: 'grid.selectRows', title: 'Select whole rows', keys: ['Shift+Space'], run: () => acts.select('rows') },
		{ id: 'grid.selectColumns', title: 'Select whole columns', keys: ['Mod+Space'], run: () => acts.select('columns') },
		{ id: 'grid.selectAll', title: 'Select all', keys: ['Mod+A'], run: () => acts.select('all') },
		{ id: 'grid.insert', title: `Insert ${rowNoun.one}`, keys: ['Insert'], isUnlisted: true, run: acts.insert },
		{
			id: 'grid.openMenu',
			title: 'Open the menu',
			keys: ['ContextMenu', 'Shift+F10'],
			isUnlisted: true,
			run: acts.openMenu,
		},
		{ id: 'grid.fit', title: 'Fit all columns', run: acts.fitAll },
		{
			id: 'grid.fold',
			title: 'Fold or unfold columns with one value',
			isAvailable: acts.canFold,
			run: acts.fold,
		},
	]
	return table.map(command => ({ ...command, isHeardThere: true }))
}

/** Returns the command of a key, whether it is available now or not: the browser must not take the key then either. */
export function commandOfKey(commands: readonly GridCommand[], event: KeyboardEvent): GridCommand | undefined {
	// Both Ctrl and Cmd are the command key in the grid, on every system.
	const pressed = pressedKeys(event)?.replace(/^(Meta|Ctrl)\+/, 'Mod+')
	if (pressed === undefined) return undefined
	return commands.find(({ keys, isNative }) => !isNative && keys?.some(key => isSameKeys(key, pressed)))
}

/** Returns what a key types into a cell, if it types something. */
export function typedBy(event: KeyboardEvent): string | undefined {
	const { key, ctrlKey, metaKey, altKey } = event
	// Names of other keys are longer than what a key types.
	return key.length === 1 && (writesByAltGr(event) || !(ctrlKey || metaKey || altKey)) ? key : undefined
}
