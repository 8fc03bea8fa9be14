import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
	test: {
		globalSetup: ['tests/setup/build.ts', 'tests/setup/installed.ts'],
		// The default leaves one core out: on two, half of what they can do.
		maxWorkers: '100%',
		// No test may look into the keychain of whoever runs it.
		env: { ROUNDHOUSE_SECRETS: 'file' },
		projects: [
			{
				extends: true,
				// Node would be given Solid's server build, whose signals tell nobody of a change.
				resolve: {
					alias: [{ find: /^solid-js$/, replacement: fileURLToPath(import.meta.resolve('solid-js/dist/solid.js')) }],
				},
				test: {
					name: 'node',
					include: ['{host,plugins,registry,scripts,tests,ui}/**/*.test.ts'],
					exclude: ['**/node_modules/**', 'tests/window/**'],
					// A worker loads the product once, not for each of three hundred files; each leaves the process as it was.
					isolate: false,
					testTimeout: 20_000,
					hookTimeout: 30_000,
				},
			},
			{
				extends: true,
				test: {
					// Drives the whole product in a real Chromium.
					name: 'window',
					include: ['tests/window/**/*.test.ts'],
					setupFiles: ['tests/setup/failures.ts'],
					testTimeout: 60_000,
					hookTimeout: 60_000,
					// A second is no time where two browsers share two cores.
					expect: { poll: { timeout: 15_000 } },
				},
			},
		],
	},
})
