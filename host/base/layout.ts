import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the built parts lie: `dist/`, whether this module runs from there or from its source. */
const dist = (() => {
	for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
		if (existsSync(join(folder, 'dist', 'host'))) return join(folder, 'dist')
		if (dirname(folder) === folder) throw new Error('Roundhouse is not built. Run: npm run build')
	}
})()

export const layout = {
	/** The program of a driver process. */
	driverRuntime: join(dist, 'host', 'driver-runtime.js'),
	/** The window's files. */
	ui: join(dist, 'ui'),
} as const
