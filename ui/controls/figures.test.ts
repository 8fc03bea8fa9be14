import { expect, test } from 'vitest'
import { areFigures } from './figures.ts'

test.for([
	['numbers with units', ['8384 kB', '12 MB', '', '3,000,000', '99.9 %'], true],
	['durations', ['00:00:05', '1.5 ms', '≈ 20 s'], true],
	['names that begin with a digit', ['2nd_index', '12'], false],
	['a version', ['18.4 on x86_64', '13'], false],
	['versions of nodes', ['8.13.4', '8.13.4'], false],
	['nothing', ['', '–'], false],
] as const)('a column of %s has figures: %s', ([, cells, expected]) => {
	expect(areFigures(cells)).toBe(expected)
})
