import type { Group } from '@roundhouse/kit'
import { calendar } from '@roundhouse/sql'
import { columnIn, type Shape } from '../catalog/shape.ts'

/** Whether the values of a column are instants. */
export const hasZone = (shape: Shape, column: string): boolean => columnIn(shape, column).base === 'timestamptz'

/** Whether a group is a unit of the calendar in the zone of the session. */
export const isInZone = (shape: Shape, { column, interval }: Group): boolean =>
	interval !== undefined && calendar.has(interval) && hasZone(shape, column)
