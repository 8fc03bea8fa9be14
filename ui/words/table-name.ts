/** Names of tables in texts. */

/** Returns a name without its schema. */
export const shortName = (table: string) => table.slice(table.lastIndexOf('.') + 1)

/** Whether a text has the name of a table, which may be without its schema there. */
export function isNamedIn(text: string, table: string): boolean {
	const last = shortName(table)
	return text.toLowerCase().includes((/\p{L}/u.test(last) ? last : table).toLowerCase())
}
