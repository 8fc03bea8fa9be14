import { readFile } from 'node:fs/promises'
import { transformAsync } from '@babel/core'
import type { Plugin } from 'esbuild'
import { inCheckout } from './layout.ts'

/** Solid's JSX for esbuild: Babel compiles the .tsx files, esbuild does everything else. */
export function solid(): Plugin {
	return {
		name: 'solid',
		setup(build) {
			build.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
				const result = await transformAsync(await readFile(path, 'utf8'), {
					filename: path,
					// Babel resolves the presets from here, whatever folder the command was started in.
					cwd: inCheckout(),
					babelrc: false,
					configFile: false,
					sourceMaps: 'inline',
					presets: [
						['babel-preset-solid', { generate: 'dom', hydratable: false }],
						['@babel/preset-typescript', { onlyRemoveTypeImports: true }],
					],
				})
				return { contents: result?.code ?? '', loader: 'js' }
			})
		},
	}
}
