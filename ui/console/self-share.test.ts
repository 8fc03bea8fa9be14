import { expect, test } from 'vitest'
import { selfShare } from './self-share.ts'

test('the own share of a step is without that of its parts', () => {
	const steps = [
		{ depth: 0, share: 1 },
		{ depth: 1, share: 0.75 },
		{ depth: 2, share: 0.5 },
		{ depth: 1, share: 0.125 },
		{ depth: 1 },
	]
	expect(steps.map((_, at) => selfShare(steps, at))).toEqual([0.125, 0.25, 0.5, 0.125, undefined])
})
