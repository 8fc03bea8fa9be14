import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from '../host/desktop/browser.ts'
import { whatIsMissing } from '../plugins/search-engine/test/engines/engine.ts'
import { ensureBuilt } from './build.ts'
import { run } from './run.ts'
import { unpackTestBrowser } from './test-browser.ts'

/**
 * `npm test`: the checks, the tests in Node and in a real Chromium, the official MCP conformance suite, and the engine
 * contract on real Elasticsearch nodes. Prints the sum of what ran as its last line, and before it what was skipped and how
 * to have it; with CI=true that fails.
 */
let passed = 0
let failed = 0
const skipped: string[] = []

function count(name: string, isGood: boolean): void {
	if (isGood) passed++
	else failed++
	if (!isGood) process.stdout.write(`FAILED: ${name}\n`)
}

await ensureBuilt()
count('npm run check', (await run('node', ['scripts/check.ts'])) === 0)

const browser = (await findBrowser()) ?? (await unpackTestBrowser())
if (!browser) {
	skipped.push(
		'the window in a browser. Install a Chromium-family browser (Debian: apt-get install chromium), or name one with ROUNDHOUSE_BROWSER',
	)
}

const report = join(await mkdtemp(join(tmpdir(), 'roundhouse-test-')), 'report.json')
const projects = browser ? [] : ['--project', 'node']
const code = await run(
	'vitest',
	['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...projects],
	{
		...(browser && { ROUNDHOUSE_BROWSER: browser }),
	},
)
const summary = existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : undefined
await rm(join(report, '..'), { recursive: true, force: true })
passed += summary?.numPassedTests ?? 0
failed += summary?.numFailedTests ?? 0
if (summary?.numPendingTests > 0) skipped.push(`${summary.numPendingTests} tests that say in their file what they need`)
// A file that fails to load has no tests to count.
if (code !== 0 && !summary?.numFailedTests) count('vitest', false)

count('MCP conformance', (await run('node', ['tests/conformance/run.ts'])) === 0)

const missing = whatIsMissing()
if (missing === undefined) {
	count(
		'the engine contract on real Elasticsearch',
		(await run('node', ['plugins/search-engine/test/engines/main.ts'])) === 0,
	)
} else {
	skipped.push(
		`the engine contract on real Elasticsearch: ${missing} is missing. Install a JDK and Maven (Debian: apt-get install maven default-jdk-headless), then: npm run test:engines`,
	)
}

if (skipped.length > 0) process.stdout.write('\nNOT PROVED on this machine:\n')
for (const what of skipped) process.stdout.write(`  SKIPPED: ${what}\n`)
if (process.env.CI === 'true' && skipped.length > 0) failed += skipped.length
process.stdout.write(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`)
process.exitCode = failed === 0 ? 0 : 1
