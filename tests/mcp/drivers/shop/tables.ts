import {
	type Cell,
	type Change,
	type ChangeOutcome,
	type Column,
	fromCell,
	type ImportConflict,
	type Json,
	type Reference,
	type Row,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'

/** The tables of the shop: rows in memory, with what a relational engine says about its columns. */

const number = { type: 'bigint', kind: 'number', isKey: false, isReadOnly: false, isSortable: false } as const
const text = { type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: false } as const
const id: Column = { ...number, name: 'id', isKey: true, isReadOnly: 'after_insert', generated: 'default' }

interface Shape {
	readonly columns: readonly Column[]
	readonly note?: string
	readonly indexes?: readonly string[]
	readonly references?: readonly Reference[]
	readonly referrers?: readonly Reference[]
}

export const shapes: Readonly<Record<string, Shape>> = {
	'shop.public.customers': {
		columns: [
			id,
			{ ...text, name: 'name', isRequired: true },
			{ ...text, name: 'note' },
			{ ...text, name: 'photo', type: 'bytea', kind: 'binary' },
		],
		indexes: [],
		referrers: [{ columns: ['id'], table: 'shop.public.orders', to: ['customer'], onDelete: 'cascade' }],
	},
	'shop.public.orders': {
		columns: [
			id,
			{ ...text, name: 'state', type: 'order_state', default: "'new'", choices: ['new', 'paid', 'sent'] },
			{ ...number, name: 'customer', isRequired: true },
		],
		note: 'What customers buy.',
		indexes: ['(state)'],
		references: [{ columns: ['customer'], table: 'shop.public.customers', to: ['id'] }],
	},
	'shop.public.totals': {
		columns: [
			{ ...text, name: 'state' },
			{ ...number, name: 'orders' },
		],
		indexes: [],
	},
}

export type Values = Readonly<Record<string, Json>>

/** The rows of all tables by their keys, as values that are replaced and never changed. */
export type Rows = Readonly<Record<string, ReadonlyMap<string, Values>>>

export const firstRows: Rows = {
	'shop.public.customers': new Map([['1', { id: 1, name: 'Ada', note: 'x'.repeat(30), photo: 'AAH/' }]]),
	'shop.public.orders': new Map([
		['1', { id: 1, state: 'new', customer: 1 }],
		['2', { id: 2, state: 'paid', customer: 1 }],
	]),
	'shop.public.totals': new Map([['all', { state: 'all', orders: 2 }]]),
}

export function rowsOf(rows: Rows, table: string): readonly Row[] {
	const { columns = [] } = shapes[table] ?? {}
	return [...(rows[table] ?? [])].map(([rowId, values]) => ({
		id: rowId,
		version: stringifyJson(values),
		cells: columns.map(column => cellOf(column, values[column.name])),
	}))
}

/** Pages have the first 20 characters of a text, and the first 12 bytes of a photo. */
const shownLength = 20

function cellOf({ type }: Column, value: Json | undefined): Cell {
	if (typeof value !== 'string') return toCell(value)
	if (type === 'bytea') {
		const bytes = Buffer.from(value, 'base64')
		return bytes.length > 12 ? { bytes: value.slice(0, 16), cutFrom: bytes.length } : { bytes: value }
	}
	return value.length > shownLength ? { text: value.slice(0, shownLength), cutFrom: value.length } : value
}

/** Imports one row. @returns the next rows, if it is stored */
export function imported(
	rows: Rows,
	table: string,
	{ values, onConflict }: { readonly values: Readonly<Record<string, Cell>>; readonly onConflict: ImportConflict },
): ReturnType<typeof applied> {
	for (const { name, choices } of shapes[table]?.columns ?? []) {
		if (values[name] === undefined || choices?.includes(String(values[name])) !== false) continue
		return { outcome: { status: 'failed', message: `${name} is one of ${choices.join(', ')}` } }
	}
	const key = keyIn(values)
	const replaces = onConflict === 'replace' && key !== undefined && rows[table]?.has(key)
	return applied(rows, table, replaces ? { kind: 'update', rowId: key, set: values } : { kind: 'insert', values })
}

/** Applies one change. @returns the next rows, unless it fails */
export function applied(
	rows: Rows,
	table: string,
	change: Change,
): { readonly rows?: Rows; readonly outcome: ChangeOutcome } {
	const before = rows[table] ?? new Map()
	const next = (key: string, values: Values | undefined): Rows => {
		const after = new Map(before)
		if (values === undefined) after.delete(key)
		else after.set(key, values)
		return { ...rows, [table]: after }
	}
	const nextKey = String(Math.max(0, ...[...before.keys()].map(Number)) + 1)
	const key = change.kind === 'insert' ? (keyIn(change.values) ?? nextKey) : change.rowId
	const old = before.get(key)
	if (change.kind === 'insert') {
		if (old !== undefined) return { outcome: { status: 'conflict', message: `The key ${key} exists.` } }
		const values = { id: Number(key), ...(table.endsWith('orders') && { state: 'new' }), ...valuesOf(change.values) }
		return { rows: next(key, values), outcome: { status: 'applied', rowId: key, version: stringifyJson(values) } }
	}
	if (old === undefined) return { outcome: { status: 'failed', message: `There is no row ${key}.` } }
	if (change.version !== undefined && change.version !== stringifyJson(old)) {
		return { outcome: { status: 'conflict', message: `The row ${key} was changed meanwhile.` } }
	}
	if (change.kind === 'update' && (keyIn(change.set) ?? key) !== key) {
		return { outcome: { status: 'failed', message: 'A row keeps its id.' } }
	}
	const values = change.kind === 'delete' ? undefined : { ...old, ...valuesOf(change.set) }
	const version = values === undefined ? {} : { version: stringifyJson(values) }
	return { rows: next(key, values), outcome: { status: 'applied', rowId: key, ...version } }
}

/** The key that the user gives, if any. */
function keyIn({ id }: Readonly<Record<string, Cell>>): string | undefined {
	const key = id === undefined ? undefined : fromCell(id)
	return key === undefined || key === null ? undefined : stringifyJson(key)
}

const valuesOf = (cells: Readonly<Record<string, Cell>>): Values =>
	Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, fromCell(cell) ?? null]))
