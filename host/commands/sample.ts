import { stderrLog } from '../../base/log.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { ProxiedAgent } from '../network/proxied-agent.ts'
import { Drivers } from '../plugin-loader/drivers.ts'
import { MachinePolicy } from '../policy/machine-policy.ts'
import { type CommandContext, defaultRegistry, withHost } from './context.ts'
import { untilStopped } from './until-stopped.ts'

/** Runs a driver's sample until it is stopped, with fresh data. */
export async function sample(context: CommandContext, driverId: string): Promise<void> {
	const stopped = untilStopped()
	await withHost(context, async host => {
		const { offers } = await host.call('drivers.browse', {})
		const offer = offers.find(({ manifest }) => manifest.id === driverId)
		if (offer?.state !== 'installed') await host.call('drivers.install', { id: driverId })
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
