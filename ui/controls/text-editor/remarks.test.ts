import { expect, test } from 'vitest'
import { withoutRemarks } from './remarks.ts'

const sql = { keywords: [], words: ['delete'], lineComments: ['--'], blockComments: [], textBlocks: ["'"] }

test('the comment lines at the end of a statement are divided from it', () => {
	expect(withoutRemarks('delete from a where id = 1\n-- This also deletes 2 rows of b.', sql)).toEqual({
		statement: 'delete from a where id = 1',
		remarks: ['This also deletes 2 rows of b.'],
	})
	expect(withoutRemarks('delete from a\n-- One.\n-- Two.', sql)).toEqual({
		statement: 'delete from a',
		remarks: ['One.', 'Two.'],
	})
})

test('a text with the mark of a comment stays in its statement', () => {
	for (const text of ["update a set b = 'x\n-- y'", 'delete from a -- beside', '-- alone'])
		expect(withoutRemarks(text, sql)).toEqual({ statement: text, remarks: [] })
})
