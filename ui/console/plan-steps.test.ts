import { expect, test } from 'vitest'
import { inOrder, planSteps } from './plan-steps.ts'

const steps = [
	{ name: 'Sort', depth: 0, rows: 10, estimatedRows: 10, tookMs: 100, share: 1 },
	{ name: 'Join', depth: 1, rows: 800, estimatedRows: 10, tookMs: 90, share: 0.9 },
	{ name: 'Scan a', depth: 2, rows: 5, estimatedRows: 600, tookMs: 60, share: 0.6 },
	{ name: 'Scan b', depth: 2, rows: 0, estimatedRows: 1, tookMs: 20, share: 0.2 },
	{ name: 'Other', depth: 1 },
]

test('a step has its time without its parts', () => {
	expect(planSteps({ steps }).map(({ ownMs }) => ownMs)).toEqual([10, 10, 60, 20, undefined])
	expect(planSteps({ steps }).map(({ hasParts }) => hasParts)).toEqual([true, true, false, false, false])
})

test('a step whose parts ran beside it has no negative time', () => {
	const beside = [
		{ name: 'Gather', depth: 0, tookMs: 10, share: 1 },
		{ name: 'Scan', depth: 1, tookMs: 14, share: 1 },
	]
	expect(planSteps({ steps: beside })[0]).toMatchObject({ ownMs: 0, ownShare: 0 })
})

test('an estimate that is wrong by less than half is not marked, and no rows count as one', () => {
	expect(planSteps({ steps }).map(({ error }) => error)).toEqual([
		undefined,
		{ factor: 80, cameMore: true },
		{ factor: 120, cameMore: false },
		undefined,
		undefined,
	])
})

test('a step knows the steps that it is a part of', () => {
	expect(planSteps({ steps }).map(({ within }) => within)).toEqual([[], [0], [0, 1], [0, 1], [0]])
})

test('steps are ordered by time and by rows, and those without a number are last', () => {
	const names = (order: 'time' | 'rows') => inOrder(planSteps({ steps }), order).map(({ step }) => step.name)
	expect(names('time')).toEqual(['Scan a', 'Scan b', 'Sort', 'Join', 'Other'])
	expect(names('rows')).toEqual(['Join', 'Sort', 'Scan a', 'Scan b', 'Other'])
})
