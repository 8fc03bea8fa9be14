import { expect, test } from 'vitest'
import type { Records } from '../state/records.ts'
import { keepQueryText, recentQueries } from './recent-queries.ts'

type Value = Parameters<Records['set']>[1]

const target = { connection: 'c1', table: 'logs/2026' }

function recordsOf(kept: Record<string, Value> = {}) {
	const values = new Map(Object.entries(kept))
	const records = { get: (key: string) => values.get(key), set: (key: string, value: Value) => values.set(key, value) }
	return { values, records: records as unknown as Records }
}

test('the last 20 queries of a table are kept, each once, the newest first', () => {
	const { records, values } = recordsOf()
	for (let number = 1; number <= 25; number++) keepQueryText(records, target, { raw: `year:${number}` })
	keepQueryText(records, target, { raw: 'year:10' })
	const read = { raw: 'year:>1', typed: 'year > 1' }
	keepQueryText(records, target, { raw: 'year:>2', typed: 'year > 1' })
	keepQueryText(records, target, read)
	keepQueryText(records, target, { raw: '' })
	keepQueryText(records, target, { raw: 'x'.repeat(2_001) })
	const kept = recentQueries(records, target)
	expect(kept.slice(0, 3)).toEqual([read, { raw: 'year:10' }, { raw: 'year:25' }])
	expect(kept).toHaveLength(20)
	expect(recentQueries(records, { ...target, table: 'books' })).toEqual([])
	// A removed connection takes the records with it whose second segment is its id.
	expect([...values.keys()]).toEqual(['queries/c1/logs/2026'])
})

test('a record of another shape has no queries', () => {
	expect(recentQueries(recordsOf({ 'queries/c1/logs/2026': 'year:1' }).records, target)).toEqual([])
	expect(recentQueries(recordsOf({ 'queries/c1/logs/2026': [{ raw: 'year:1' }, 5, {}] }).records, target)).toEqual([
		{ raw: 'year:1' },
	])
})
