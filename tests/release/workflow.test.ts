import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'

/** The workflow that publishes a release. It calls the script, and has no more rights than it needs. */

const folder = inCheckout('.github', 'workflows')
const files = readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')] as const)

test.each(files)('%s pins each action by digest, and gives rights to jobs alone', (_name, text) => {
	const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action)
	expect(uses.length).toBeGreaterThan(0)
	for (const action of uses) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
	expect(text).toMatch(/^permissions: \{\}$/m)
	const checkouts = uses.filter(action => action.startsWith('actions/checkout')).length
	expect(text.match(/persist-credentials: false/g)?.length).toBe(checkouts)
	// A word of the event in a script would be run.
	expect(text).not.toMatch(/run: .*\$\{\{/)
})

test('every script that a workflow calls exists', () => {
	const { scripts } = JSON.parse(readFileSync(inCheckout('package.json'), 'utf8'))
	const called = files.flatMap(([, text]) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))
	expect(called).toContain('release')
	for (const name of called) expect(Object.keys(scripts)).toContain(name)
})

// Both linters are fetched: from PyPI, and from the Go module proxy.
describe('linters of workflows', () => {
	let tools: string
	beforeAll(() => {
		tools = mkdtempSync(join(tmpdir(), 'roundhouse-linters-'))
	})
	afterAll(() => rmSync(tools, { recursive: true, force: true }))

	test('zizmor finds nothing', () => {
		execFileSync('python3', ['-m', 'venv', tools])
		execFileSync(join(tools, 'bin', 'pip'), ['install', '--quiet', 'zizmor==1.32.0'])
		execFileSync(join(tools, 'bin', 'zizmor'), ['--offline', '--quiet', folder])
	})

	test('actionlint finds nothing', () => {
		const linter = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'
		execFileSync('go', ['run', linter, ...files.map(([name]) => join(folder, name))])
	})
})
