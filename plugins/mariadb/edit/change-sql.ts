import { type Cell, type Change, DriverError } from '@roundhouse/kit'
import { type ChangeParts, changeText } from '@roundhouse/sql'
import { columnIn, type Shape } from '../catalog/shape.ts'
import { hasKey, hasVersion, isRow } from '../grid/row-key.ts'
import { qualified, quoted } from '../sql/names.ts'
import { changedTo } from '../sql/values.ts'

/** Returns the statement of a change. @throws DriverError */
export const changeSql = (shape: Shape, change: Change): string => changeText(partsOf(shape), change)

function partsOf(shape: Shape): ChangeParts {
	const table = qualified(shape.place)
	// Of equal rows without a key, any is the one that was meant.
	const tail = hasKey(shape) ? '' : ' limit 1'
	return {
		cannot: shape.cannot,
		target: { insert: table, update: table, delete: table },
		tail: { insert: '', update: tail, delete: tail },
		noValues: ' () values ()',
		quoted,
		valueSql: (name, cell) => storedAs(shape, name, cell),
		rowCondition: ({ rowId, version }) =>
			version === undefined ? isRow(shape, rowId) : `${isRow(shape, rowId)} and ${hasVersion(shape, version)}`,
	}
}

/** @throws DriverError `invalid_argument` for a column that takes no value */
export function storedAs(shape: Shape, name: string, cell: Cell): string {
	const column = columnIn(shape, name)
	if (column.generated === 'always')
		throw new DriverError('invalid_argument', `${name} is computed by the server, so it takes no value.`)
	// The caller refuses it with a better reason, or leaves it out.
	if (typeof cell === 'object' && cell !== null && ('missing' in cell || 'unread' in cell)) return 'default'
	return changedTo(column, cell)
}
