import type { Effect, TableEffect } from './console.ts'

/**
 * Whether an effect is at most another: in the same place, on no further table, with no larger number, and on the same
 * rows where all of them were known.
 */
export function isWithinEffect(now: Effect, agreed: Effect): boolean {
	if (now.place !== agreed.place) return false
	return now.tables.every(one => {
		const other = agreed.tables.find(({ table }) => table === one.table)
		if (!other) return false
		const isSmaller = one.inserted <= other.inserted && one.updated <= other.updated && one.deleted <= other.deleted
		return isSmaller && (other.keys === undefined || one.keys === other.keys)
	})
}

/** Returns the number of rows that an effect inserted, updated or deleted. */
export function rowsOfEffect({ tables }: Effect): number {
	return tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0)
}

/** Describes an effect in words, for example `deletes 1 row of customers and 50 rows of orders; inserts 1 row of audit`. */
export function describeEffect(effect: Effect): string {
	const parts = partsOf(effect).map(([verb, rows]) => `${verb}s ${rows}`)
	return parts.length === 0 ? 'changes no row' : parts.join('; ')
}

/** Names an effect as an order, for example `Delete 1 row of customers, insert 1 row of audit`. */
export function nameEffect(effect: Effect): string {
	const text = partsOf(effect)
		.map(([verb, rows]) => `${verb} ${rows}`)
		.join(', ')
	return text === '' ? 'Change no row' : `${text[0]?.toUpperCase()}${text.slice(1)}`
}

/** Returns what is done, and to which rows. What is lost comes first. */
function partsOf({ tables }: Effect): readonly (readonly [verb: string, rows: string])[] {
	return verbs.flatMap(([member, verb]) => {
		const changed = tables.filter(one => one[member] > 0)
		return changed.length === 0 ? [] : [[verb, listed(changed.map(one => rowsOf(one, member)))] as const]
	})
}

const verbs = [
	['deleted', 'delete'],
	['updated', 'change'],
	['inserted', 'insert'],
] as const

const rowsOf = (one: TableEffect, member: 'deleted' | 'updated' | 'inserted') =>
	`${one[member].toLocaleString('en')} ${one[member] === 1 ? 'row' : 'rows'} of ${one.table}`

const listed = (parts: readonly string[]) =>
	parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
