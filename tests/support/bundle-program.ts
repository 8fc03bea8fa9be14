import { build } from 'esbuild'
import { hostVersion } from '../../base/version.ts'
import { commonJsBanner } from '../../registry/publisher/common-js.ts'

/**
 * Bundles programs of tests into `folder`, which should be in `dist`, because one bundled file starts in a third of the
 * time.
 */
export async function bundleProgram(entryPoints: string | readonly string[], folder: string): Promise<void> {
	await build({
		entryPoints: [entryPoints].flat(),
		outdir: folder,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node26',
		external: ['fs-native-extensions'],
		banner: { js: commonJsBanner },
		define: { ROUNDHOUSE_VERSION: JSON.stringify(hostVersion) },
		logLevel: 'warning',
	})
}
