import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('work under one key waits for its turn, also after a failure; under another it does not', async () => {
	const turns = new Turns()
	const done: string[] = []
	const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
	const first = turns.take('a', async () => {
		await held
		done.push('a1')
		throw new Error('a1 fails')
	})
	const second = turns.take('a', async () => void done.push('a2'))
	await turns.take('b', async () => void done.push('b1'))
	expect(done).toEqual(['b1'])
	letGo()
	await expect(first).rejects.toThrow('a1 fails')
	await second
	expect(done).toEqual(['b1', 'a1', 'a2'])
})
