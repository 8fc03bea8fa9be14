import type { Typed } from '@roundhouse/kit/cell-input'
import type { JsonObject } from '@roundhouse/kit/json'
import type { Cell, Row } from '../../../host/api/api.ts'
import { cellOf, copyText } from '../../cells/cell-text.ts'
import { copiedCells } from '../../cells/clipboard.ts'
import { parseTsv } from '../../cells/parse-tsv.ts'
import { cellCount } from '../../cells/selection.ts'
import { showToast } from '../../controls/toasts.tsx'
import type { IndexedColumn } from '../../grid/columns/indexed-column.ts'
import { columnsFrom, exactCells, selectedColumns } from '../../grid/copy/copy.ts'
import type { GridModel } from '../../grid/model.ts'
import type { Engine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { readCell, readNull } from './cell-input.ts'
import type { CellEdits } from './edits.ts'
import { type Block, columnsNamedBy, pasteBlock } from './paste.ts'
import { newRowOf, parseObjects, unwrapped } from './pasted-objects.ts'
import type { EditedRows } from './sheet.ts'
import { isNewRow, newRowId } from './staged.ts'

/** More new rows at once need an import. */
const mostNewRows = 1_000

/** Reads a value that may come from another column. */
function valueFor({ column }: IndexedColumn, value: Cell): Typed {
	if (value === null) return readNull(column)
	return typeof value === 'object' && 'missing' in value ? { cell: value } : readCell(column, value, copyText(value))
}

/** Whether a text of JSON is a value for a column: one line, and the column has values of JSON. */
const isValueFor = (place: IndexedColumn | undefined, text: string): boolean =>
	place?.column.kind === 'json' && !text.trim().includes('\n')

/** Changes of the selected cells. Each stages its changes as one step of undo. */
export function createCellActions({
	grid,
	sheet,
	edits,
	engine: { removesFields, wrappedRow },
}: {
	readonly grid: GridModel
	readonly sheet: EditedRows
	readonly edits: CellEdits
	readonly engine: Pick<Engine, 'removesFields' | 'wrappedRow'>
}) {
	const { selected, columns, place, nouns } = grid
	const { row: rowNoun, column: columnNoun } = nouns
	const { rectangle } = place
	const newRow = { one: `new ${rowNoun.one}`, many: `new ${rowNoun.many}` }

	/** Returns the columns of cells that will be changed, once all that a change needs to know is known. */
	async function readied(rows: readonly Row[], places: readonly IndexedColumn[]): Promise<readonly IndexedColumn[]> {
		if (!sheet.ready) return places
		await sheet.ready(rows, places)
		return places.map(place => columns.at(columns.indexOf(place.column.name)) ?? place)
	}

	/** Stages a cell for each place of each row that takes one, as one step of undo. Says which columns take none. */
	function stage(rows: readonly Row[], after: (place: IndexedColumn) => Typed, places: readonly IndexedColumn[]) {
		const typed = places.map(place => ({ place, read: after(place) }))
		edits.setCells(
			rows.flatMap(row =>
				typed.flatMap(({ place, read }) =>
					'cell' in read && sheet.canChange(row, place)
						? [{ row, column: place.column, before: cellOf(row, place.index), after: read.cell }]
						: [],
				),
			),
		)
		const faults = typed.flatMap(({ place, read }) =>
			'fault' in read ? [`${place.column.name} was not changed: the value is ${read.fault}.`] : [],
		)
		if (faults[0] !== undefined) selected.say(faults[0])
	}

	/** Stages objects of JSON as new rows. */
	function addObjects(objects: readonly JsonObject[]): void {
		const whyNot = sheet.cannotInsert()
		if (whyNot !== undefined) return void selected.say(whyNot)
		const pasted = unwrapped(objects, wrappedRow)
		if (pasted.length > mostNewRows) return void selected.say(tooMany(pasted.length))
		const all = columns.places().map(({ column }) => column)
		const rows = pasted.map(row => newRowOf(row, all, removesFields))
		const added = rows.map(({ values }) => ({ id: newRowId(), values }))
		edits.setCells([], added)
		const left = [...new Set(rows.flatMap(row => row.left))]
		const without = left.length > 0 ? ` Without ${left.join(', ')}, which a ${newRow.one} does not take.` : ''
		const isThere = () => edits.inserts().some(({ id }) => added.some(insert => insert.id === id))
		const faults = [...new Set(rows.flatMap(row => row.faults))].map(fault => ` ${fault}`).join('')
		selected.say(`Added ${counted(added.length, newRow)} at the top.${without}${faults}`, isThere)
	}
	/** Objects are seldom meant for one cell. What was typed there stays, and the user can choose new rows. */
	function offerObjects(objects: readonly JsonObject[]): void {
		const what = `${count(objects.length)} JSON ${objects.length === 1 ? 'object' : 'objects'}`
		showToast(`Not pasted into the cell: ${what}.`, {
			label: `Paste as ${newRow.many}`,
			run: () => addObjects(objects),
		})
	}
	const tooMany = (many: number) =>
		`${counted(many, newRow)} are pasted, and at most ${count(mostNewRows)} can be added at once. Paste fewer, or import them from a file.`

	return {
		/**
		 * Pastes a block from the first selected cell on, or a single value into all of them. The rows of the block that have
		 * none below, or all of them with `isNew`, become new rows. If all become new rows, the first line may name their
		 * columns. Objects of JSON become new rows by the names of their members; for one cell they are only offered.
		 */
		async paste(text: string, isNew = false): Promise<void> {
			const { top, bottom: last, left, right } = rectangle()
			const copied = copiedCells(text)
			const areAllNew = isNew || sheet.count() === 0
			const isForRows = areAllNew || (cellCount(rectangle()) === 1 && !isValueFor(columns.at(left), text))
			const objects = isForRows && !copied ? parseObjects(text) : undefined
			if (objects) return areAllNew ? addObjects(objects) : offerObjects(objects)
			const tabbed = copied?.map(cells => cells.map(copyText)) ?? parseTsv(text)
			const commas = areAllNew && !copied && tabbed.every(({ length }) => length === 1) ? parseTsv(text, ',') : []
			const isCsv = (commas[0]?.length ?? 0) > 1 && columnsNamedBy(commas[0] ?? [], columns.places()) !== undefined
			const lines = isCsv ? commas : tabbed
			const canHaveHeading = areAllNew && lines.length > 1
			const heading = canHaveHeading ? columnsNamedBy(lines[0] ?? [], columns.places()) : undefined
			const known = heading ? copied?.slice(1) : copied
			const texts = heading ? lines.slice(1) : lines
			const isOne = !isNew && texts.length === 1 && texts[0]?.length === 1 && cellCount(rectangle()) > 1
			// A block that begins in a new row does not go on in a saved one.
			const isInNew = isNew || top < sheet.insertedCount()
			const end = isNew ? top : isInNew ? sheet.insertedCount() : sheet.count()
			const bottom = isOne ? last : Math.min(top + texts.length, end) - 1
			const missing = isOne ? 0 : texts.length - (bottom - top + 1)
			const whyNotNew =
				sheet.cannotInsert() ??
				(isInNew || sheet.isCounted() ? undefined : `The number of ${rowNoun.many} is not known exactly.`)
			const width = isOne ? right - left + 1 : Math.max(...texts.map(({ length }) => length))
			const places = heading ?? columnsFrom(grid, left, width)
			await selected.use(
				'pasted into',
				async there => {
					const ready = await readied(there, places)
					if (whyNotNew === undefined && missing > mostNewRows) throw new RangeError(tooMany(missing))
					const drafts = Array.from({ length: whyNotNew === undefined ? missing : 0 }, sheet.newRow)
					const rows = [...there, ...drafts]
					const spread = <T>(value: T) => rows.map(() => places.map(() => value))
					const block: Block = isOne
						? { texts: spread(texts[0]?.[0] ?? ''), cells: known && spread(known[0]?.[0] ?? null) }
						: { texts, cells: known }
					const pasted = pasteBlock(block, {
						rows,
						places: ready,
						canChange: (at, place) => {
							const row = rows[at]
							return row !== undefined && sheet.canChange(row, place)
						},
					})
					const filled = new Set(pasted.changes.map(({ row }) => row.id))
					const added = drafts.flatMap(({ id }) => (filled.has(id) ? [{ id, values: {} }] : []))
					edits.setCells(pasted.changes, added)
					const isStaged = edits.hasAny(pasted.changes)
					const message = [
						pasted.message,
						...(heading ? [`The first line was read as ${columnNoun.many}.`] : []),
						...(added.length > 0 ? [`Added ${counted(added.length, newRow)} at the top.`] : []),
						...(missing > 0 && whyNotNew !== undefined ? [whyNotNew] : []),
					].join(' ')
					selected.say(message, () => !isStaged || edits.hasAny(pasted.changes))
				},
				{ top, bottom },
			)
		},

		/** Repeats the topmost selected row in those below. With one row, repeats the one above it. */
		async fillDown(): Promise<void> {
			const { top, bottom } = rectangle()
			const from = top === bottom ? Math.max(0, top - 1) : top
			const places = selectedColumns(grid)
			await selected.use(
				'filled',
				async ([source, ...rows]) => {
					if (!source || rows.length === 0) return
					const cells = await exactCells(grid, source, places)
					const ready = await readied(rows, places)
					stage(rows, place => ({ cell: cells[ready.indexOf(place)] ?? null }), ready)
				},
				{ top: from, bottom },
			)
		},

		/** Stages one value for every editable selected cell, as one step of undo. */
		async setAll(value: Cell): Promise<void> {
			const places = selectedColumns(grid)
			await selected.use('changed', async rows =>
				stage(rows, place => valueFor(place, value), await readied(rows, places)),
			)
		},

		/** Whether a selected column takes null. */
		canSetNull(): boolean {
			const { left, right } = rectangle()
			for (let at = left; at <= right; at++) if (!columns.at(at)?.column.isNotNull) return true
			return false
		},

		/** Whether all selected rows are marked for deletion. */
		areDeleted(): boolean {
			if (edits.count() === 0) return false
			const { top, bottom } = rectangle()
			for (let at = top; at <= bottom; at++) if (!edits.get(sheet.at(at)?.id ?? '')?.isDeleted) return false
			return true
		},

		/** Marks the selected rows for deletion, or unmarks them if all are marked. */
		async toggleDeleted(): Promise<void> {
			await selected.use('deleted', rows => {
				const why = sheet.cannotDelete()
				const deletable = why === undefined ? rows : rows.filter(({ id }) => isNewRow(id))
				if (why !== undefined && deletable.length < rows.length) selected.say(why)
				edits.toggleDeleted(deletable)
			})
		},
	}
}
