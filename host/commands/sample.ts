import { stderrLog } from '../../base/log.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import type { DriverOffer } from '../api/api.ts'
import { ProxiedAgent } from '../network/proxied-agent.ts'
import { Drivers } from '../plugin-loader/drivers.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { type CommandContext, defaultRegistry, usageError, withHost } from './context.ts'
import { untilStopped } from './until-stopped.ts'

/** Runs a driver's sample until it is stopped, with fresh data. @param wanted default: the only driver with a sample */
export async function sample(context: CommandContext, wanted: string | undefined): Promise<void> {
	const stopped = untilStopped()
	const driverId = await withHost(context, async host => {
		const { offers } = await host.call('drivers.browse', {})
		const id = wanted ?? onlySampleOf(offers)
		const offer = offers.find(({ manifest }) => manifest.id === id)
		if (offer?.state !== 'installed') await host.call('drivers.install', { id })
		return id
	})
	// Without the lock: it only reads what is installed, and a host may start meanwhile.
	const policy = await MachinePolicy.read()
	const drivers = await Drivers.open(await openSupportDirectory(), [await defaultRegistry(context)], {
		log: stderrLog(),
		policy,
		agent: new ProxiedAgent(() => ({ mode: 'machine' })),
	})
	try {
		const { url } = await drivers.sample(driverId)
		process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, url })}\n`)
		await stopped
	} finally {
		await drivers.stopAll()
	}
}

/** Returns the only driver with a sample. Installed drivers have priority. @throws HostError `command/usage` */
export function onlySampleOf(offers: readonly DriverOffer[]): string {
	const samples = offers.filter(({ manifest }) => manifest.hasSample)
	const installed = samples.filter(({ state }) => state === 'installed')
	const ids = [...new Set((installed.length > 0 ? installed : samples).map(({ manifest }) => manifest.id))]
	const [first, ...others] = ids
	if (first === undefined) throw usageError('No driver has a sample.')
	if (others.length > 0) throw usageError(`Name a driver with --driver: ${ids.join(' or ')}.`)
	return first
}
