import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import solid from 'vite-plugin-solid'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inCheckout } from './scripts/layout.ts'
import { browserArguments, findTestBrowser } from './scripts/test-browser.ts'

const browser = await findTestBrowser()

/**
 * Tests that a landing runs and `npm test` does not: they walk a whole release, host or driver, or try random inputs.
 */
const walks = ['host/driver-check/{mariadb,postgres}.test.ts', 'tests/{fuzz,oracle,product,release}/**/*.test.ts']
/** AI clients of others, which `npm run test:clients` prepares. */
const clients = ['tests/clients/**/*.test.ts']
/** Walks through features of the window that have no component test yet. A landing runs them. */
const features = ['tests/window/features/**/*.test.ts']
/** Tests that take a part of their cases in `npm test`. A landing runs all cases of them instead. */
const sampled = [
	'host/driver-check/{check-driver,sql-template}.test.ts',
	'plugins/mariadb/judge/judge.test.ts',
	'plugins/search-engine/console/linear-time.test.ts',
	'plugins/search-engine/{edit/chaos,grid/heavy-pages}.test.ts',
	'plugins/search-engine/test/engine-contract/engine-contract.test.ts',
	'tests/exploits/{driver-paths,registry-hostile-server}.test.ts',
]
/** Tests on the newest server. A landing runs them on the oldest too, with all cases. */
const onPostgres = [
	'plugins/postgres/**/*.test.ts',
	'tests/exploits/{hidden-columns-postgres,known-reads,overloaded-name,unnamed-code}.test.ts',
]
const isLanding = process.argv.includes('landing')

/** Node would resolve to Solid's server build, whose signals notify no listener. */
const solidInNode = {
	alias: [{ find: /^solid-js$/, replacement: fileURLToPath(import.meta.resolve('solid-js/dist/solid.js')) }],
}
const inNode = {
	globalSetup: ['tests/setup/build.ts', 'tests/setup/installed.ts'],
	setupFiles: ['tests/setup/cpu.ts', 'tests/setup/host-logs.ts', 'tests/setup/secrets.ts'],
	// A worker loads the product once, not for each of three hundred files; each leaves the process as it was.
	isolate: false,
}
const inWindow = { ...inNode, setupFiles: [...inNode.setupFiles, 'tests/setup/failures.ts'] }

const apps = ['ui/apps/**/*.test.tsx']
/** For tests in a real Chromium, on a fake host (ui/testing). New for each project, because Vitest changes it. */
const inBrowser = () => ({
	browser: {
		enabled: true,
		headless: true,
		screenshotFailures: false,
		// A name is a part of the label, as in the tests of Playwright.
		locators: { exact: false },
		viewport: { width: 1280, height: 820 },
		provider: playwright({
			launchOptions: { args: browserArguments, ...(browser !== undefined && { executablePath: browser }) },
		}),
		instances: [{ browser: 'chromium' as const }],
	},
})

/** What waits for most of its time runs first, beside what computes: journeys, and attacks on limits of time. */
class WaitingFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const rank = ({ project, moduleId }: TestSpecification) => {
			if (['window', 'features'].includes(project.name)) return 0
			return moduleId.includes('/tests/exploits/') ? 1 : 2
		}
		const sorted = await super.sort(files)
		return sorted.toSorted((a, b) => rank(a) - rank(b))
	}
}

export default defineConfig({
	test: {
		// Tests wait for processes, browsers and engines. With three workers, two cores were idle for a third of the time;
		// with five, a slow machine missed limits of the product, such as that of a cancelled call.
		maxWorkers: availableParallelism() + 2,
		sequence: { sequencer: WaitingFirst },
		// Workers run hundreds of files, and copy short-lived objects less often with room for more of them.
		execArgv: ['--max-semi-space-size=32'],
		// For a busy machine: a test that waits for a process, a browser or an engine fails only if it would wait forever.
		testTimeout: 300_000,
		hookTimeout: 600_000,
		expect: { poll: { timeout: 60_000 } },
		// No test may read the keychain of its user.
		env: { ROUNDHOUSE_SECRETS: 'file' },
		projects: [
			{
				extends: true,
				resolve: solidInNode,
				test: {
					...inNode,
					name: 'node',
					include: ['{base,host,plugins,registry,scripts,tests,ui}/**/*.test.ts'],
					exclude: ['**/node_modules/**', 'tests/window/**', ...walks, ...clients, ...(isLanding ? sampled : [])],
					provide: { runsAllCases: false, project: 'node' },
				},
			},
			{
				extends: true,
				plugins: [solid({ hot: false, dev: false })],
				define: {
					pictureFolder: JSON.stringify(process.env.ROUNDHOUSE_PICTURES ? inCheckout('test-results', 'component') : ''),
				},
				test: {
					// Components of the window in a real Chromium, on a fake host (ui/testing).
					name: 'component',
					include: ['ui/**/*.test.tsx'],
					exclude: ['**/node_modules/**', ...apps],
					...inBrowser(),
					// The modules of the window are loaded once, not for each file. A test leaves the page as it was.
					isolate: false,
				},
			},
			{
				extends: true,
				plugins: [solid({ hot: false, dev: false })],
				test: {
					// Apps for the chat of an AI client: each has a page with separate styles and messages.
					name: 'apps',
					include: apps,
					...inBrowser(),
				},
			},
			{
				extends: true,
				test: {
					...inWindow,
					// Journeys: the whole product in a real Chromium.
					name: 'window',
					include: ['tests/window/**/*.test.ts'],
					exclude: ['**/node_modules/**', ...features],
					provide: { runsAllCases: false, project: 'window' },
				},
			},
			{
				extends: true,
				test: {
					...inWindow,
					name: 'features',
					include: features,
					provide: { runsAllCases: true, project: 'features' },
				},
			},
			{
				extends: true,
				test: { ...inNode, name: 'clients', include: clients },
			},
			{
				extends: true,
				resolve: solidInNode,
				test: {
					...inNode,
					name: 'landing',
					include: [...walks, ...sampled, ...onPostgres],
					provide: { runsAllCases: true, project: 'landing' },
					env: { ROUNDHOUSE_POSTGRES: '13' },
				},
			},
		],
	},
})
