import { fromCell } from '@roundhouse/kit/cell'
import type { Cell, Column } from '../../../host/api/api.ts'
import { readCell } from './cell-input.ts'
import type { SaveFailure, Staged } from './staged.ts'

/**
 * Returns staged texts that their columns do not take, for example pasted ones, by row: one for each row. They stay in
 * their cells, and nothing is saved until they fit or are gone.
 */
export function misfitsOf({ rows, inserts }: Staged, columns: readonly Column[]): ReadonlyMap<string, SaveFailure> {
	const byName = new Map(columns.map(column => [column.name, column]))
	const misfits = new Map<string, SaveFailure>()
	const check = (rowId: string, name: string, cell: Cell) => {
		const column = byName.get(name)
		const text = fromCell(cell)
		const message = column && typeof text === 'string' ? misfitOf(column, text) : undefined
		if (message !== undefined && !misfits.has(rowId)) misfits.set(rowId, { message, isConflict: false, column: name })
	}
	for (const { rowId, cells, isDeleted } of rows.values())
		if (!isDeleted) for (const [name, { after }] of cells) check(rowId, name, after)
	for (const { id, values } of inserts) for (const [name, cell] of Object.entries(values)) check(id, name, cell)
	return misfits
}

/**
 * Returns why a column of numbers, of booleans or of listed values does not take a text. In other columns a text may be a
 * value: `undefined`.
 */
export function misfitOf(column: Column, text: string): string | undefined {
	const isChecked = column.kind === 'number' || column.kind === 'boolean' || column.choices !== undefined
	if (!isChecked || text === '') return undefined
	const read = readCell(column, null, text)
	return 'fault' in read ? `"${text}" is ${read.fault}.` : undefined
}
