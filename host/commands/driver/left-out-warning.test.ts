import { expect, test } from 'vitest'
import { leftOutWarnings } from './left-out-warning.ts'

const files = (count: number) => Array.from({ length: count }, (_, index) => `data/.env.${index}`)

test('a folder with many files that may be secrets prints the first ones and the number of the others', () => {
	expect(leftOutWarnings(files(10))).toHaveLength(10)
	const warnings = leftOutWarnings(files(1244))
	expect(warnings).toHaveLength(11)
	expect(warnings[0]).toContain('data/.env.0 was left out')
	expect(warnings.at(-1)).toBe('Warning: 1,234 more files or folders were left out.')
})
