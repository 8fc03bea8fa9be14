import { describeEffect, type Effect } from '@roundhouse/kit'
import type { Shape } from '../catalog/shape.ts'

/** What deletions of rows delete or change in other rows, for the review. */

/** A review of more deletions says only that there may be further rows. */
const mostTried = 200

/** Whether other rows may go with a row of the table. */
export const mayCascade = ({ referrers }: Shape): boolean => referrers.length > 0

/** The rows of a parent are counted in its children, so its deletions are not tried. */
export const isTried = ({ hasChildren, kind }: Shape, deletions: number): boolean =>
	deletions <= mostTried && !hasChildren && kind !== 'p'

/**
 * Returns the comment below the last deletion; `undefined` if no other row is reached.
 * @param effect of all deletions; `undefined` if they could not be tried
 */
export function cascadeComment(shape: Shape, effect: Effect | undefined, deletions: number): string | undefined {
	const names = [...new Set(shape.referrers.map(({ table }) => table))]
	if (!effect)
		return `-- Rows of ${names.join(', ')} refer to these rows. What goes with them could not be tried, and Undo does not bring it back.`
	const own = `${shape.place.schema}.${shape.place.table}`
	const others = effect.tables.flatMap(one => {
		const further = one.table === own ? { ...one, deleted: one.deleted - deletions } : one
		return further.deleted > 0 || further.updated > 0 ? [{ ...further, inserted: 0 }] : []
	})
	if (others.length === 0) return undefined
	return `-- This also ${describeEffect({ ...effect, tables: others })}. Undo does not bring that back.`
}
