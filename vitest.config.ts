import { defineConfig } from 'vitest/config'

export default defineConfig({
	test: {
		projects: [
			{
				test: {
					name: 'node',
					include: ['{host,plugins,registry,scripts,tests}/**/*.test.ts'],
					testTimeout: 20_000,
					hookTimeout: 30_000,
				},
			},
		],
	},
})
