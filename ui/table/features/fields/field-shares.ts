import type { Column, Row } from '../../../../host/api/api.ts'
import { cellOf, isNothing } from '../../../cells/cell-text.ts'

/** Rows that are looked at. */
const mostCounted = 200

/** Returns the share of rows, from 0 to 1, in which each column has a value. Empty without rows. */
export function fieldShares(columns: readonly Column[], rows: readonly Row[]): ReadonlyMap<string, number> {
	const some = rows.slice(0, mostCounted)
	if (some.length === 0) return new Map()
	return new Map(
		columns.map(({ name }, at) => [name, some.filter(row => !isNothing(cellOf(row, at))).length / some.length]),
	)
}

/** Returns the names with a text in them, in their order. */
export function withText(names: readonly string[], text: string): readonly string[] {
	const wanted = text.trim().toLowerCase()
	return names.filter(name => name.toLowerCase().includes(wanted))
}
