import { mayMove } from '../ui-server/window-address.ts'

/**
 * The Electron shell: one hardened window on the page of a host in another process, with desktop features. It gets the
 * `electron` module as a value, so that a test can pass a double (tests/desktop).
 */
export type Electron = Pick<typeof import('electron'), 'app' | 'BrowserWindow' | 'dialog' | 'Menu' | 'shell'>

/** The host as the shell needs it. */
export interface ShellHost {
	/** Returns an address that admits one browser, once. */
	readonly entryUrl: string
	/** Passes a link to the host: `roundhouse://pair/…` or `roundhouse://view/…`. */
	follow(link: string): Promise<unknown>
	stop(): Promise<void>
}

/** Links that programs open to ask for a token (docs/mcp.md, "Pairing"), and links to saved views. */
const scheme = 'roundhouse'

/**
 * Finds or starts the host and shows its window; a second start only focuses the first window.
 * @param args the arguments of this start: a link that starts the program is among them
 */
export async function runShell(
	electron: Electron,
	openHost: () => Promise<ShellHost>,
	args: readonly string[] = [],
): Promise<void> {
	const { app, BrowserWindow, dialog, Menu, shell } = electron
	if (!app.requestSingleInstanceLock()) {
		app.quit()
		return
	}
	app.enableSandbox()
	// macOS sends the link that starts the program before the program is ready.
	const links = new Links(args)
	app.on('open-url', (event, url) => {
		event.preventDefault()
		links.take(url)
	})
	await app.whenReady()
	const host = await openHost()
	const { origin } = new URL(host.entryUrl)
	const window = new BrowserWindow({
		width: 1280,
		height: 820,
		minWidth: 720,
		minHeight: 480,
		title: 'Roundhouse',
		show: false,
		webPreferences: {
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
			webviewTag: false,
			spellcheck: false,
		},
	})
	const { webContents } = window
	webContents.setWindowOpenHandler(({ url }) => {
		// Documentation links open in the user's browser; no second window opens here.
		if (URL.parse(url)?.protocol === 'https:') void shell.openExternal(url)
		return { action: 'deny' }
	})
	webContents.on('will-navigate', (event, url) => {
		const { origin: to } = new URL(url)
		if (to !== origin && !mayMove(origin, to)) event.preventDefault()
	})
	// A browser asks before a page with staged changes closes; Electron keeps the page without a question.
	webContents.on('will-prevent-unload', event => {
		const answer = dialog.showMessageBoxSync(window, {
			type: 'question',
			message: 'Some changes are not saved.',
			buttons: ['Discard them', 'Keep them'],
			defaultId: 1,
			cancelId: 1,
		})
		if (answer === 0) event.preventDefault()
	})
	webContents.session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false))
	webContents.session.setPermissionCheckHandler(() => false)
	Menu.setApplicationMenu(applicationMenu(electron))
	window.once('ready-to-show', () => window.show())
	app.setAsDefaultProtocolClient(scheme)
	app.on('second-instance', (_event, argv) => {
		// If a link starts a second program, the link is among its arguments.
		links.takeFrom(argv)
		if (window.isMinimized()) window.restore()
		window.focus()
	})
	let isStopping = false
	app.on('window-all-closed', () => app.quit())
	// After the windows are gone: one with staged changes may stay.
	app.on('will-quit', event => {
		if (isStopping) return
		isStopping = true
		event.preventDefault()
		void host.stop().finally(() => app.quit())
	})
	await window.loadURL(host.entryUrl)
	links.deliverTo(link => void host.follow(link).catch(() => {}))
}

/** Links that arrive before the window is open wait for it. */
class Links {
	readonly #waiting: string[] = []
	#deliver: (link: string) => void = link => {
		this.#waiting.push(link)
	}

	constructor(args: readonly string[]) {
		this.takeFrom(args)
	}

	take(link: string): void {
		this.#deliver(link)
	}

	takeFrom(words: readonly string[]): void {
		const link = words.find(word => word.startsWith(`${scheme}://`))
		if (link) this.take(link)
	}

	deliverTo(deliver: (link: string) => void): void {
		this.#deliver = deliver
		for (const link of this.#waiting.splice(0)) deliver(link)
	}
}

function applicationMenu({ Menu }: Electron) {
	return Menu.buildFromTemplate([
		...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
		{ role: 'editMenu' },
		{ role: 'viewMenu' },
		{ role: 'windowMenu' },
	])
}
