import { readFile } from 'node:fs/promises'
import { transformAsync } from '@babel/core'
import type { OnLoadArgs, OnLoadResult, Plugin } from 'esbuild'
import { inCheckout } from './layout.ts'

/**
 * Solid's JSX for esbuild: Babel compiles the .tsx files, esbuild does everything else.
 * @param isSmall for a small page without transitions and hydration
 */
export function solid({ isSmall = false }: { readonly isSmall?: boolean } = {}): Plugin {
	return {
		name: 'solid',
		setup(build) {
			if (isSmall) build.onLoad({ filter: /\/solid-js\/(web\/)?dist\/(solid|web)\.js$/ }, withoutUnused)
			build.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
				const result = await transformAsync(await readFile(path, 'utf8'), {
					filename: path,
					// Babel resolves the presets from here, whatever folder the command was started in.
					cwd: inCheckout(),
					babelrc: false,
					configFile: false,
					sourceMaps: 'inline',
					presets: [
						['babel-preset-solid', { generate: 'dom', hydratable: false, delegateEvents: !isSmall }],
						['@babel/preset-typescript', { onlyRemoveTypeImports: true }],
					],
				})
				return { contents: result?.code ?? '', loader: 'js' }
			})
		},
	}
}

/**
 * Replaces what is constant without transitions and hydration, so that esbuild removes the code behind it. If another
 * release of Solid is written differently, the page is larger and works.
 */
async function withoutUnused({ path }: OnLoadArgs): Promise<OnLoadResult> {
	const code = await readFile(path, 'utf8')
	const contents = code
		.replaceAll(/Transition && Transition\.running( && Transition\.sources\.has\(\w+\))?/g, 'false')
		.replaceAll(/if \(Transition\b/g, 'if (false && Transition')
		.replaceAll(/if \((!?)sharedConfig\.context/g, 'if ($1false')
		.replaceAll(/if \(ExternalSourceConfig\b/g, 'if (false && ExternalSourceConfig')
	return { contents, loader: 'js' }
}
