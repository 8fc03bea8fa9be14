import { openSupportDirectory } from '../../base/support-directory.ts'
import { connectToHost } from '../api/client.ts'
import { stopHost } from '../api/older-host.ts'
import { type CommandContext, print } from './context.ts'
import { sayWaiting } from './replace-host.ts'

/** Stops the running host when its work is done. */
export async function stop(context: CommandContext): Promise<void> {
	const support = await openSupportDirectory()
	const host = await connectToHost(support)
	if (!host) return print(context, { stopped: false }, 'No host is running.')
	await stopHost(support, host, sayWaiting)
	print(context, { stopped: true, version: host.version }, `Stopped Roundhouse ${host.version}.`)
}
