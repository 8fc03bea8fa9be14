import ArrowDownToLine from 'lucide-solid/icons/arrow-down-to-line'
import ClipboardPaste from 'lucide-solid/icons/clipboard-paste'
import Eraser from 'lucide-solid/icons/eraser'
import Maximize from 'lucide-solid/icons/maximize'
import Pencil from 'lucide-solid/icons/pencil'
import Trash from 'lucide-solid/icons/trash'
import { type JSX, onCleanup, Show } from 'solid-js'
import type { Cannot, Cell } from '../../../host/api/api.ts'
import type { Move } from '../../cells/moves.ts'
import { cellCount } from '../../cells/selection.ts'
import type { CellMark, GridFeature } from '../../grid/feature.ts'
import type { GridModel } from '../../grid/model.ts'
import type { GridCommand } from '../../grid/view/grid-commands.ts'
import { logLetters } from '../../state/appearance.ts'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { counted } from '../../words/format.ts'
import { createCellActions } from '../edit/cell-actions.ts'
import { createCellEditing } from '../edit/cell-editing.ts'
import { CellEditor } from '../edit/cell-editor.tsx'
import type { CellEdits } from '../edit/edits.ts'
import type { Saving } from '../edit/saving.ts'
import type { EditedRows } from '../edit/sheet.ts'
import { notSent } from '../edit/staged.ts'
import { ValueDialog } from '../edit/value-dialog.tsx'

/** Of most cells of a view. One object, so that nothing is updated while the user scrolls. */
const readOnlyMark: CellMark = { classList: {}, isReadOnly: true }

/** Rows in a grid whose cells can be changed. */
export interface EditedTable {
	readonly grid: GridModel
	readonly sheet: EditedRows
	readonly edits: CellEdits
	readonly saving: Pick<Saving, 'canUndoSave' | 'undoSave' | 'canCancel' | 'cancel'>
	cannot(): Cannot
	/** Whether they are read as a log. */
	isInTime(): boolean
	save(isAtOnce: boolean): Promise<void>
	discard(): void
}

/** Changes of cells and rows: typed, pasted, filled or deleted, with undo and redo. They stay staged until a save. */
export function createCellFeature({
	tab,
	table,
}: {
	readonly tab: { readonly isActive: boolean }
	readonly table: EditedTable
}): GridFeature {
	const { grid, sheet, edits, saving, cannot } = table
	const { columns, scrolling, place, selected } = grid
	const engine = useEngine()
	const actions = createCellActions({ grid, sheet, edits, engine })
	const cellEditing = createCellEditing({ grid, sheet, edits })
	const { editing } = cellEditing
	const inPlace = () => (editing()?.isOpened ? undefined : editing())
	const opened = () => (editing()?.isOpened ? editing() : undefined)

	/** A log is read: a letter that is typed by mistake must not change it. */
	const findsTyped = () => table.isInTime() && logLetters.chosen() === 'find'

	/** Keeps the typed value: in the cell, or in all selected cells. */
	function stop(next?: Cell, isForAll = false): void {
		cellEditing.stop(isForAll ? undefined : next)
		if (isForAll && next !== undefined) void actions.setAll(next)
		place.toGrid()
	}

	/** A click elsewhere first keeps the typed value. @returns whether that succeeded */
	function leaveEditor(): boolean {
		const field = scrolling.element()?.querySelector<HTMLElement>('.cell-editor :is(input, select, textarea)')
		scrolling.element()?.focus({ preventScroll: true })
		if (editing()) field?.focus()
		return editing() === undefined
	}

	/** From the menu the browser asks the user first; the key needs no question. */
	async function pasteFromMenu(isNew: boolean): Promise<void> {
		try {
			await actions.paste(await navigator.clipboard.readText(), isNew)
		} catch {
			const where = isNew ? ` in a new ${engine.rowNoun.one}` : ''
			selected.say(`The browser does not allow the window to read the clipboard. Press Ctrl+V${where}.`)
		}
	}
	const canInsert = () => cannot().insert === undefined
	const commands: readonly GridCommand[] = [
		{
			id: 'grid.edit',
			title: 'Edit the cell',
			label: 'Edit',
			Icon: Pencil,
			keys: ['Enter', 'F2'],
			section: 'row',
			gesture: 'double-click',
			run: () => void cellEditing.start(),
		},
		{
			id: 'grid.openValue',
			title: 'Open the value',
			label: 'Open value',
			Icon: Maximize,
			keys: ['Alt+Enter'],
			section: 'row',
			run: () => void cellEditing.open(),
		},
		{
			id: 'grid.paste',
			title: 'Paste',
			Icon: ClipboardPaste,
			keys: ['Mod+V'],
			section: 'copy',
			isRare: true,
			isNative: true,
			run: () => void pasteFromMenu(false),
		},
		{
			id: 'grid.pasteNew',
			title: `Paste as new ${engine.rowNoun.many.toLowerCase()}`,
			keys: ['Mod+Shift+V'],
			section: 'copy',
			isRare: true,
			isAvailable: canInsert,
			run: () => void pasteFromMenu(true),
		},
		{
			id: 'grid.fillDown',
			title: 'Fill down',
			Icon: ArrowDownToLine,
			keys: ['Mod+D'],
			section: 'change',
			isRare: true,
			run: () => void actions.fillDown(),
		},
		{
			id: 'grid.setNull',
			title: 'Set null',
			Icon: Eraser,
			keys: ['Alt+Delete', 'Alt+Backspace'],
			section: 'change',
			isRare: true,
			isAvailable: actions.canSetNull,
			run: () => void actions.setAll(null),
		},
		...(engine.removesFields
			? [
					{
						id: 'grid.removeField',
						title: `Remove ${engine.columnNoun.one}`,
						section: 'change',
						isRare: true,
						isUnlisted: true,
						run: () => void actions.setAll({ missing: true }),
					} as const,
				]
			: []),
		{
			id: 'grid.toggleDeleted',
			get title() {
				return `${actions.areDeleted() ? 'Restore' : 'Delete'} the ${engine.rowNoun.many}`
			},
			get label() {
				const { top, bottom } = place.rectangle()
				const rows = top === bottom ? engine.rowNoun.one : counted(bottom - top + 1, engine.rowNoun)
				return `${actions.areDeleted() ? 'Restore' : 'Delete'} ${rows}`
			},
			Icon: Trash,
			keys: ['Delete'],
			section: 'change',
			run: () => void actions.toggleDeleted(),
		},
		{
			id: 'grid.undo',
			title: 'Undo',
			keys: ['Mod+Z'],
			isAvailable: () => edits.canUndo() || saving.canUndoSave(),
			run: () => void selected.whenDone().then(() => (saving.canUndoSave() ? saving.undoSave() : edits.undo())),
		},
		{
			id: 'grid.redo',
			title: 'Redo',
			keys: ['Mod+Shift+Z', 'Mod+Y'],
			isAvailable: edits.canRedo,
			run: () => void selected.whenDone().then(edits.redo),
		},
		{
			id: 'grid.save',
			title: 'Review and save',
			keys: ['Mod+S'],
			isUnlisted: true,
			run: () => void table.save(false),
		},
		{
			id: 'grid.saveNow',
			title: 'Save without a review',
			keys: ['Mod+Shift+S'],
			isAvailable: () => edits.count() > 0,
			run: () => void table.save(true),
		},
	]
	useCommands(() =>
		tab.isActive
			? [
					{
						id: 'table.save',
						title: 'Review and save',
						keys: ['Mod+S'],
						isAvailable: () => edits.count() > 0,
						run: () => void table.save(false),
					},
					{
						id: 'table.cancel-save',
						title: 'Cancel save',
						keys: ['Mod+.'],
						isAvailable: saving.canCancel,
						run: saving.cancel,
					},
					{
						id: 'table.discard',
						title: 'Discard the staged changes',
						isAvailable: () => edits.count() > 0,
						run: table.discard,
					},
				]
			: [],
	)

	return {
		commands,
		rowMark(row) {
			const [staged, fault] = [edits.get(row.id), edits.faultOf(row.id)]
			if (!staged && !fault) return undefined
			return {
				classList: {
					changed: staged !== undefined && staged.cells.size > 0,
					deleted: staged?.isDeleted === true,
					faulty: fault !== undefined && fault !== notSent,
				},
				title: fault?.message,
			}
		},
		cellMark(row, at) {
			const isStaged = edits.get(row.id)?.cells.has(at.column.name) === true
			const isInvalid = edits.faultOf(row.id)?.column === at.column.name
			const isReadOnly = sheet.isReadOnly(row, at)
			const title = sheet.readOnlyReason(row, at)
			if (!isStaged && !isInvalid && title === undefined) return isReadOnly ? readOnlyMark : undefined
			return { classList: { staged: isStaged, refused: isInvalid }, isInvalid, isReadOnly, title }
		},
		onTyped: character => (findsTyped() ? grid.find.open(character) : void cellEditing.start(character)),
		/** A minus sign begins a negative number. */
		takesTyped(character) {
			const { focus } = place.selection()
			const [row, at] = [sheet.at(focus.row), columns.at(focus.column)]
			if (findsTyped()) return false
			return character === '-' && at?.column.kind === 'number' && row !== undefined && sheet.canChange(row, at)
		},
		onPaste: text => void (editing() ? undefined : actions.paste(text)),
		onKeyDown(event) {
			if (!editing()) {
				const ends = endOf(event)
				if (!ends || !cellEditing.endEarly(ends)) return false
				event.preventDefault()
				return true
			}
			// A refused value stays in its editor while a click or a message takes the focus.
			if (inPlace() && event.target === scrolling.element()) {
				event.preventDefault()
				if (event.key === 'Escape') stop()
				else leaveEditor()
			}
			return true
		},
		onMouseDown(event) {
			if (opened()) return true
			if (!inPlace() || leaveEditor()) return false
			event.preventDefault()
			return true
		},
		/** A refused value stays in its editor, and its row below it. */
		holdsRows: () => inPlace() !== undefined,
		overRows: move => (
			<Show when={inPlace()} keyed>
				{({ place: { row, column }, at, cell, typed, ends }) => (
					<CellEditor
						column={at.column}
						cell={cell}
						place={{ row, column }}
						typed={typed}
						ends={ends}
						left={(columns.lefts()[column] ?? 0) + (columns.isStuck(column) ? scrolling.left() : 0)}
						top={scrolling.rowTop(row)}
						width={columns.width(column)}
						visible={scrolling.visible(columns.isStuck(column))}
						selectedCount={cellCount(place.rectangle())}
						onDone={stop}
						onMove={move}
						ref={finish => {
							edits.setEditor(finish)
							onCleanup(() => edits.setEditor(undefined))
						}}
					/>
				)}
			</Show>
		),
		view: (): JSX.Element => (
			<Show when={opened()} keyed>
				{({ at, cell, isReadOnly }) => (
					<ValueDialog column={at.column} cell={cell} isReadOnly={isReadOnly} onDone={next => stop(next)} />
				)}
			</Show>
		),
	}
}

/** Returns where the focus goes after a key that ends what is typed in a cell. */
function endOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Move | undefined {
	if (ctrlKey || metaKey || altKey) return undefined
	if (key === 'Enter') return { rows: 1, columns: 0 }
	return key === 'Tab' ? { rows: 0, columns: shiftKey ? -1 : 1 } : undefined
}
