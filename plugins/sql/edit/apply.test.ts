import type { ChangeOutcome } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { applyTogether, type Saving } from './apply.ts'

/** A save in one transaction. */

const { signal } = new AbortController()
const change = { kind: 'update', rowId: '1', set: { a: 1 } } as const
const applied: ChangeOutcome = { status: 'applied', rowId: '1' }
const withVersion: ChangeOutcome = { ...applied, version: 'v' }

function saving(others: Partial<Saving> = {}) {
	const done: string[] = []
	const note = async (what: string) => void done.push(what)
	const parts: Saving = {
		begin: () => note('begin'),
		apply: async () => applied,
		rollback: () => note('rollback'),
		commit: async () => {
			await note('commit')
			return { end: 'committed' }
		},
		withValues: async () => {
			await note('read')
			return [withVersion]
		},
		...others,
	}
	return { done, parts }
}

test('a server that changes nothing at the commit is read before it, so that no change of others is in the values', async () => {
	const first = saving({ readsBackFirst: true })
	expect(await applyTogether(first.parts, [change], signal)).toEqual([withVersion])
	expect(first.done).toEqual(['begin', 'read', 'commit'])
	const other = saving()
	expect(await applyTogether(other.parts, [change], signal)).toEqual([withVersion])
	expect(other.done).toEqual(['begin', 'commit', 'read'])
})

test('a save whose values cannot be read before the commit is made all the same', async () => {
	const { done, parts } = saving({ readsBackFirst: true })
	const withValues = async () => {
		if (!done.includes('commit')) throw new Error('locked')
		return [withVersion]
	}
	expect(await applyTogether({ ...parts, withValues }, [change], signal)).toEqual([withVersion])
	expect(done).toEqual(['begin', 'commit'])
})
