import { readFileSync } from 'node:fs'
import { findBrowser } from '../host/desktop/browser.ts'
import { jdkFor, missingTools, releases } from '../plugins/search-engine/test/engines/engine.ts'
import { ensureBuilt } from './build.ts'
import { missingToolChains } from './client-tool-chains.ts'
import { dailySampleOf, filesLeftOut } from './daily-sample.ts'
import { run } from './run.ts'
import { runVitest } from './run-vitest.ts'
import { findTestBrowser } from './test-browser.ts'

/**
 * `npm test`: the checks, the tests in Node and in a real Chromium, the official MCP conformance suite, the official AI
 * clients of other languages (in CI), and the engine contract on real Elasticsearch nodes. Prints the sum of what ran as
 * its last line, and before it what was skipped and how to have it; with CI=true that fails.
 */
let passed = 0
let failed = 0
const skipped: string[] = []
/** What failed, repeated at the end, since the place where it happened is thousands of lines above. */
const failures: string[] = []
/** What failed beside other work, and passed alone. */
const flaky: string[] = []

function count(name: string, isGood: boolean): void {
	if (isGood) passed++
	else {
		failed++
		failures.push(name)
	}
}

/** Runs Vitest, and adds to the sums. */
async function addVitest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
	const outcome = await runVitest(args, env)
	passed += outcome.passed
	failed += outcome.failures.length
	failures.push(...outcome.failures)
	flaky.push(...outcome.flaky)
	if (outcome.pending > 0) skipped.push(`${outcome.pending} tests that say in their file what they need`)
}

await ensureBuilt()
count('npm run check', (await run('node', ['scripts/check.ts'])) === 0)

/** A run outside CI takes every sixth end-to-end file and every sixth of many similar cases (scripts/daily-sample.ts). */
const step = process.env.CI === 'true' ? 1 : 6
const leftOut = filesLeftOut(step).length
if (leftOut > 0) {
	skipped.push(
		`${leftOut} end-to-end files, which CI runs; other files every sixth day. To run one: npm run vitest -- run FILE`,
	)
}
const browser = await findTestBrowser()
if (!browser) {
	skipped.push(
		'the window in a browser. Install a Chromium-family browser (Debian: apt-get install chromium), or name one with ROUNDHOUSE_BROWSER',
	)
}
await addVitest(browser ? [] : ['--project', 'node'], { ROUNDHOUSE_TEST_STEP: String(step) })
// The window's tests ran in the headless shell; CI has the time to run them in the browser that people have, too.
const installed = await findBrowser()
if (process.env.CI === 'true' && installed && installed !== browser) {
	await addVitest(['--project', 'window'], { ROUNDHOUSE_BROWSER: installed })
}

count('MCP conformance', (await run('node', ['tests/conformance/run.ts'])) === 0)

// Those of TypeScript ran in Vitest above.
if (process.env.CI === 'true') {
	const missingClients = missingToolChains()
	if (missingClients.length < 2)
		count('the clients of other languages', (await run('node', ['tests/clients/main.ts'])) === 0)
	for (const name of missingClients) skipped.push(`the AI clients of ${name}, which is missing`)
} else {
	skipped.push('the AI clients of Python and Go, which CI runs. To run them: npm run test:clients')
	skipped.push('a release from its installation to its removal, which CI runs. To run it: npm run test:release')
}

const missing = missingTools()
if (missing === undefined) {
	const wanted = dailySampleOf(releases, step)
	const startable = wanted.filter(release => jdkFor(release) !== undefined)
	const versions = startable.map(({ version }) => version)
	for (const { version, java } of wanted.filter(release => !startable.includes(release))) {
		skipped.push(`the engine contract on real Elasticsearch ${version}: no JDK ${java} or later is installed`)
	}
	if (versions.length > 0)
		count(
			`the engine contract on Elasticsearch ${versions.join(' and ')}`,
			(await run('node', ['plugins/search-engine/test/engines/main.ts', ...versions])) === 0,
		)
} else {
	skipped.push(
		`the engine contract on real Elasticsearch: ${missing} is missing. Install a JDK and Maven (Debian: apt-get install maven default-jdk-headless), then: npm run test:engines`,
	)
}

process.stdout.write(`\n${childCpu()}`)
if (skipped.length > 0) process.stdout.write('\nNOT PROVED on this machine:\n')
for (const what of skipped) process.stdout.write(`  SKIPPED: ${what}\n`)
for (const failure of flaky) process.stdout.write(`FLAKY: ${failure.slice(0, 4000)}\n`)
for (const failure of failures) process.stdout.write(`FAILED: ${failure.slice(0, 4000)}\n`)
if (process.env.CI === 'true' && skipped.length > 0) failed += skipped.length
process.stdout.write(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`)
process.exitCode = failed === 0 ? 0 : 1

/** The CPU time of all processes that this one started and waited for, on Linux (`cutime` and `cstime` of proc_pid_stat(5)). */
function childCpu(): string {
	if (process.platform !== 'linux') return ''
	const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
	// Ticks of 10 ms on every Linux that Node supports.
	const seconds = (Number(fields[13]) + Number(fields[14])) / 100
	return `CPU: ${Math.round(seconds)} s\n`
}
