/** How a person left the columns of a table. */
export interface Layout {
	readonly widths: Readonly<Record<string, number>>
	readonly hidden: readonly string[]
	/** Names in the order they were moved to; empty as long as none was. */
	readonly order: readonly string[]
	/** Those that were pinned, or unpinned where they come so. */
	readonly pins: Readonly<Record<string, boolean>>
	/** Columns that say the same in every row show like all others. */
	readonly isUnfolded: boolean
}

/** What is known of a column, whose name may be one that every object answers to: `constructor`. */
export const of = <T>(known: Readonly<Record<string, T>>, column: string): T | undefined =>
	Object.hasOwn(known, column) ? known[column] : undefined

export const untouched: Layout = { widths: {}, hidden: [], order: [], pins: {}, isUnfolded: false }

/** The layout as a preference takes it. */
export function toStore({ widths, hidden, order, pins, isUnfolded }: Layout) {
	return { widths: { ...widths }, hidden: [...hidden], order: [...order], pins: { ...pins }, isUnfolded }
}

/** The layout that is kept, whatever else the preference holds. */
export function layoutOf(stored: unknown): Layout {
	const { widths, hidden, order, pins, isUnfolded } = membersOf(stored)
	return {
		widths: only(widths, value => typeof value === 'number'),
		hidden: names(hidden),
		order: names(order),
		pins: only(pins, value => typeof value === 'boolean'),
		isUnfolded: isUnfolded === true,
	}
}

function membersOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {}
}

function only<T>(value: unknown, isFit: (value: unknown) => value is T): Readonly<Record<string, T>> {
	return Object.fromEntries(Object.entries(membersOf(value)).filter((entry): entry is [string, T] => isFit(entry[1])))
}

const names = (value: unknown) => (Array.isArray(value) ? value.filter(name => typeof name === 'string') : [])
