import { parseArgs } from 'node:util'
import { app, BrowserWindow, dialog, Menu, shell } from 'electron'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { findOrStartHost } from './host-process.ts'
import { runShell, type ShellHost } from './shell.ts'

/** Electron's main file: the window of a host in another process, which is found running or started. */

const { values } = parseArgs({
	args: process.argv.slice(2),
	options: {
		node: { type: 'string', default: '' },
		launcher: { type: 'string', default: '' },
		registry: { type: 'string' },
		'registry-key': { type: 'string' },
	},
	strict: false,
})

await runShell({ app, BrowserWindow, dialog, Menu, shell }, openHost)

async function openHost(): Promise<ShellHost> {
	const { host, stop } = await findOrStartHost(await openSupportDirectory(), programOf(values))
	return {
		entryUrl: (await host.call('app.entry', {})).url,
		pair: link => host.call('pairing.begin', { link }),
		stop,
	}
}

/** As the command `open` names it. Values are strings, whatever the loose parser's type says. */
function programOf({ node, launcher, registry, 'registry-key': key }: typeof values) {
	const named = typeof registry === 'string' && typeof key === 'string'
	return {
		node: String(node),
		launcher: String(launcher),
		registry: named ? ['--registry', registry, '--registry-key', key] : [],
	}
}
