import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { writePrivateFile } from '../../base/atomic-file.ts'
import { makeOwnedFolder } from '../../base/owned-folder.ts'
import { type SupportDirectory, windowPrefix } from '../../base/support-directory.ts'

/**
 * The window for machines without Electron: an installed Chromium-family browser in app mode, with a separate profile.
 */

const onPath = [
	'chromium',
	'chromium-browser',
	'google-chrome',
	'google-chrome-stable',
	'microsoft-edge',
	'brave-browser',
]
const elsewhere: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
	darwin: [
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
		'/Applications/Brave Browser.app/Contents/MacOS/Brave Browser',
	],
	win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap(name => {
		const folder = process.env[name]
		return folder
			? [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')]
			: []
	}),
}

/** Returns the path of an installed browser, or `undefined`. `ROUNDHOUSE_BROWSER` names one. */
export async function findBrowser(): Promise<string | undefined> {
	const folders = (process.env.PATH ?? '').split(delimiter)
	const candidates = [
		process.env.ROUNDHOUSE_BROWSER,
		...(elsewhere[process.platform] ?? []),
		...folders.flatMap(folder => onPath.map(name => join(folder, name))),
	]
	for (const path of candidates) {
		if (
			path &&
			(await access(path, constants.X_OK).then(
				() => true,
				() => false,
			))
		)
			return path
	}
	return undefined
}

/** Returns whether this machine can show a window. */
export function hasDisplay(): boolean {
	return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

export interface OpenWindow {
	/** Settles when the user closed it. */
	readonly closed: Promise<void>
	close(): Promise<void>
}

export async function openInBrowser(browser: string, url: string, support: SupportDirectory): Promise<OpenWindow> {
	const folder = await makeOwnedFolder(support.file(windowPrefix))
	// The address admits the first browser that opens it, and all users of the machine can read a command line.
	const doorway = join(folder.path, 'open.html')
	await writePrivateFile(
		doorway,
		`<!doctype html><meta name="referrer" content="no-referrer"><script>location.replace(${JSON.stringify(url)})</script>`,
	)
	const child = spawn(
		browser,
		[
			`--app=file://${doorway}`,
			'--window-size=1280,860',
			`--user-data-dir=${join(folder.path, 'profile')}`,
			'--no-first-run',
			'--no-default-browser-check',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--password-store=basic',
			// Chromium's sandbox refuses to run as root, for example in a container.
			...(process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
		],
		{ stdio: 'ignore' },
	)
	// A browser that cannot start shows no window.
	const closed = once(child, 'exit').then(
		() => {},
		() => {},
	)
	return {
		closed,
		close: async () => {
			child.kill()
			await closed
			await folder.remove()
		},
	}
}
