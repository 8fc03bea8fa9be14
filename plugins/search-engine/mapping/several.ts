/** Whether a name is a pattern or a list of indices. */
export const isSeveral = (table: string): boolean => /[*,]/.test(table)

/** Returns why documents cannot be added to a pattern or a list of indices, for the user. */
export function whyNoInsert(table: string): string | undefined {
	return isSeveral(table) ? `${table} names several indices. Open one of them to add a document.` : undefined
}
