import type { Column } from '../../../host/api/api.ts'
import type { Engine } from '../../state/engine.tsx'

/** What a new row needs from the user, as the driver says of each column. */

/** Whether a new row needs a value for a column, because the engine makes none. */
export function isRequired({ isRequired, default: byDefault, generated }: Column): boolean {
	return isRequired === true && byDefault === undefined && generated === undefined
}

/** Whether the engine makes the value of a key that is left empty. If the column does not say, the manifest does. */
export function isGeneratedKey(column: Column, rowKey: Engine['rowKey']): boolean {
	if (column.generated !== undefined || column.default !== undefined) return true
	return rowKey === 'generated' && !isRequired(column)
}
