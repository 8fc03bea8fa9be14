import { DriverError, type TableChange, type TableDefinition } from '@roundhouse/kit'

/** What changes between two definitions of a table, by the ids of their parts. Pure. */

/** Parts of one kind. */
export interface ChangedParts<T> {
	readonly added: readonly T[]
	readonly removed: readonly T[]
	/** In both definitions, in the order of the new one. */
	readonly kept: readonly { readonly before: T; readonly after: T }[]
}

/** Divides parts of two definitions into added, removed and kept ones. */
export function changedParts<T extends { readonly id: string }>(
	before: readonly T[],
	after: readonly T[],
): ChangedParts<T> {
	const old = new Map(before.map(part => [part.id, part]))
	const current = new Set(after.map(({ id }) => id))
	return {
		added: after.filter(({ id }) => !old.has(id)),
		removed: before.filter(({ id }) => !current.has(id)),
		kept: after.flatMap(part => {
			const known = old.get(part.id)
			return known ? [{ before: known, after: part }] : []
		}),
	}
}

/**
 * Checks what no engine takes, so that the form says it before the server does.
 * @throws DriverError `invalid_argument` with what to change in the form
 */
export function checkDefinition({ after }: TableChange): void {
	if (after.name.trim() === '') throw invalidDefinition('The table has no name.')
	if (after.columns.length === 0) throw invalidDefinition('The table has no column.')
	const names = new Set<string>()
	for (const { name, type } of after.columns) {
		if (name.trim() === '') throw invalidDefinition('A column has no name.')
		if (type.trim() === '') throw invalidDefinition(`The column ${name} has no type.`)
		if (names.has(name)) throw invalidDefinition(`Two columns have the name ${name}.`)
		names.add(name)
	}
	const primary = after.keys.filter(({ kind }) => kind === 'primary')
	if (primary.length > 1) throw invalidDefinition('A table has one primary key.')
	for (const key of after.keys) {
		if (key.kind === 'check') {
			if (!key.expression?.trim()) throw invalidDefinition(`The check ${key.name} has no expression.`)
			continue
		}
		checkColumns(`key ${key.name}`, key.columns, after)
		if (key.kind !== 'foreign') continue
		if (!key.references?.table) throw invalidDefinition(`The key ${key.name} refers to no table.`)
		if (key.references.columns.length !== key.columns.length)
			throw invalidDefinition(`The key ${key.name} refers to another number of columns than it has.`)
	}
	for (const { name, columns } of after.indexes)
		checkColumns(
			`index ${name}`,
			columns.map(({ column }) => column),
			after,
		)
}

function checkColumns(what: string, ids: readonly string[], { columns }: TableDefinition): void {
	if (ids.length === 0) throw invalidDefinition(`The ${what} has no column.`)
	const known = new Set(columns.map(({ id }) => id))
	if (ids.some(id => !known.has(id)))
		throw invalidDefinition(`The ${what} has a column that is dropped. Drop the ${what} too, or keep the column.`)
	if (new Set(ids).size < ids.length) throw invalidDefinition(`The ${what} has a column twice.`)
}

/** Returns how the ids of columns read in a definition. */
export function columnNames({ columns }: TableDefinition): (id: string) => string {
	const names = new Map(columns.map(({ id, name }) => [id, name]))
	return id => names.get(id) ?? id
}

/**
 * Returns renames in an order in which no name is taken when it is given. Names that change places go by way of a
 * temporary one.
 */
export function orderedRenames(
	renames: readonly { readonly from: string; readonly to: string }[],
): readonly { readonly from: string; readonly to: string }[] {
	const waiting = renames.filter(({ from, to }) => from !== to)
	const ordered: { readonly from: string; readonly to: string }[] = []
	for (let count = 1; waiting.length > 0; ) {
		const taken = new Set(waiting.map(({ from }) => from))
		const free = waiting.findIndex(({ to }) => !taken.has(to))
		if (free >= 0) ordered.push(...waiting.splice(free, 1))
		else {
			const first = waiting.shift()
			if (first === undefined) break
			const temporary = `roundhouse_rename_${count++}`
			ordered.push({ from: first.from, to: temporary })
			waiting.push({ from: temporary, to: first.to })
		}
	}
	return ordered
}

export const invalidDefinition = (message: string) => new DriverError('invalid_argument', message)
