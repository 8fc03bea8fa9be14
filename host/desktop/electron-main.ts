import { parseArgs } from 'node:util'
import { app, BrowserWindow, dialog, Menu, shell } from 'electron'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { viewLinkPrefix } from '../api/view-links.ts'
import { findOrStartHost, type HostProgram } from './host-process.ts'
import { packagedProgram } from './packaged.ts'
import { runShell, type ShellHost } from './shell.ts'

/** Electron's main file: the window of a host in another process, which is found running or started. */

// In a packaged application no script precedes the arguments.
const args = process.argv.slice(app.isPackaged ? 1 : 2)
await runShell({ app, BrowserWindow, dialog, Menu, shell }, openHost, args)

async function openHost(): Promise<ShellHost> {
	const { host, stop } = await findOrStartHost(await openSupportDirectory(), hostProgram(), offerReplacement)
	return {
		entryUrl: (await host.call('app.entry', {})).url,
		follow: link =>
			link.startsWith(viewLinkPrefix) ? host.call('viewLinks.offer', { link }) : host.call('pairing.begin', { link }),
		stop,
	}
}

/** Asks whether this version should replace an older host that runs. */
async function offerReplacement(version: string): Promise<boolean> {
	const { response } = await dialog.showMessageBox({
		type: 'question',
		message: `Roundhouse ${version} is running.`,
		detail: `This is Roundhouse ${app.getVersion()}. The running one can be replaced as soon as its work is done.`,
		buttons: ['Replace it', 'Use the running one'],
		defaultId: 0,
		cancelId: 1,
	})
	return response === 0
}

/** As the command `open` names it, or beside the packaged application. */
function hostProgram(): HostProgram {
	if (app.isPackaged) return packagedProgram(process.resourcesPath, process.platform)
	const { values } = parseArgs({
		args,
		options: {
			node: { type: 'string', default: '' },
			launcher: { type: 'string', default: '' },
			registry: { type: 'string' },
			'registry-key': { type: 'string' },
		},
		strict: false,
	})
	const { node, launcher, registry, 'registry-key': key } = values
	const named = typeof registry === 'string' && typeof key === 'string'
	return {
		// Values are strings, whatever the loose parser's type says.
		node: String(node),
		launcher: String(launcher),
		registry: named ? ['--registry', registry, '--registry-key', key] : [],
	}
}
