import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dailySampleOf, filesLeftOut } from './daily-sample.ts'
import { checkout } from './layout.ts'

test('a run in CI leaves nothing out', () => {
	expect(filesLeftOut(1)).toEqual([])
	expect(dailySampleOf([1, 2, 3, 4, 5], 1)).toEqual([1, 2, 3, 4, 5])
})

test('each end-to-end file runs on four days in a row of sixteen', () => {
	const days = Array.from({ length: 16 }, (_, day) => new Set(filesLeftOut(4, day)))
	const files = [...new Set(days.flatMap(leftOut => [...leftOut]))]
	expect(files.length).toBeGreaterThan(80)
	expect(files).toEqual(expect.arrayContaining(globSync('tests/window/**/*.test.ts', { cwd: checkout })))
	for (const file of files) {
		const run = days.flatMap((leftOut, day) => (leftOut.has(file) ? [] : [day]))
		expect(run).toHaveLength(4)
		expect((run[3] ?? 0) - (run[0] ?? 0)).toBe(3)
	}
})
