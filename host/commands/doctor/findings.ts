import { access, constants } from 'node:fs/promises'
import { kitVersion } from '@roundhouse/kit/version'
import { messageOf } from '../../../base/errors.ts'
import { ownedFolders } from '../../../base/owned-folder.ts'
import { releaseFacts } from '../../../base/release.ts'
import type { SupportDirectory } from '../../../base/support-directory.ts'
import { hostApi, hostVersion } from '../../../base/version.ts'
import { connectToHost } from '../../api/client.ts'
import { openSecretStore } from '../../connections/secrets.ts'
import { findBrowser } from '../../desktop/browser.ts'
import { findElectron } from '../../desktop/electron.ts'
import { sshVersion, usualForwards } from '../../network/ssh/command.ts'
import { tunnelPrefix } from '../../network/ssh/tunnel.ts'
import { MachinePolicy } from '../../policy/machine-policy.ts'
import { type CommandContext, withHost } from '../context.ts'

/** What `roundhouse doctor` found out about one part. */
export interface Finding {
	readonly check: string
	readonly ok: boolean
	readonly detail: string
}

/** Checks what a support request would ask. */
export async function findings(context: CommandContext, support: SupportDirectory): Promise<readonly Finding[]> {
	return [
		{
			check: 'Roundhouse',
			ok: true,
			detail: `${hostVersion} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
		},
		{ check: 'Parts', ok: true, detail: `window ${hostVersion}, driver API ${kitVersion}, host API ${hostApi}` },
		{ check: 'Release', ok: true, detail: describeRelease() },
		await probe('Support directory', async () => {
			await access(support.path, constants.W_OK)
			return support.path
		}),
		await probe('Secrets', async () => `in ${(await openSecretStore(support.file)).description}`),
		await probe('Host', async () => {
			await using host = await connectToHost(support)
			if (!host) return 'not running'
			const { version, api, mcp } = await host.call('app.info', {})
			return `${version} (host API ${api}) is running, AI clients at ${mcp.url}`
		}),
		await probe('Policy', async () => {
			const policy = await MachinePolicy.read()
			if (policy.fault) throw policy.fault
			return policy.exists ? `${policy.file} is in force` : `none at ${policy.file}`
		}),
		await probe('Registry', async () => {
			const { notices } = await withHost(context, host => host.call('drivers.browse', {}))
			const registries = await withHost(context, host => host.call('registries.list', {}))
			const isFirstUse = registries.length > 0 && registries.every(({ state }) => state === 'seeded')
			if (isFirstUse) return notices.join(' ')
			if (notices.length > 0) throw new Error(notices.join(' '))
			return registries
				.map(({ drivers, url }) => `${drivers} ${drivers === 1 ? 'driver' : 'drivers'} at ${url}`)
				.join(', ')
		}),
		await probe('Drivers', async () => {
			const faults = Object.entries(await withHost(context, host => host.call('drivers.verify', {})))
			const altered = faults.filter(([, fault]) => fault !== null)
			if (altered.length > 0) throw new Error(altered.map(([id, fault]) => `${id}: ${fault}`).join(' '))
			const { offers } = await withHost(context, host => host.call('drivers.browse', {}))
			const warnings = offers.flatMap(({ manifest: { id }, revocation }) =>
				revocation ? [`${id}: its registry warns of it: ${revocation.reason}`] : [],
			)
			if (warnings.length > 0) throw new Error(warnings.join(' '))
			const { drivers } = await withHost(context, host => host.call('drivers.lock', {}))
			const installed = Object.entries(drivers).map(([id, { version, publisher }]) => `${id} ${version} (${publisher})`)
			return installed.join(', ') || 'none installed'
		}),
		await probe('Confinement', async () => {
			return (await withHost(context, host => host.call('drivers.confinement', {}))).summary
		}),
		{ check: 'SSH', ok: true, detail: await sshFound() },
		await probe('SSH tunnels', async () => {
			const folders = await ownedFolders(tunnelPrefix())
			const open = folders.filter(({ mode }) => process.platform !== 'win32' && (mode & 0o077) !== 0)
			if (open.length > 0) throw new Error('Other users of this machine can reach the sockets of a tunnel.')
			return folders.length === 0 ? 'none is open' : `${folders.length} open, which only you can reach`
		}),
		await probe('SSH passphrases', async () => {
			const connections = await withHost(context, host => host.call('connections.list', {}))
			// The archive for support has no names.
			const count = connections.filter(({ passphrases = [] }) => passphrases.length > 0).length
			return count === 0
				? 'none is remembered'
				: `remembered for ${count} ${count === 1 ? 'connection' : 'connections'}`
		}),
		await probe('Window', async () => {
			const electron = await findElectron()
			const browser = await findBrowser()
			return (electron && 'Electron') ?? (browser && `app mode of ${browser}`) ?? 'none: the address is printed instead'
		}),
	]
}

/** Only connections that lead through SSH need it. */
async function sshFound(): Promise<string> {
	try {
		const version = await sshVersion()
		return usualForwards === 'pipes' ? `${version}, which signs in for each socket of a connection` : version
	} catch {
		return 'no ssh is installed, so no connection leads through SSH'
	}
}

function describeRelease(): string {
	const release = releaseFacts()
	return release ? `${release.channel}, of ${release.date.slice(0, 10)}` : 'none: this is a checkout'
}

async function probe(check: string, look: () => Promise<string>): Promise<Finding> {
	try {
		return { check, ok: true, detail: await look() }
	} catch (error) {
		return { check, ok: false, detail: messageOf(error) }
	}
}
