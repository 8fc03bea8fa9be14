import { EventEmitter } from 'node:events'
import type { Page } from 'playwright'
import { openBrowser } from '../support/browser.ts'

/**
 * A double of the `electron` module, because its binary is not available on every machine. Its BrowserWindow is a real
 * Chromium page. The double cannot test the sandbox of Electron.
 */

export const record = {
	windows: [] as BrowserWindow[],
	isSandboxed: false,
	scheme: '',
	exitCode: undefined as number | undefined,
	/** The button that the user presses next. */
	pressed: 0,
	messages: [] as string[],
	/** The addresses that the shell opened in the user's browser. */
	opened: [] as string[],
}

class App extends EventEmitter {
	readonly isPackaged = false
	getVersion(): string {
		return '0.1.0'
	}
	requestSingleInstanceLock(): boolean {
		return true
	}
	setAsDefaultProtocolClient(scheme: string): boolean {
		record.scheme = scheme
		return true
	}
	enableSandbox(): void {
		record.isSandboxed = true
	}
	async whenReady(): Promise<void> {}
	quit(): void {
		for (const step of ['before-quit', 'will-quit']) {
			let isPrevented = false
			this.emit(step, {
				preventDefault() {
					isPrevented = true
				},
			})
			if (isPrevented) return
		}
		this.emit('quit')
	}
}
export const app = new App()

export class BrowserWindow extends EventEmitter {
	readonly options: { readonly webPreferences?: Readonly<Record<string, unknown>> }
	readonly webContents: EventEmitter
	openHandler: ((details: { url: string }) => { action: string }) | undefined
	permissionHandler:
		| ((contents: unknown, permission: string, callback: (isGranted: boolean) => void) => void)
		| undefined
	page: Page | undefined
	isShown = false

	constructor(options: BrowserWindow['options'] = {}) {
		super()
		this.options = options
		this.webContents = Object.assign(new EventEmitter(), {
			setWindowOpenHandler: (handler: BrowserWindow['openHandler']) => {
				this.openHandler = handler
			},
			session: {
				setPermissionRequestHandler: (handler: BrowserWindow['permissionHandler']) => {
					this.permissionHandler = handler
				},
				setPermissionCheckHandler: () => {},
			},
		})
		record.windows.push(this)
	}

	async loadURL(url: string): Promise<void> {
		const browser = await openBrowser()
		this.page = await browser.newPage()
		this.once('closed', () => void browser.close())
		await this.page.goto(url)
		this.emit('ready-to-show')
	}
	show(): void {
		this.isShown = true
	}
	isMinimized(): boolean {
		return false
	}
	focus(): void {
		this.emit('focus')
	}
	/** Closes the window, like a user. */
	close(): void {
		this.emit('closed')
		app.emit('window-all-closed')
	}
}

export const dialog = {
	async showMessageBox({ message }: { message: string }): Promise<{ response: number }> {
		record.messages.push(message)
		return { response: record.pressed }
	},
	showMessageBoxSync(_window: BrowserWindow, { message }: { message: string }): number {
		record.messages.push(message)
		return record.pressed
	},
}

export const shell = {
	async openExternal(url: string): Promise<void> {
		record.opened.push(url)
	},
}

export const Menu = { setApplicationMenu() {}, buildFromTemplate: (template: unknown) => template }
