import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { filesLeftOut } from './scripts/daily-sample.ts'

const leftOut = filesLeftOut()

export default defineConfig({
	test: {
		globalSetup: ['tests/setup/build.ts', 'tests/setup/installed.ts'],
		// Tests wait for processes, browsers and engines. With three workers, two cores were idle for a third of the time;
		// with five, a slow machine missed limits of the product, such as that of a cancelled call.
		maxWorkers: availableParallelism() + 2,
		// Workers run hundreds of files, and copy short-lived objects less often with room for more of them.
		execArgv: ['--max-semi-space-size=32'],
		// For a busy machine: a test that waits for a process, a browser or an engine fails only if it would wait forever.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		expect: { poll: { timeout: 30_000 } },
		// No test may read the keychain of its user.
		env: { ROUNDHOUSE_SECRETS: 'file' },
		projects: [
			{
				extends: true,
				// Node would resolve to Solid's server build, whose signals notify no listener.
				resolve: {
					alias: [{ find: /^solid-js$/, replacement: fileURLToPath(import.meta.resolve('solid-js/dist/solid.js')) }],
				},
				test: {
					name: 'node',
					include: ['{base,host,plugins,registry,scripts,tests,ui}/**/*.test.ts'],
					exclude: ['**/node_modules/**', 'tests/window/**', ...leftOut],
					setupFiles: ['tests/setup/host-logs.ts', 'tests/setup/secrets.ts'],
					// A worker loads the product once, not for each of three hundred files; each leaves the process as it was.
					isolate: false,
				},
			},
			{
				extends: true,
				test: {
					// Drives the whole product in a real Chromium.
					name: 'window',
					include: ['tests/window/**/*.test.ts'],
					exclude: ['**/node_modules/**', ...leftOut],
					setupFiles: ['tests/setup/host-logs.ts', 'tests/setup/secrets.ts', 'tests/setup/failures.ts'],
					isolate: false,
				},
			},
		],
	},
})
