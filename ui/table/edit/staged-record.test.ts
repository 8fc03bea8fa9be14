import { expect, test } from 'vitest'
import { nothing, type Staged, withCells } from './staged.ts'
import { recordOf, stagedOf } from './staged-record.ts'

const staged: Staged = {
	rows: new Map([
		[
			'1',
			{
				rowId: '1',
				version: '7/3',
				cells: new Map([['n', { before: { number: '17144233728206122483' }, after: null }]]),
				isDeleted: false,
			},
		],
		['2', { rowId: '2', cells: new Map(), isDeleted: true }],
	]),
	inserts: [{ id: 'new 3', values: { id: 'new' } }],
}

test('staged changes are restored from their record with versions and every digit', () => {
	expect(stagedOf(JSON.parse(JSON.stringify(recordOf(staged))))).toEqual({ staged, past: [] })
	expect(recordOf(nothing)).toBeNull()
	expect(stagedOf(null)).toEqual({ staged: nothing, past: [] })
})

test('a restored record has the same text, so that a window does not write back what it took', () => {
	const text = JSON.stringify(recordOf(staged))
	expect(JSON.stringify(recordOf(stagedOf(JSON.parse(text))?.staged ?? nothing))).toBe(text)
})

test('a record holds what undo leads to, each row once, and leaves out the earliest steps if they are many', () => {
	const [first] = staged.rows
	const past = [nothing, { rows: new Map(first && [first]), inserts: [] }, staged]
	const record = recordOf(nothing, past)
	expect(record?.past?.rows).toHaveLength(2)
	expect(stagedOf(JSON.parse(JSON.stringify(record)))).toEqual({ staged: nothing, past })
	const many = Array.from({ length: 3000 }, () => staged)
	expect(recordOf(staged, many)?.past?.states).toHaveLength(1250)
	expect(stagedOf({ ...record, past: { states: 7 } })?.past).toEqual([])
})

test('a value that is not such a record is ignored', () => {
	for (const other of ['text', 7, [], {}, { rows: [{}], inserts: [] }, { rows: [], inserts: 'x' }]) {
		expect(stagedOf(other)).toBeUndefined()
	}
})

test('a record with an invalid content is ignored too, because it would break the window', () => {
	const row = { rowId: '1', cells: [], isDeleted: true }
	const isTaken = (record: object) => stagedOf(record) !== undefined
	expect(isTaken({ rows: [row], inserts: [{ id: 'new 1', values: {} }] })).toBe(true)
	for (const insert of [null, 7, {}, { id: 'x' }, { id: 7, values: {} }, { id: 'x', values: { a: { json: '{' } } }]) {
		expect([insert, isTaken({ rows: [], inserts: [insert] })]).toEqual([insert, false])
	}
	const cells = [7, null, {}, [], [7, 1, 2], ['a', 1], ['a', { x: 1 }, 2], ['a', 1, { number: 'one' }], ['a', 1, []]]
	for (const cell of cells) {
		expect([cell, isTaken({ rows: [{ ...row, cells: [cell] }], inserts: [] })]).toEqual([cell, false])
	}
	for (const part of [{ rowId: 7 }, { version: 7 }, { isDeleted: 'yes' }, { cells: 'x' }]) {
		expect([part, isTaken({ rows: [{ ...row, ...part }], inserts: [] })]).toEqual([part, false])
	}
})

test.each([
	['unread', { unread: true } as const],
	['cut text', { text: 'xxx', cutFrom: 20_000 }],
	['bytes', { bytes: 'AAAA' }],
])('an edit of a value that was shown as %s is kept, with all other edits', (_, before) => {
	const staged = withCells(nothing, [
		{ row: { id: '1', version: '1.1' }, column: { name: 'content' }, before, after: 'mine' },
		{ row: { id: '2', version: '1.1' }, column: { name: 'name' }, before: 'a', after: 'b' },
	])
	expect(stagedOf(JSON.parse(JSON.stringify(recordOf(staged))))?.staged).toEqual(staged)
})
