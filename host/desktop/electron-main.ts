import { parseArgs } from 'node:util'
import { app, BrowserWindow, Menu, safeStorage } from 'electron'
import { stderrLog } from '../base/log.ts'
import { openSupportDirectory } from '../base/support-directory.ts'
import { startHost } from '../host.ts'
import { connectToHost } from '../ui-server/client.ts'
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

await runShell({ app, BrowserWindow, Menu, safeStorage }, async cipher => {
	const support = await openSupportDirectory()
	const running = await connectToHost(support)
	if (running) {
		return {
			uiUrl: running.entryUrl,
			pair: link => running.call('pairing.begin', { link }),
			stop: async () => running[Symbol.asyncDispose](),
		}
	}
	const launcher = typeof values.launcher === 'string' ? values.launcher : undefined
	return startHost({ support, registry, cipher, launcher, openAddress, log: stderrLog() })
})
