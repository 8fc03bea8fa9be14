import { expect, test } from 'vitest'
import { drawnOf } from './fact-limits.ts'

test('a section with the maximum number of rows is shown in part, with a notice', () => {
	const columns = Array.from({ length: 100 }, (_, at) => `c${at}`)
	const rows = Array.from({ length: 10_000 }, () => ({ cells: [...columns] }))
	const drawn = drawnOf({ title: 'All', notice: 'Slow.', list: { columns, rows } })
	expect(drawn.list?.rows).toHaveLength(50)
	expect(drawn.notice).toBe('Slow. Only the first 50 of 10,000 rows are shown.')
	const facts = Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}`, value: '' }))
	expect(drawnOf({ title: 'All', facts }).facts).toHaveLength(2_500)
	expect(drawnOf({ title: 'All', list: { columns: ['a'], rows: [{ cells: ['x', 'y'] }] } }).list?.rows).toEqual([
		{ cells: ['x'] },
	])
})

test('a section of usual size is shown completely', () => {
	const section = { title: 'Health', facts: [{ name: 'Status', value: 'green' }], statement: 'GET /_cluster/health' }
	expect(drawnOf(section)).toEqual(section)
})
