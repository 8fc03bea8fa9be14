import { existsSync } from 'node:fs'
import { layout } from '../../base/layout.ts'
import { releaseFacts } from '../../base/release.ts'
import { hostVersion } from '../../base/version.ts'

/**
 * Returns why this host cannot start a program of its package, or `undefined`. A package manager may replace or remove
 * the package while the host runs, for example `npx` its cache. Files of another version must not be mixed with this
 * process.
 */
export function packageFault(): string | undefined {
	if (!existsSync(process.execPath) || !existsSync(layout.driverRuntime)) return 'were removed'
	try {
		const version = releaseFacts()?.version
		return version === undefined || version === hostVersion ? undefined : `were replaced by Roundhouse ${version}`
	} catch {
		return 'were changed'
	}
}
