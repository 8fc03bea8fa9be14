import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { latestOnly } from './latest-only.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('replaces values above the limit by the latest, and never loses the last one', () => {
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

test('leaves no timer behind when all values were passed on', () => {
	const values = latestOnly<number>(3, 1000, () => {})
	values.take(1)
	vi.advanceTimersByTime(1000)
	expect(vi.getTimerCount()).toBe(0)
})
