import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/**
 * `roundhouse` in the npm registry belongs to another project, and `npx roundhouse` would run it outside a checkout.
 * `npx --no` runs only what is installed.
 */
const foreignPackage =
	/np(?:x|m exec)(?: -y| --yes| --)* roundhouse(?![-/\w])|npm i(?:nstall)?(?: -g| --global)* roundhouse(?![-/\w])/

test('no text names the npm package of another project', () => {
	const documents = execFileSync('git', ['ls-files', '*.md', 'server.json'], { encoding: 'utf8' }).trim().split('\n')
	const files = [...sources, ...documents].filter(file => !file.endsWith('package-name.test.ts'))
	expect(files.filter(file => foreignPackage.test(readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
	'npx roundhouse mcp',
	'npx -y roundhouse mcp',
	'npm exec -- roundhouse',
	'npm i -g roundhouse',
])('finds a planted %s', text => {
	expect(text).toMatch(foreignPackage)
})

test.each(['npx roundhouse-db', 'npx --no roundhouse open', 'npm i -g roundhouse-db'])('permits %s', text => {
	expect(text).not.toMatch(foreignPackage)
})
