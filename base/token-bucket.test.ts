import { expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

test('allows a burst at once, then the rate per second', () => {
	let now = 0
	const bucket = new TokenBucket(10, 2, () => now)
	expect([bucket.take(6), bucket.take(4), bucket.take(1)]).toEqual([true, true, false])
	now = 500
	expect([bucket.take(1), bucket.take(1)]).toEqual([true, false])
	now = 1_000_000
	expect([bucket.take(11), bucket.take(10), bucket.take(1)]).toEqual([false, true, false])
})
