/** The user's layout of a table's columns, in the shapes of TanStack Table's state. */
export interface Layout {
	/** Widths in pixels, by column. */
	readonly sizing: Readonly<Record<string, number>>
	/** `false` for hidden columns. */
	readonly visibility: Readonly<Record<string, boolean>>
	/** Columns in the user's order; empty until one is moved. */
	readonly order: readonly string[]
	/** Pinned columns; `undefined` for the default, which is the key. */
	readonly pinned: readonly string[] | undefined
	/**
	 * Whether the user hides all columns with one value in the first rows, or none. Undecided, only those are hidden that
	 * have no other value in the whole table.
	 */
	readonly folding: 'all' | 'none' | undefined
	/** Whether a column that the user neither shows nor hides is hidden, beside the first ones ({@link FirstColumns}). */
	readonly startsWithFew: boolean
	/** Whether a row has three lines, for the column that takes the room that others leave. */
	readonly isTall: boolean
}

export const untouched: Layout = {
	sizing: {},
	visibility: {},
	order: [],
	pinned: undefined,
	folding: undefined,
	startsWithFew: false,
	isTall: false,
}

/** The columns that a table shows until the user shows others. */
export interface FirstColumns {
	/** In order. */
	readonly names: readonly string[]
	/** One of them that takes the room that the others leave. */
	readonly filling: string
	/** Those that give way to it where there is little room, the first one first. */
	readonly yielding: readonly string[]
}

/** Whether the user has arranged the columns: which ones, or in which order. Widths are no arrangement. */
export const isArranged = ({ visibility, order, pinned }: Layout) =>
	Object.keys(visibility).length > 0 || order.length > 0 || pinned !== undefined

/** Converts the layout to a preference. */
export function toStore({ sizing, visibility, order, pinned, folding, startsWithFew, isTall }: Layout) {
	return {
		sizing: { ...sizing },
		visibility: { ...visibility },
		order: [...order],
		...(pinned && { pinned: [...pinned] }),
		...(folding && { folding }),
		...(startsWithFew && { startsWithFew }),
		...(isTall && { isTall }),
	}
}

/** Reads a stored layout, and ignores everything else in the preference. */
export function layoutOf(stored: unknown): Layout {
	const { sizing, visibility, order, pinned, folding, startsWithFew, isTall } = membersOf(stored)
	return {
		sizing: only(sizing, value => typeof value === 'number'),
		visibility: only(visibility, value => typeof value === 'boolean'),
		order: names(order),
		pinned: Array.isArray(pinned) ? names(pinned) : undefined,
		folding: folding === 'all' || folding === 'none' ? folding : undefined,
		startsWithFew: startsWithFew === true,
		isTall: isTall === true,
	}
}

function membersOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {}
}

function only<T>(value: unknown, isFit: (value: unknown) => value is T): Readonly<Record<string, T>> {
	return Object.fromEntries(Object.entries(membersOf(value)).filter((entry): entry is [string, T] => isFit(entry[1])))
}

const names = (value: unknown) => (Array.isArray(value) ? value.filter(name => typeof name === 'string') : [])
