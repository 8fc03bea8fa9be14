import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from './requirements.ts'

const testFiles = execFileSync(
	'git',
	['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
	{
		encoding: 'utf8',
	},
).split('\n')

const cited = new Set(
	testFiles
		.filter(Boolean)
		.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/\bproves\(\s*'([^']+)'/g)].map(match => match[1])),
)

test('every rule of the contract is cited by a test', () => {
	expect(requirements.map(({ id }) => id).filter(id => !cited.has(id))).toEqual([])
})

test('no two rules share an id', () => {
	const ids = requirements.map(({ id }) => id)
	expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})
