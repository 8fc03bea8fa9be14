import { type Access, DriverError, type ResultSort } from '@roundhouse/kit'

/** What can be a table in another query. */
const isQuery = /^(?:\(|(?:select|with|values|table)\b)/i

/**
 * Returns a statement whose rows are those of a query, in another order: that of the engine, as in the grid of a table.
 *
 * @param access what it may do: nothing that writes runs again for its order
 * @throws DriverError `unsupported` for what is no query, for example SHOW
 */
export function sortedSql(sql: string, access: Access | undefined, sort: readonly ResultSort[] = []): string {
	if (sort.length === 0) return sql
	if (access !== 'read') throw new DriverError('denied', 'Only a statement that reads runs again in another order.')
	if (!isQuery.test(sql)) {
		const [word = ''] = sql.split(/\s/, 1)
		throw new DriverError('unsupported', `The engine sorts queries alone, and this is ${word.toUpperCase()}.`)
	}
	const order = sort.map(({ at, direction }) => `${at + 1} ${direction}`)
	// A comment may end the query, but not what is around it.
	return `select * from (\n${sql}\n) as sorted_rows order by ${order.join(', ')}`
}
