import { createMemo, type JSX } from 'solid-js'
import type { Row } from '../../../../host/api/api.ts'
import { moved } from '../../../cells/selection.ts'
import { RowPanel } from '../../../row-panel/row-panel.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { count } from '../../../words/format.ts'
import { createDocumentEdits } from '../../edit/document-edits.ts'
import { levelOf } from '../../histogram/part-colours.ts'
import { timeOfDay } from '../../log/time-of-day.ts'
import type { OpenTable } from '../../open-table.ts'
import type { TableContext } from '../feature.ts'
import { valueUses } from './value-actions.ts'

/** The whole current row, beside the grid. */
export function RowBeside(context: TableContext): JSX.Element {
	const { tab: props, table, beside } = context
	const { cannot, target, rows, edits, sheet, place, scrolling } = table
	const { rowNoun } = useEngine()
	const shown = createShownRow(table, () => props.tab.isTyping())
	const documentEdits = createDocumentEdits(edits, rows.columns)
	const canChange = () => cannot().update === undefined && rows.columns().some(({ isReadOnly }) => !isReadOnly)
	const headline = createMemo(() => {
		const log = table.log()
		return log && { ...log, levelOf, wordsOfTime }
	})
	function step(by: 1 | -1): void {
		const next = moved(place.selection(), { rows: by, columns: 0 }, { size: place.size(), isExtending: false })
		place.setSelection(next)
		scrolling.reveal(next.focus)
	}
	/** Where the row is, if the grid does not show it. */
	function note(): string | undefined {
		const { row, isListed, isStaged } = shown() ?? {}
		if (!row || row.id === table.place.currentRow()?.id) return undefined
		if (isListed) {
			const found = sheet.find(row.id)
			return (
				found &&
				`This ${rowNoun.one} is row ${count(found.index + 1 - sheet.insertedCount())}. Another one is selected.`
			)
		}
		return `This ${rowNoun.one} is not among the loaded ${rowNoun.many} now.${isStaged ? ' Its changes are kept.' : ''}`
	}
	return (
		<RowPanel
			{...target}
			row={shown()?.row}
			isNew={shown() !== undefined && shown()?.row === undefined}
			note={note()}
			isInTime={table.isInTime()}
			headline={headline()}
			onStep={step}
			isActive={props.isActive}
			edits={canChange() ? documentEdits : undefined}
			valueUses={valueUses(context)}
			onTyped={props.tab.setTyping}
			onClose={() => {
				beside.close()
				place.toGrid()
			}}
		/>
	)
}

function wordsOfTime(text: string): string {
	const { day, time, zone } = timeOfDay(text) ?? {}
	return time === undefined ? text : `${day} ${time} ${zone}`.trim()
}

/** The row beside the grid. */
interface ShownRow {
	/** `undefined` for a new row, which the engine does not have. */
	readonly row: Row | undefined
	/** Whether it was among the loaded rows when they were last read. */
	readonly isListed: boolean
	readonly isStaged: boolean
	/** Number of the user's selection that it follows. */
	readonly moves: number
}

/**
 * The row that the user chose last. A reload, a filter or another order does not replace it by the row that takes its
 * place, nor does another selection while `isHeld` returns `true`.
 */
function createShownRow({ place, rows, sheet, edits }: OpenTable, isHeld: () => boolean) {
	const isStaged = (row: Row | undefined) => row !== undefined && edits.get(row.id) !== undefined
	return createMemo<ShownRow | undefined>(before => {
		const moves = place.moves()
		const current = place.currentRow()
		const isNew = place.selection().focus.row < sheet.insertedCount()
		const isFollowed = before === undefined || (before.moves !== moves && !isHeld())
		if (isFollowed && (current || isNew)) return { row: current, isListed: true, isStaged: isStaged(current), moves }
		// A row that still loads, or that was scrolled out of the loaded ones, tells nothing about the shown one.
		if (!before?.row || (!current && sheet.count() > 0)) return before
		const { row } = before
		const listed = current?.id === row.id ? current : rows.find(row.id)
		const now = { ...before, isListed: listed !== undefined, isStaged: isStaged(row) }
		// After a save it is read again, although no row of the grid tells that there is a newer version.
		const isSaved = before.isStaged && !now.isStaged
		return { ...now, row: listed ?? (isSaved ? { ...row } : row) }
	})
}
