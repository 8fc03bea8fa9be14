import { parseArgs } from 'node:util'
import { app, BrowserWindow, dialog, Menu, safeStorage } from 'electron'
import { stderrLog } from '../base/log.ts'
import { openSupportDirectory } from '../base/support-directory.ts'
import { startHost } from '../host.ts'
import { hostOrLock } from '../ui-server/client.ts'
import { openAddress } from './open-address.ts'
import { runShell } from './shell.ts'

/** Electron's main file. It shows a host that already runs, or runs one of its own. */

const { values } = parseArgs({
	args: process.argv.slice(2),
	options: { registry: { type: 'string' }, 'registry-key': { type: 'string' }, launcher: { type: 'string' } },
	strict: false,
})
const registry =
	typeof values.registry === 'string' && typeof values['registry-key'] === 'string'
		? { url: values.registry, fingerprint: values['registry-key'] }
		: undefined

await runShell({ app, BrowserWindow, dialog, Menu, safeStorage }, async cipher => {
	const support = await openSupportDirectory()
	const found = await hostOrLock(support)
	if ('host' in found) {
		const { host } = found
		return {
			entryUrl: (await host.call('app.entry', {})).url,
			pair: link => host.call('pairing.begin', { link }),
			stop: async () => host[Symbol.asyncDispose](),
		}
	}
	const launcher = typeof values.launcher === 'string' ? values.launcher : undefined
	const { lock } = found
	const host = await startHost({ support, lock, registry, cipher, launcher, openAddress, log: stderrLog() })
	return { entryUrl: host.entry().url, pair: host.pair, stop: host.stop }
})
