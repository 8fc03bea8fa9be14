import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

test('serializes work with the same key, even after a failure, and runs work with other keys immediately', async () => {
	const mutex = new KeyedMutex()
	const done: string[] = []
	const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
	const first = mutex.run('a', async () => {
		await blocked
		done.push('a1')
		throw new Error('a1 fails')
	})
	const second = mutex.run('a', async () => void done.push('a2'))
	await mutex.run('b', async () => void done.push('b1'))
	expect(done).toEqual(['b1'])
	unblock()
	await expect(first).rejects.toThrow('a1 fails')
	await second
	expect(done).toEqual(['b1', 'a1', 'a2'])
})
