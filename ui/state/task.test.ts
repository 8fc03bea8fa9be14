import { createRoot } from 'solid-js'
import { expect, test } from 'vitest'
import { createReading, createTask } from './task.ts'

/** Work that settles when the test decides. */
function settled<T>() {
	const { promise, resolve, reject } = Promise.withResolvers<T>()
	return { promise, resolve, reject }
}
const inRoot = <T>(make: (dispose: () => void) => T) => createRoot(make)

test('reports that it runs, its progress and its result', async () => {
	const work = settled<string>()
	const task = inRoot(() =>
		createTask(async (call, name: string) => {
			call.onProgress({ done: 1, total: 2 })
			return `${name} ${await work.promise}`
		}),
	)
	expect(task.isRunning()).toBe(false)
	const running = task.run('a')
	expect(task.isRunning()).toBe(true)
	expect(task.progress()).toEqual({ done: 1, total: 2 })
	work.resolve('b')
	expect(await running).toBe('a b')
	expect([task.value(), task.isRunning(), task.progress(), task.error()]).toEqual(['a b', false, undefined, undefined])
})

test('a failure is a message and never a rejection, and the previous result stays', async () => {
	let isFailing = false
	const task = inRoot(() =>
		createReading(async () => {
			if (isFailing) throw new Error('The host said no.')
			return 'first'
		}),
	)
	await expect.poll(() => task.value()).toBe('first')
	isFailing = true
	expect(await task.run()).toBeUndefined()
	expect([task.error(), task.value(), task.isRunning()]).toEqual(['The host said no.', 'first', false])
})

test('a retry runs the same work again, and removes the failure', async () => {
	const seen: string[] = []
	const task = inRoot(() =>
		createTask(async (_, name: string) => {
			seen.push(name)
			if (seen.length === 1) throw new Error('not yet')
			return seen.length
		}),
	)
	await task.run('x')
	task.retry()
	expect(task.error()).toBeUndefined()
	await expect.poll(() => task.value()).toBe(2)
	expect(seen).toEqual(['x', 'x'])
})

test('a new run cancels the previous one, whose late answer, failure or progress is ignored', async () => {
	const first = settled<string>()
	const signals: AbortSignal[] = []
	let report = (_done: number) => {}
	const task = inRoot(() =>
		createTask(async (call, which: 'first' | 'second') => {
			signals.push(call.signal)
			if (which === 'first') report = done => call.onProgress({ done })
			return which === 'first' ? first.promise : 'second'
		}),
	)
	const old = task.run('first')
	expect(await task.run('second')).toBe('second')
	expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
	report(7)
	first.resolve('first')
	expect(await old).toBeUndefined()
	expect([task.value(), task.progress()]).toEqual(['second', undefined])
})

test('a cancelled task, or one of a disposed owner, reports nothing more', async () => {
	for (const give of ['cancel', 'dispose'] as const) {
		const work = settled<string>()
		const { task, dispose } = inRoot(dispose => ({ task: createTask(() => work.promise), dispose }))
		const running = task.run()
		if (give === 'cancel') task.cancel()
		else dispose()
		expect(task.isRunning()).toBe(false)
		work.reject(new Error('given up'))
		expect(await running).toBeUndefined()
		expect([task.error(), task.value()]).toEqual([undefined, undefined])
	}
})
