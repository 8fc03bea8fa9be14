export interface BarQuery {
	/** What is sent to the engine. */
	readonly raw: string
	/** What the user typed, if the driver read something else in it, or if the user wants exactly this to be sent. */
	readonly typed?: string | undefined
}

/** Returns the query as the user typed it. */
export const textOf = ({ raw, typed = raw }: BarQuery) => typed

/** Whether a stored value is a query. */
export function isBarQuery(kept: unknown): kept is BarQuery {
	if (typeof kept !== 'object' || kept === null) return false
	const { raw, typed } = kept as Partial<BarQuery>
	return typeof raw === 'string' && (typed === undefined || typeof typed === 'string')
}
