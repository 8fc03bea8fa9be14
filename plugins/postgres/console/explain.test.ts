import { expect, test } from 'vitest'
import { stepsOf } from './explain.ts'

/** A plan of PostgreSQL 18 with two workers, with the members that matter. */
const step = (name: string, ms: number, loops: number, more: object = {}) => ({
	...{ 'Node Type': name, 'Plan Rows': 10, 'Total Cost': 1, 'Actual Rows': 5 },
	...{ 'Actual Total Time': ms, 'Actual Loops': loops },
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
	expect(steps.map(({ share }) => share)).toEqual([1, 0.25, 0.625])
})
