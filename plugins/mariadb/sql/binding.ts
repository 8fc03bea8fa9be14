import { DriverError } from '@roundhouse/kit'
import { tokensOf } from './lexer.ts'
import { type Value, valueSql } from './literals.ts'

/** How values get into SQL: the text protocol of the server has no parameters, and the binary one rounds a FLOAT. */

/**
 * Replaces each `?` outside of texts, names and comments by a value. @param sql a text of the driver itself
 * @throws DriverError `internal_failure` if the numbers differ
 */
export function bound(sql: string, values: readonly Value[]): string {
	if (values.length === 0) return sql
	let next = 0
	const parts = tokensOf(sql).map(({ kind, start, end }) => {
		const text = sql.slice(start, end)
		if (kind !== 'symbol' || text !== '?') return text
		const value = values[next++]
		return value === undefined ? text : valueSql(value)
	})
	if (next !== values.length)
		throw new DriverError('internal_failure', `The statement has ${next} places for ${values.length} values.`)
	return parts.join('')
}
