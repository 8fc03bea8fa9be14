import { createRoot, createSignal } from 'solid-js'
import { expect, test } from 'vitest'
import { createResults, mostResults } from './results.ts'
import type { Run } from './run.ts'

/** Makes runs that end by a call. */
function createRuns() {
	return createRoot(() => {
		const results = createResults()
		const disposed: string[] = []
		let number = 0
		function begin(statement: string, group: number) {
			const [value, setValue] = createSignal<unknown>()
			const [isRunning, setRunning] = createSignal(true)
			const task = { value, isRunning, error: () => undefined }
			const failure = () => undefined
			const dispose = () => disposed.push(statement)
			// The results read no other member of a run.
			const run = { statement, number: ++number, group, task, failure, staged: () => 0, dispose } as unknown as Run
			results.begin(run)
			return {
				run,
				/** Ends it with rows, with an outcome without rows, or as cancelled. */
				end(what: 'rows' | 'message' | 'cancelled' = 'rows'): void {
					if (what !== 'cancelled') setValue({ body: { view: what === 'rows' ? 'rows' : 'text' } })
					setRunning(false)
					results.end(run)
				},
			}
		}
		const names = () => results.all().map(tab => (tab === 'messages' ? tab : tab.statement))
		const front = () => {
			const tab = results.front()
			return tab === undefined || tab === 'messages' ? tab : tab.statement
		}
		return { results, begin, names, front, disposed }
	})
}

test('a run that is replaced, closed or out of bounds is disposed, so that its rows leave the memory', () => {
	const { results, begin, names, disposed } = createRuns()
	begin('a', 1).end()
	const pinned = begin('b', 2)
	pinned.end()
	expect(disposed).toEqual(['a'])
	results.togglePin(pinned.run)
	const third = begin('c', 3)
	third.end()
	results.dismiss(third.run)
	expect([names(), disposed]).toEqual([['b'], ['a', 'c']])
	for (let at = 0; at <= mostResults; at++) begin(`d${at}`, 4).end()
	expect(disposed).toEqual(['a', 'c', 'd0'])
	results.togglePin(pinned.run)
	results.clear()
	expect([names(), disposed.length]).toEqual([[], mostResults + 4])
})

test('a result stays until the next group has an outcome, and a cancelled run is none', () => {
	const { begin, names, front } = createRuns()
	begin('a', 1).end()
	const second = begin('b', 2)
	expect(names()).toEqual(['a'])
	second.end('cancelled')
	expect([names(), front()]).toEqual([['a', 'messages'], 'messages'])
	begin('c', 3).end('message')
	expect([names(), front()]).toEqual([['messages'], 'messages'])
})

test('the last result with rows is in front, unless the user chose another one since the group began', () => {
	const { results, begin, front } = createRuns()
	const first = begin('a', 1)
	first.end()
	begin('b', 1).end('message')
	expect(front()).toBe('a')
	begin('c', 1).end()
	expect(front()).toBe('c')
	results.choose(first.run)
	begin('d', 1).end()
	expect(front()).toBe('a')
	begin('e', 2).end()
	expect(front()).toBe('e')
})

test('a run of an earlier group that ends late comes beside the newer results, and not in front', () => {
	const { begin, names, front } = createRuns()
	const slow = begin('slow', 1)
	begin('quick', 2).end()
	slow.end()
	expect([names(), front()]).toEqual([['quick', 'slow'], 'quick'])
})
