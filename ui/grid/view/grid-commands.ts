import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Copy from 'lucide-solid/icons/copy'
import Search from 'lucide-solid/icons/search'
import { copyFormats } from '../../cells/copy.ts'
import type { MenuEntry } from '../../controls/context-menu.tsx'
import type { Command } from '../../state/commands.tsx'
import { isSameKeys, pressedKeys, writesByAltGr } from '../../words/keys.ts'
import { copySelected } from '../copy/copy.ts'
import type { GridModel } from '../model.ts'

/** Sections of the menu of cells, in order. */
export const menuSections = ['filter', 'sort', 'row', 'copy', 'change', 'go'] as const

/** A row of the grid's command table: its keys, its place in the menu of cells, and whether the palette lists it. */
export interface GridCommand extends Omit<Command, 'isHeardThere'> {
	/** Absent where the menu does not have it. Within a section, the grid's commands come first. */
	readonly section?: (typeof menuSections)[number]
	/** A longer menu has it under *More*. */
	readonly isRare?: boolean
	/** Its words in the menu, if they are shorter there. */
	readonly label?: string
	readonly Icon?: MenuEntry['Icon']
	/** It opens a dialog, so the menu returns the focus first. */
	readonly opensDialog?: boolean
	/** The palette does not list it, because another part of the tab lists it there or the key is enough. */
	readonly isUnlisted?: boolean
	/** The browser sends another event for the keys. */
	readonly isNative?: boolean
	/** What the pointer does at a cell to run it. */
	readonly gesture?: 'double-click' | 'mod-click'
}

/** The commands that every grid has. */
export function commonCommands(
	grid: GridModel,
	view: {
		/** Fits columns to their visible contents. */
		fit(names: readonly string[]): void
		/** Opens the menu of the focused cell at the cell, also without a pointer. */
		openMenu(): void
		openFind(): void
	},
): readonly GridCommand[] {
	const { columns, place, find, nouns } = grid
	const select = (span: 'all' | 'rows' | 'columns') => place.setSelection({ ...place.selection(), span })
	return [
		...(['asc', 'desc'] as const).map((direction): GridCommand => {
			const word = direction === 'asc' ? 'ascending' : 'descending'
			return {
				id: `grid.sort.${direction}`,
				title: `Sort by the ${nouns.column.one}, ${word}`,
				label: `Sort ${word}`,
				Icon: direction === 'asc' ? ArrowUp : ArrowDown,
				section: 'sort',
				isRare: true,
				run: () => {
					const focused = columns.at(place.selection().focus.column)
					if (focused) columns.sortBy(focused.column.name, direction)
				},
			}
		}),
		...copyFormats.map((format): GridCommand => {
			const label = `Copy as ${format}`
			const run = () => void copySelected(grid, format)
			return format === 'TSV'
				? { id: 'grid.copy', title: 'Copy', label, Icon: Copy, keys: ['Mod+C'], section: 'copy', run }
				: { id: `grid.copy.${format}`, title: label, section: 'copy', isRare: true, isUnlisted: true, run }
		}),
		{
			id: 'grid.find',
			title: `Find in the loaded ${nouns.row.many.toLowerCase()}`,
			label: 'Find …',
			Icon: Search,
			keys: ['Mod+F'],
			section: 'go',
			isRare: true,
			opensDialog: true,
			run: view.openFind,
		},
		...([1, -1] as const).map(by => ({
			id: by === 1 ? 'grid.findNext' : 'grid.findPrevious',
			title: by === 1 ? 'Next match' : 'Previous match',
			keys: [by === 1 ? 'F3' : 'Shift+F3'],
			isAvailable: find.isOpen,
			run: () => find.step(by),
		})),
		{ id: 'grid.selectRows', title: 'Select whole rows', keys: ['Shift+Space'], run: () => select('rows') },
		{ id: 'grid.selectColumns', title: 'Select whole columns', keys: ['Mod+Space'], run: () => select('columns') },
		{ id: 'grid.selectAll', title: 'Select all', keys: ['Mod+A'], run: () => select('all') },
		{
			id: 'grid.openMenu',
			title: 'Open the menu',
			keys: ['ContextMenu', 'Shift+F10'],
			isUnlisted: true,
			run: view.openMenu,
		},
		{ id: 'grid.fit', title: 'Fit all columns', run: () => view.fit(columns.names()) },
		{
			id: 'grid.fold',
			title: 'Fold or unfold columns with one value',
			isAvailable: () => columns.foldable().length > 0,
			run: () => columns.fold(!columns.isFolded()),
		},
	]
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

/** Entries of the menu of cells, with the one that opens the rest. */
const mostEntries = 12

/**
 * Returns the available commands of the menu of cells in the order of their sections, and those under *More*: the rare
 * ones, and the last ones of a menu that is still too long.
 *
 * @param others number of further entries in the menu
 */
export function inMenu(commands: readonly GridCommand[], others: number) {
	const all = menuSections.flatMap(name =>
		commands.filter(({ section, isAvailable }) => section === name && (isAvailable?.() ?? true)),
	)
	if (all.length + others <= mostEntries) return { shown: all, more: [] }
	const shown = all.filter(({ isRare }) => !isRare).slice(0, Math.max(0, mostEntries - 1 - others))
	return { shown, more: all.filter(command => !shown.includes(command)) }
}
