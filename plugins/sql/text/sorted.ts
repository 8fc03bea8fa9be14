import { type Access, DriverError, type ResultOrder } from '@roundhouse/kit'

/** What can be a table in another query. */
const isQuery = /^(?:\(|(?:select|with|values|table)\b)/i

/**
 * Returns a statement whose rows are those of a query, in another order: that of the engine, as in the grid of a table.
 *
 * @param access what it may do: nothing that writes runs again for its order
 * @throws DriverError `unsupported` for what is no query, for example SHOW
 */
export function sortedSql(sql: string, access: Access | undefined, sort?: ResultOrder): string {
	if (sort === undefined || sort.by.length === 0) return sql
	if (access !== 'read') throw new DriverError('denied', 'Only a statement that reads runs again in another order.')
	if (!isQuery.test(sql)) {
		const [word = ''] = sql.split(/\s/, 1)
		throw new DriverError('unsupported', `The engine sorts queries alone, and this is ${word.toUpperCase()}.`)
	}
	// Names of the result may be equal, which a table cannot have.
	const names = Array.from({ length: sort.columns }, (_, at) => `c${at + 1}`).join(', ')
	const order = sort.by.map(({ at, direction }) => `${at + 1} ${direction}`).join(', ')
	// A comment may end the query, but not what is around it.
	return `with sorted_rows (${names}) as (\n${sql}\n) select * from sorted_rows order by ${order}`
}
