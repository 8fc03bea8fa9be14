import { expect, test } from 'vitest'
import { readMapping } from '../mapping/mapping.ts'
import { insertAgain } from './insert-again.ts'

const mappings = { properties: { n: { type: 'long' } } }
const stream = '.ds-logs-2026.11.24-000001'
const mapping = readMapping({ one: { mappings }, [stream]: { mappings }, [`restored-${stream}`]: { mappings } })

test('a document behind another name is inserted again in its index', () => {
	expect(insertAgain({ index: 'one', id: 'a', routing: 'r' }, { table: 'one,lo*', mapping })).toEqual({
		_id: 'a',
		_index: 'one',
		_routing: 'r',
	})
	expect(insertAgain({ index: 'one', id: 'a' }, { table: 'one', mapping })).toEqual({ _id: 'a' })
	expect(insertAgain({ index: 'two', id: 'a' }, { table: 'one', mapping })).toBeUndefined()
})

test('a backing index of a data stream takes no new document', () => {
	for (const table of ['logs', 'one,lo*', stream])
		expect(insertAgain({ index: stream, id: 'a' }, { table, mapping })).toBeUndefined()
	expect(insertAgain({ index: `restored-${stream}`, id: 'a' }, { table: 'logs', mapping })).toBeUndefined()
})
