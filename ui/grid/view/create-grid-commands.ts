import { rowCount } from '../../cells/selection.ts'
import { useEngine } from '../../state/engine.tsx'
import type { CellEditing } from './cell-editing.ts'
import type { GridActions } from './grid-actions.ts'
import { type GridCommand, gridCommands } from './grid-commands.ts'
import type { GridProps } from './grid-props.ts'

interface CommandOptions {
	readonly actions: GridActions
	readonly cellEditing: CellEditing
	/** Fits columns to their visible contents. */
	fit(names: readonly string[]): void
	/** The menu of the focused cell opens at the cell, also without a pointer. */
	openMenu(): void
}

/** The commands of a grid, connected to what they do. */
export function createGridCommands(
	props: GridProps,
	{ actions, cellEditing, fit, openMenu }: CommandOptions,
): readonly GridCommand[] {
	const { columns, edits } = props
	const engine = useEngine()
	const focus = () => props.selection.focus

	/** From the menu the browser asks the user first; the key needs no question. */
	async function pasteFromMenu(isNew: boolean): Promise<void> {
		try {
			await actions.paste(await navigator.clipboard.readText(), isNew)
		} catch {
			const where = isNew ? ` in a new ${engine.rowNoun.one}` : ''
			props.selected.say(`The browser does not allow the window to read the clipboard. Press Ctrl+V${where}.`)
		}
	}
	const focusedName = () => columns.at(focus().column)?.column.name
	return gridCommands(
		{
			openRow: () => props.onOpenRow(),
			compare: () => props.onCompare(),
			canCompare: () => rowCount(props.rectangle) === 2,
			edit: () => void cellEditing.start(),
			openValue: () => void cellEditing.open(),
			copy: format => void actions.copy(format),
			copyExported: format => void actions.copyExported(format),
			copyAs: () =>
				props.onCopyAs(
					choice =>
						void ('exported' in choice
							? actions.copyExported(choice.exported)
							: actions.copy(choice.format, choice.withNames)),
				),
			paste: () => void pasteFromMenu(false),
			pasteNew: () => void pasteFromMenu(true),
			fillDown: () => void actions.fillDown(),
			setNull: () => void actions.setAll(null),
			canSetNull: actions.canSetNull,
			removeField: () => void actions.setAll({ missing: true }),
			toggleDeleted: () => void actions.toggleDeleted(),
			goToRow: () => props.onGoToRow(),
			undo: () => void props.selected.whenDone().then(() => (props.canUndoSave ? props.onUndoSave() : edits.undo())),
			canUndo: () => edits.canUndo() || props.canUndoSave,
			redo: () => void props.selected.whenDone().then(edits.redo),
			canRedo: edits.canRedo,
			save: isAtOnce => props.onSave(isAtOnce),
			canSave: () => edits.count() > 0,
			select: span => props.onSelect({ ...props.selection, span }),
			statistics: () => {
				const name = focusedName()
				if (name !== undefined) props.onStatistics(name)
			},
			filter: use => props.onFilter(use),
			filterApart: () => props.onFilterApart(),
			showAround: () => props.onAround(),
			canShowAround: () => props.canShowAround,
			copyFilter: () => props.onCopyFilter(),
			canCopyFilter: () => engine.rawQuery !== undefined,
			sort: direction => {
				const name = focusedName()
				if (name !== undefined) columns.sortBy(name, direction)
			},
			follow: () => props.onFollow(),
			canFollow: () => props.canFollow,
			followBack: () => props.onFollowBack(),
			canFollowBack: () => props.canFollowBack,
			insert: () => props.onInsert(),
			duplicate: () => props.onDuplicate(),
			canInsert: () => props.canInsert,
			openMenu,
			fitAll: () => fit(columns.names()),
			fold: () => columns.fold(!columns.isFolded()),
			canFold: () => columns.foldable().length > 0,
			find: () => props.onFind(),
			findStep: by => props.find.step(by),
			isFinding: () => props.find.isOpen(),
		},
		engine,
	)
}
