import { expect, test } from 'vitest'
import { FakeTable } from '../../testing/fake-tables.ts'
import { openWindow } from '../../testing/fake-window.tsx'

test('the edge of a row with an error or a warning has its colour, and other rows have none', async () => {
	const table = new FakeTable('logs', {
		columns: { id: {}, '@timestamp': { kind: 'date' }, level: {} },
		rows: ['ERROR', 'warn', 'info', 'trace', 'other'].map((level, at) => [`l${at}`, '2024-01-01T00:00:00.000Z', level]),
	})
	const logs = await (await openWindow({ tables: [table] })).openTable('logs')
	const edge = (row: number) => {
		const number = logs.cell(row, 'id').element().parentElement?.querySelector('.grid-number')
		return number ? getComputedStyle(number).boxShadow : undefined
	}
	const edges = () => [0, 1, 2, 3, 4].map(edge)
	// The rows are there before their marks.
	await expect.poll(() => new Set(edges()).size).toBe(3)
	expect(edges().slice(2)).toEqual(['none', 'none', 'none'])
})
