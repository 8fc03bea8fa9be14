import type { Change } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { groupedChanges } from './change-groups.ts'

const update = (rowId: string, price: string): Change => ({ kind: 'update', rowId, set: { price: { number: price } } })

test('a statement that a driver shows cannot look like a group, and numbers keep their digits', () => {
	const changes = [update('a', '1.10'), update('b', '12345678901234567890.5'), update('c', '1.10')]
	const statements = ['SET\n1 row: delete', 'SET\nx', 'SET\ny']
	expect(groupedChanges(changes, statements)).toBe(
		[
			'3 rows: update "price"',
			'  First statement:',
			'  | SET',
			'  | 1 row: delete',
			'  Rows:',
			'  "b": 12345678901234567890.5',
			'  "a", "c": 1.10',
		].join('\n'),
	)
})

test('a statement with more lines than the others, as a driver writes side effects, is in a separate group', () => {
	const changes = [update('a', '1'), update('b', '1'), update('c', '1')]
	const lines = groupedChanges(changes, ['SET', 'SET\n-- and more', 'SET'])?.split('\n')
	expect(lines?.slice(0, 4)).toEqual(['1 row: update "price"', '  First statement:', '  | SET', '  | -- and more'])
})

test('without a statement for each change there are no groups', () => {
	expect(groupedChanges([update('a', '1'), update('b', '1')], ['SET'])).toBeUndefined()
})
