import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the folder of the built parts, `dist/`, whether this module runs from there or from its source. */
const dist = (() => {
	for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
		if (existsSync(join(folder, 'dist', 'host'))) return join(folder, 'dist')
		if (dirname(folder) === folder)
			throw new Error(
				'The folder dist/ of Roundhouse is missing. In a checkout, run: npm run build. Elsewhere, install Roundhouse again.',
			)
	}
})()

export const layout = {
	/** Facts of an installed release. A checkout has none (base/release.ts). */
	release: join(dist, 'release.json'),
	/** Drivers that come with an installed release. */
	drivers: join(dist, 'drivers'),
	/** Program of a driver process. */
	driverRuntime: join(dist, 'host', 'driver-runtime.js'),
	/** Program that confines itself and becomes a driver process (host/driver-runtime/wall). */
	driverLauncher: join(dist, 'host', 'driver-launcher.cjs'),
	/** Program that loads the conformance file of a driver (host/driver-check). */
	conformanceProgram: join(dist, 'host', 'conformance-program.js'),
	/** Files of the window. */
	ui: join(dist, 'ui'),
	/** Pages that AI clients show in their chats (ui/apps). */
	apps: join(dist, 'apps'),
	/** Folders that new drivers are copied from, by template. */
	driverTemplates: join(dist, 'templates'),
} as const
