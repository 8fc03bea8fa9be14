import { access, constants } from 'node:fs/promises'
import { messageOf } from '../../base/errors.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { hostVersion } from '../../base/version.ts'
import { connectToHost } from '../api/client.ts'
import { openSecretStore } from '../connections/secrets.ts'
import { findBrowser } from '../desktop/browser.ts'
import { findElectron } from '../desktop/electron.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { type CommandContext, print, usageError, withHost } from './context.ts'

interface Finding {
	readonly check: string
	readonly ok: boolean
	readonly detail: string
}

/** Checks what a support request would ask. Fails if something required does not work. */
export async function doctor(context: CommandContext): Promise<void> {
	const support = await openSupportDirectory()
	const findings: Finding[] = [
		{
			check: 'Roundhouse',
			ok: true,
			detail: `${hostVersion} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
		},
		await probe('Support directory', async () => {
			await access(support.path, constants.W_OK)
			return support.path
		}),
		await probe('Secrets', async () => `in ${(await openSecretStore(support.file)).description}`),
		await probe('Host', async () => {
			await using host = await connectToHost(support)
			return host ? `running, AI clients at ${(await host.call('app.info', {})).mcp.url}` : 'not running'
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
			return faults.map(([id]) => id).join(', ') || 'none installed'
		}),
		await probe('Confinement', async () => {
			return (await withHost(context, host => host.call('drivers.confinement', {}))).summary
		}),
		await probe('Window', async () => {
			const electron = await findElectron()
			const browser = await findBrowser()
			return (electron && 'Electron') ?? (browser && `app mode of ${browser}`) ?? 'none: the address is printed instead'
		}),
	]
	const text = findings
		.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check.padEnd(18)} ${detail}`)
		.join('\n')
	print(context, { ok: findings.every(finding => finding.ok), findings }, text)
	if (findings.some(finding => !finding.ok)) throw usageError('Something needs attention; see above.')
}

async function probe(check: string, look: () => Promise<string>): Promise<Finding> {
	try {
		return { check, ok: true, detail: await look() }
	} catch (error) {
		return { check, ok: false, detail: messageOf(error) }
	}
}
