import { gt, valid } from 'semver'
import { releaseFacts } from '../../base/release.ts'
import { hostVersion } from '../../base/version.ts'
import type { Bridge } from '../client-setup/clients.ts'
import type { Drivers } from '../plugin-loader/drivers.ts'

export interface HostUpdate {
	readonly version: string
	/** What the user does to get it. */
	readonly how: string
}

/**
 * Returns the newer release that the official registry names in this release's channel, or `null`. A checkout has none.
 * @param bridge how AI clients start this installation, which says how it was installed
 */
export async function hostUpdate(drivers: Drivers, bridge: Bridge | undefined): Promise<HostUpdate | null> {
	const release = releaseFacts()
	if (!release) return null
	const version = await drivers.newestHost(release.registry.rootSha256, release.channel)
	if (version === undefined || !valid(version) || !gt(version, hostVersion)) return null
	return { version, how: howToUpdate(version, bridge) }
}

function howToUpdate(version: string, bridge: Bridge | undefined): string {
	const words = bridge ? [bridge.command, ...bridge.args] : []
	if (words.includes('-y')) return `Run: npx roundhouse-db@${version}`
	const isPackage = words.some(word => /[\\/]node_modules[\\/]roundhouse-db[\\/]/.test(word))
	return isPackage ? `Run: npm install --global roundhouse-db@${version}` : 'Download it where you got this one.'
}
