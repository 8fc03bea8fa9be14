import { releaseFacts } from '../../base/release.ts'
import type { Bridge } from './clients.ts'

/** Name of the package in the npm registry. `roundhouse` alone belongs to another project. */
const packageName = 'roundhouse-db'

/**
 * Folders whose content a package manager replaces or removes without notice, or whose path has a version: caches of
 * `npx`, `pnpm dlx`, `yarn dlx` and `bunx`, pnpm's store, and the mount of an AppImage.
 */
const passing = /(?:^|[\\/])(?:_npx|\.pnpm|dlx(?:-[^\\/]*)?|xfs-[^\\/]*|bunx-[^\\/]*|\.mount_[^\\/]*)[\\/]/

/** What the command of a bridge depends on. */
export interface Installation {
	readonly launcher: string
	/** The program that runs the launcher, with its flags. */
	readonly node: readonly [string, ...string[]]
	/** Version of an installed release, or `undefined` in a checkout. */
	readonly version: string | undefined
	readonly platform: NodeJS.Platform
}

/**
 * Returns how a client starts the bridge of this installation. Includes the support directory if it is not the default.
 */
export function bridgeOf(launcher: string): Bridge {
	const home = process.env.ROUNDHOUSE_HOME
	const node = [process.execPath, ...process.execArgv] as const
	const version = releaseFacts()?.version
	return {
		...commandOf({ launcher, node, version, platform: process.platform }),
		env: home ? { ROUNDHOUSE_HOME: home } : {},
	}
}

/**
 * Returns a command that a client can keep: an update of Roundhouse does not break it. An installation has a lasting
 * path. What a package manager runs from a cache is named by its exact version.
 */
export function commandOf({ launcher, node, version, platform }: Installation): Pick<Bridge, 'command' | 'args'> {
	const [command, ...flags] = node
	if (version === undefined || !passing.test(launcher)) return { command, args: [...flags, launcher, 'mcp'] }
	const words = ['npx', '-y', `${packageName}@${version}`, 'mcp']
	// On Windows npx is a script, which clients cannot start by themselves.
	return platform === 'win32' ? { command: 'cmd', args: ['/c', ...words] } : { command: 'npx', args: words.slice(1) }
}
