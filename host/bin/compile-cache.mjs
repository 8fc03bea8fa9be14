import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns the folder for compiled code. A checkout keeps it beside the build, so that both are removed together. The
 * folder of an installed package may be read-only, and its package manager replaces it, so the user's cache is used.
 * @param {string} root the folder of the package or checkout
 * @returns {string}
 */
export function compileCache(root) {
	if (!existsSync(join(root, 'dist', 'release.json'))) return join(root, 'dist', 'host', 'compiled')
	return join(cacheFolder(), 'compiled')
}

/** The same folders as those of env-paths, which the host uses: the launcher loads no packages. */
function cacheFolder() {
	const { platform, env } = process
	if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'Roundhouse')
	if (platform === 'win32') return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Roundhouse', 'Cache')
	return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'Roundhouse')
}
