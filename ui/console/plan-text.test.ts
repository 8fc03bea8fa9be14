import { expect, test } from 'vitest'
import { briefOf, planText } from './plan-text.ts'

test('a plan has its steps as indented lines, with all digits', () => {
	const steps = [
		{ name: 'Delete', detail: 'orders', depth: 0, estimatedRows: 0, estimatedCost: 6.005 },
		{ name: 'Seq Scan', depth: 1, estimatedRows: 12345, estimatedCost: 6 },
	]
	const notices = ['A statement that may change data is not run to explain it.']
	expect(planText({ wasRun: false, steps, notices })).toBe(
		[
			'This is a plan of estimates. The statement was not run. A statement that may change data is not run to explain it.',
			'Delete: orders (expected 0, cost 6.005)',
			'  Seq Scan (expected 12345, cost 6)',
		].join('\n'),
	)
})

test('a statement that was run has its rows and shares', () => {
	const steps = [{ name: 'Read', depth: 0, rows: 3, estimatedRows: 5, share: 0.5 }]
	expect(planText({ wasRun: true, tookMs: 12, steps, notices: [] })).toBe(
		'The statement was run and took 12 ms.\nRead (50 % of the time, rows 3, expected 5)',
	)
})

test('beside the name of a step stands the first part of its detail without label and measures', () => {
	const details = [
		'orders o · Filter: (total > 2)',
		'Hash Cond: (d.supplier = s.id) · Buffers: hit 13',
		'Sort Key: (sum(d.weight)) DESC',
		'Join Filter: (a.x = b.x) AND (a.y = b.y)',
		'Buffers: hit 5, temporary read 2',
		'level:error',
	]
	expect(details.map(briefOf)).toEqual([
		'orders o',
		'd.supplier = s.id',
		'sum(d.weight) DESC',
		'(a.x = b.x) AND (a.y = b.y)',
		'',
		'level:error',
	])
})
