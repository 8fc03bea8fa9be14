import { join } from 'node:path'
import { stderrLog } from '../../base/log.ts'
import { typedCommand } from '../../base/release.ts'
import { openSupportDirectory, type SupportDirectory } from '../../base/support-directory.ts'
import type { Entry } from '../api/api.ts'
import { hostOrLock } from '../api/client.ts'
import { findElectron, runElectron } from '../desktop/electron.ts'
import { openAddress } from '../desktop/open-address.ts'
import { openWindow } from '../desktop/open-window.ts'
import { startHost } from '../host.ts'
import { type CommandContext, defaultRegistry, print } from './context.ts'
import { offerReplacement } from './replace-host.ts'
import { untilStopped } from './until-stopped.ts'

/**
 * Opens the window: in Electron if its binary is installed, else in an installed browser's app mode, else by printing
 * an address that admits one browser. Uses the running host, or runs one until the window closes or the command is
 * stopped. For programs it prints the address and opens nothing.
 * @param link a link to a saved view. A window that is open asks about it, otherwise the new one does
 */
export async function open(context: CommandContext, link?: string): Promise<void> {
	const registry = await defaultRegistry(context)
	const electron = context.json ? undefined : await findElectron()
	if (electron) {
		const main = join(context.launch.checkout, 'dist', 'host', 'electron.js')
		// A release's own registry needs no name, and its drivers would be lost with one.
		const named = registry.seed ? [] : [`--registry=${registry.url}`, `--registry-key=${registry.fingerprint}`]
		await runElectron(electron, main, [
			...named,
			`--launcher=${context.launch.launcher}`,
			`--node=${process.execPath}`,
			...(link === undefined ? [] : [link]),
		])
		return
	}
	const stopped = untilStopped()
	const support = await openSupportDirectory()
	const log = stderrLog()
	let found = await hostOrLock(support)
	if ('host' in found && (await offerReplacement(support, found.host))) found = await hostOrLock(support)
	if ('host' in found) {
		await using running = found.host
		if (link !== undefined && (await running.call('viewLinks.offer', { link })).hasWindow) {
			print(context, { link }, 'The open window asks whether to open the view.')
			return
		}
		await show(context, await running.call('app.entry', {}), { support, stopped })
		return
	}
	const { launcher } = context.launch
	const host = await startHost({ support, lock: found.lock, registry, launcher, openAddress, log })
	if (link !== undefined) host.offerViewLink(link)
	try {
		// Without a window to close, the host runs until it is stopped.
		if (!(await show(context, host.entry(), { support, stopped: Promise.race([stopped, host.stopAsked]) }))) {
			if (!context.json) process.stdout.write('Press Ctrl-C to stop.\n')
			await Promise.race([stopped, host.stopAsked])
		}
	} finally {
		await host.stop()
	}
}

/** Shows the window until it is closed; `false` if there is none and the address was printed. */
export async function show(
	context: CommandContext,
	entry: Entry,
	{ support, stopped }: { readonly support: SupportDirectory; readonly stopped: Promise<unknown> },
): Promise<boolean> {
	const window = context.json ? undefined : await openWindow(entry.url, support)
	if (!window) {
		print(context, entry, addressText(entry))
		return false
	}
	process.stdout.write('Roundhouse is open. Close its window or press Ctrl-C to stop.\n')
	await Promise.race([stopped, window.closed])
	await window.close()
	return true
}

const addressText = ({ url, fallbackUrl }: Entry) => `Open Roundhouse in a browser on this machine, within ten minutes:

  ${url}

If the browser does not find it:

  ${fallbackUrl}

It lets one browser in. For another one run: ${typedCommand('open')}
`
