import { expect, test } from 'vitest'
import { isUndoneByRollback } from './transactions.ts'

const begin = { access: 'write', transaction: 'begins' } as const
const commit = { access: 'write', transaction: 'commits' } as const
const rollback = { access: 'write', transaction: 'rolls_back' } as const
const remove = { access: 'destructive', transaction: 'undone' } as const
const block = { access: 'destructive' } as const
const read = { access: 'read' } as const

test('a destructive statement is undone in a transaction that stays open or is rolled back', () => {
	expect(isUndoneByRollback([remove], true)).toBe(true)
	expect(isUndoneByRollback([read, begin, remove, read, remove], false)).toBe(true)
	expect(isUndoneByRollback([commit, begin, remove], true)).toBe(true)
	expect(isUndoneByRollback([begin, remove, rollback, begin, commit], false)).toBe(true)
})

test('it is not outside a transaction, before a commit, or if the driver does not say so', () => {
	expect(isUndoneByRollback([remove], false)).toBe(false)
	expect(isUndoneByRollback([remove, begin], false)).toBe(false)
	expect(isUndoneByRollback([begin, remove, commit, begin, rollback], false)).toBe(false)
	expect(isUndoneByRollback([rollback, remove], true)).toBe(false)
	expect(isUndoneByRollback([remove, block], true)).toBe(false)
})
