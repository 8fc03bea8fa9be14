import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { onAbort, raced } from './on-abort.ts'

test('a listener runs once at the abort, at once for an aborted signal, and not after it was disposed', () => {
	const controller = new AbortController()
	let calls = 0
	onAbort(controller.signal, () => calls++)
	onAbort(controller.signal, () => calls++)[Symbol.dispose]()
	controller.abort()
	expect(calls).toBe(1)
	onAbort(controller.signal, () => calls++)
	expect(calls).toBe(2)
	onAbort(undefined, () => calls++)[Symbol.dispose]()
	expect(calls).toBe(2)
})

test('raced returns the outcome of the work, or the reason of an abort, and leaves no listener', async () => {
	const controller = new AbortController()
	const { signal } = controller
	expect(await raced(signal, Promise.resolve('done'))).toBe('done')
	await expect(raced(signal, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
	expect(getEventListeners(signal, 'abort')).toEqual([])
	const waiting = raced(signal, new Promise(() => {}))
	controller.abort(new Error('gone'))
	await expect(waiting).rejects.toThrow('gone')
	await expect(raced(signal, new Promise(() => {}))).rejects.toThrow('gone')
})
