import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Documents that a newcomer reads whole stay short, and name what exists. */

test('each of at most fifty decisions has its date, what was decided, and the reason', () => {
	const [, ...records] = readFileSync('docs/decisions.md', 'utf8').split(/^### /m)
	expect(records.length).toBeLessThanOrEqual(50)
	const isWhole = (record: string) =>
		/^- \*\*Decision\*\* \(20\d\d-\d\d-\d\d\): /m.test(record) && /^- \*\*Reason:\*\* /m.test(record)
	expect(records.filter(record => !isWhole(record)).map(record => record.split('\n')[0])).toEqual([])
})

test('the glossary has at most sixty terms, and the names that it gives are in the code', () => {
	const [, section = ''] = /^## Glossary$([\s\S]*?)^## /m.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? []
	const rows = section
		.split('\n')
		.filter(line => line.startsWith('| '))
		.slice(2)
	expect(rows.length).toBeGreaterThan(40)
	expect(rows.length).toBeLessThanOrEqual(60)
	const names = rows.flatMap(row =>
		[...(row.split(' | ')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
	)
	const finds = (...look: readonly string[]) => {
		try {
			return execFileSync('git', look, { encoding: 'utf8' }) !== ''
		} catch {
			// `git grep` fails if it finds nothing.
			return false
		}
	}
	const isInCode = (name: string) => finds('ls-files', `*${name}*`) || finds('grep', '-lF', name, '--', '*.ts', '*.tsx')
	expect(names.filter(name => !isInCode(name))).toEqual([])
})
