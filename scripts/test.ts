import { findBrowser } from '../host/desktop/browser.ts'
import { allBinaries } from '../plugins/postgres/servers/binaries.ts'
import { jdkFor, missingTools, releases } from '../plugins/search-engine/test/engines/engine.ts'
import { ensureBuilt } from './build.ts'
import { missingToolChains } from './client-tool-chains.ts'
import { findTestBrowser } from './test-browser.ts'
import { TestRun } from './test-run.ts'

/**
 * `npm test` runs the same files on every machine and every day: the checks, the tests in Node, the components and the
 * journeys in a real Chromium, the official MCP conformance suite, and the engine contract on one Elasticsearch.
 *
 * `--landing` adds what else must hold before a change lands (`.ci/run`), `--all` everything (`npm run test:all`).
 * `--changed` runs what the working tree touches by the import graph, and the journeys. The last line has the sums; the
 * lines before it say what was skipped and how to have it.
 *
 * Programs of one process run one after another beside the tests, which wait for processes, browsers and engines.
 */
const level = process.argv.includes('--all') ? 'all' : process.argv.includes('--landing') ? 'landing' : 'quick'
const isChanged = process.argv.includes('--changed')
const tests = new TestRun()

await ensureBuilt()
const browser = await findTestBrowser()
if (!browser) {
	tests.skip(
		'the window in a browser. Install a Chromium-family browser (Debian: apt-get install chromium), or name one with ROUNDHOUSE_BROWSER',
	)
}

const inBrowser = browser ? ['component', 'apps', 'window'] : []
if (isChanged) {
	await tests.check('check', 'npm run check', 'node', ['scripts/check.ts'])
	await tests.vitest(['node', ...inBrowser.slice(0, 2)], ['--changed'])
	if (browser) await tests.vitest(['window'])
} else {
	const landing = level === 'quick' ? [] : ['landing', ...(browser ? ['features'] : [])]
	await Promise.all([tests.vitest(['node', ...inBrowser, ...landing]), runBeside()])
}
if (level === 'all') await runAll()
process.exitCode = tests.report()

async function runBeside(): Promise<void> {
	await tests.check('check', 'npm run check', 'node', ['scripts/check.ts'])
	await tests.check('conformance', 'MCP conformance', 'node', ['tests/conformance/run.ts'])
	await runEngines(level === 'quick' ? ['8.19.0'] : ['7.17.29', '8.19.0', '9.2.0'])
	if (level !== 'quick') await runClients()
}

async function runClients(): Promise<void> {
	for (const name of missingToolChains()) tests.skip(`the AI clients of ${name}, which is missing`)
	await tests.check('clients', 'the official AI clients', 'node', ['tests/clients/main.ts'])
}

async function runAll(): Promise<void> {
	await runEngines(['8.2.3'])
	for (const { version } of await allBinaries()) {
		if (version === '13') continue
		await tests.vitest(['node'], ['plugins/postgres'], { ROUNDHOUSE_POSTGRES: version })
	}
	const installed = await findBrowser()
	if (installed === undefined) tests.skip('the window in an installed browser, which is missing')
	else {
		const inInstalled = { ROUNDHOUSE_BROWSER: installed }
		await tests.vitest(['window', 'features'], [], inInstalled)
	}
	await tests.check('fuzz', 'npm run fuzz', 'npm', ['run', 'fuzz'])
}

async function runEngines(versions: readonly string[]): Promise<void> {
	const missing = missingTools()
	if (missing !== undefined) {
		tests.skip(
			`the engine contract on real Elasticsearch: ${missing} is missing. Install a JDK and Maven (Debian: apt-get install maven default-jdk-headless), then: npm run test:engines`,
		)
		return
	}
	const wanted = releases.filter(({ version }) => versions.includes(version))
	const startable = wanted.filter(release => jdkFor(release) !== undefined).map(({ version }) => version)
	for (const { version, java } of wanted.filter(({ version }) => !startable.includes(version))) {
		tests.skip(`the engine contract on real Elasticsearch ${version}: no JDK ${java} or later is installed`)
	}
	if (startable.length === 0) return
	await tests.check('engines', `the engine contract on Elasticsearch ${startable.join(' and ')}`, 'node', [
		'plugins/search-engine/test/engines/main.ts',
		...startable,
	])
}
