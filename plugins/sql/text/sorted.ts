import { type Access, DriverError, type ResultCondition, type ResultOrder } from '@roundhouse/kit'

/** What can be a table in another query. */
const isQuery = /^(?:\(|(?:select|with|values|table)\b)/i

/** Returns the condition that a column has a value, by the text that the driver gave for it. */
export type SameValue = (column: string, value: { readonly text: string } & Pick<ResultCondition, 'kind'>) => string

/**
 * Returns a statement whose rows are those of a query, in another order or fewer of them: as the engine orders and compares
 * them in the grid of a table.
 *
 * @param access what it may do: nothing that writes runs again for its order
 * @throws DriverError `unsupported` for what is no query, for example SHOW
 */
export function sortedSql(
	sql: string,
	access: Access | undefined,
	sort: ResultOrder | undefined,
	isSame: SameValue,
): string {
	const { columns = 0, by = [], where = [] } = sort ?? {}
	if (by.length + where.length === 0) return sql
	if (access !== 'read') throw new DriverError('denied', 'Only a statement that reads runs again in another order.')
	if (!isQuery.test(sql)) {
		const [word = ''] = sql.split(/\s/, 1)
		throw new DriverError('unsupported', `The engine sorts queries alone, and this is ${word.toUpperCase()}.`)
	}
	// Names of the result may be equal, which a table cannot have.
	const names = Array.from({ length: columns }, (_, at) => `c${at + 1}`)
	const conditions = where.map(condition => conditionOf(condition, isSame))
	const found = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
	const order = by.length > 0 ? ` order by ${by.map(({ at, direction }) => `${at + 1} ${direction}`).join(', ')}` : ''
	// A comment may end the query, but not what is around it.
	return `with sorted_rows (${names.join(', ')}) as (\n${sql}\n) select * from sorted_rows${found}${order}`
}

function conditionOf({ at, is, text, kind }: ResultCondition, isSame: SameValue): string {
	const column = `c${at + 1}`
	if (text === null) return `${column} is ${is === 'same' ? '' : 'not '}null`
	const same = isSame(column, { text, kind })
	return is === 'same' ? same : `(${column} is null or not (${same}))`
}
