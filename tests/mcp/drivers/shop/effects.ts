import type { Effect } from '@roundhouse/kit'
import { applied, type Rows } from './tables.ts'

/** Statements of the shop that change more rows than they name, and what they change. */

const customers = 'shop.public.customers'
const orders = 'shop.public.orders'

/** Returns the rows after a statement. `undefined`: it is none of these, or there is no such row. */
export function changedBy(rows: Rows, verb: string, id: string): Rows | undefined {
	if (verb === 'enter')
		return applied(rows, customers, { kind: 'insert', values: { id: Number(id), name: 'New' } }).rows
	// The next order takes the next number.
	if (verb === 'order') return applied(rows, orders, { kind: 'insert', values: { customer: Number(id) } }).rows
	if (verb === 'ship') {
		const shipped = applied(rows, orders, { kind: 'update', rowId: id, set: { state: 'sent' } }).rows
		// As a trigger does.
		const rowId = String(rows[orders]?.get(id)?.customer)
		return shipped && applied(shipped, customers, { kind: 'update', rowId, set: { note: 'served' } }).rows
	}
	if (verb !== 'remove') return undefined
	const own = [...(rows[orders] ?? [])].filter(([, { customer }]) => String(customer) === id)
	const left = own.reduce((left, [rowId]) => applied(left, orders, { kind: 'delete', rowId }).rows ?? left, rows)
	return applied(left, customers, { kind: 'delete', rowId: id }).rows
}

export function effectOf(before: Rows, after: Rows): Effect {
	const tables = Object.entries(after).map(([table, now]) => {
		const was = before[table] ?? new Map()
		return {
			table,
			inserted: [...now.keys()].filter(key => !was.has(key)).length,
			updated: [...now].filter(([key, values]) => was.has(key) && was.get(key) !== values).length,
			deleted: [...was.keys()].filter(key => !now.has(key)).length,
		}
	})
	return { tables, place: 'shop' }
}
