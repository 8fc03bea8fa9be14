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

/** Documents that name source files of this checkout. The changelog tells of the past. */
const documents = [
	'README.md',
	'ARCHITECTURE.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'docs/decisions.md',
	'docs/mcp.md',
	'docs/registry.md',
]
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	encoding: 'utf8',
}).split('\n')

test.each(documents)('source files that %s names exist', path => {
	const text = readFileSync(path, 'utf8')
	const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, name = '']) => name)
	// NAME stands for a new file.
	const missing = named
		.filter(name => !name.includes('NAME'))
		.filter(name => !tracked.some(file => file === name || file.endsWith(`/${name}`)))
	expect(missing).toEqual([])
})
