import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { latestOnly } from './latest-only.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what comes beyond the most is replaced by the latest, and the last is never lost', () => {
	const passed: number[] = []
	const values = latestOnly<number>(3, 1000, value => passed.push(value))
	for (let value = 1; value <= 9; value++) values.take(value)
	expect(passed).toEqual([1, 2, 3])
	vi.advanceTimersByTime(1000)
	expect(passed).toEqual([1, 2, 3, 9])
	for (let value = 10; value <= 14; value++) values.take(value)
	expect(passed).toEqual([1, 2, 3, 9, 10, 11])
	values.end()
	expect(passed).toEqual([1, 2, 3, 9, 10, 11, 14])
	expect(vi.getTimerCount()).toBe(0)
})

test('nothing is left behind when all has passed', () => {
	const values = latestOnly<number>(3, 1000, () => {})
	values.take(1)
	vi.advanceTimersByTime(1000)
	expect(vi.getTimerCount()).toBe(0)
})
