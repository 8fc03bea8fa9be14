import { expect, test } from 'vitest'
import { stepsOf } from './explain.ts'

/** A plan of PostgreSQL 18 with two workers, with the members that matter. */
const step = (name: string, ms: number, loops: number, more: object = {}) => ({
	'Node Type': name,
	'Plan Rows': 10,
	'Total Cost': 1,
	'Actual Rows': 5,
	'Actual Total Time': ms,
	'Actual Loops': loops,
	...more,
})

test('processes side by side do not add up to more than the time of the whole', () => {
	const scan = step('Seq Scan', 60, 3, { 'Parallel Aware': true })
	const hash = step('Hash', 30, 3, { 'Parallel Aware': true })
	const join = step('Hash Join', 90, 3, { 'Join Type': 'Inner', Plans: [scan, hash] })
	const steps = stepsOf(step('Gather', 100, 1, { 'Workers Launched': 2, Plans: [join] }))
	expect(steps.map(({ name, share, rows }) => [name, share, rows])).toEqual([
		['Gather', 1, 5],
		['Hash Join', 0.9, 15],
		['Parallel Seq Scan', 0.6, 15],
		['Parallel Hash', 0.3, 15],
	])
})

test('the loops of a single process add up', () => {
	const inner = step('Index Scan', 0.5, 100)
	const steps = stepsOf(step('Nested Loop', 80, 1, { Plans: [step('Seq Scan', 20, 1), inner] }))
	expect(steps.map(({ share, tookMs, loops }) => [share, tookMs, loops])).toEqual([
		[1, 80, 1],
		[0.25, 20, 1],
		[0.625, 50, 100],
	])
})

test('the buffers of a step are in its detail', () => {
	const scan = step('Seq Scan', 1, 1, {
		'Relation Name': 't',
		'Shared Hit Blocks': 4,
		'Shared Read Blocks': 0,
		'Temp Written Blocks': 2,
	})
	expect(stepsOf(scan)[0]?.detail).toBe('t · Buffers: hit 4, temporary written 2')
})

test('a detail begins with the object of a step, and its conditions have their labels', () => {
	const detailOf = (name: string, more: object) => stepsOf(step(name, 1, 1, more))[0]?.detail
	expect(detailOf('Sort', { 'Sort Key': ['(sum(d.weight)) DESC', 'd.id'], 'Shared Hit Blocks': 4 })).toBe(
		'Sort Key: (sum(d.weight)) DESC, d.id · Buffers: hit 4',
	)
	expect(detailOf('Hash Join', { 'Hash Cond': '(d.supplier = s.id)', 'Join Filter': '(d.id > 2)' })).toBe(
		'Hash Cond: (d.supplier = s.id) · Join Filter: (d.id > 2)',
	)
	expect(detailOf('Seq Scan', { 'Relation Name': 't', Filter: '(id > 2)' })).toBe('t · Filter: (id > 2)')
})
