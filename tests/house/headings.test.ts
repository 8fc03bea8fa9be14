import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A comment that names a heading of a document names an existing heading. */
const cited = execFileSync('git', ['grep', '-ohE', '[A-Za-z/]+\\.md, "[^"]+"', '--', '*.ts', '*.tsx'], {
	encoding: 'utf8',
})
	.split('\n')
	.filter(Boolean)

const headingsOf = (path: string) =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(line => line.startsWith('#'))
		.map(line => line.replace(/^#+ /, ''))

test('headings that comments cite exist', () => {
	expect(cited.length).toBeGreaterThan(10)
	const missing = cited.filter(citation => {
		const [, path = '', heading = ''] = /^(\S+\.md), "([^"]+)"$/.exec(citation) ?? []
		return !headingsOf(path).includes(heading)
	})
	expect(missing).toEqual([])
})
