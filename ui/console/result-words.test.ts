import { expect, test } from 'vitest'
import { resultName } from './result-words.ts'

/** The name of a result whose columns are all of one table. */
function nameOf(statement: string, table: string): string {
	const body = { view: 'rows', columns: [{}], rows: [], origins: [{ table, columns: [0] }] }
	// The members that the function reads.
	return resultName({ statement, task: { value: () => ({ body }) } } as never)
}

test('a result has the name of its table, if the statement has that', () => {
	expect(nameOf('select * from Orders\nwhere true', 'shop.public.orders')).toBe('shop.public.orders')
	expect(nameOf('GET logs-2026.11.28/_search\n{}', 'logs-2026.11.28')).toBe('logs-2026.11.28')
	expect(nameOf('GET logs-*/_search\n{ "size": 28 }', 'logs-2026.11.28')).toBe('GET logs-*/_search')
})
