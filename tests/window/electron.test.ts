import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { app, record } from '../desktop/electron-double.ts'

vi.mock('electron', () => import('../desktop/electron-double.ts'))

test('the shell’s main file runs the host in one hardened window and stops it with the window', async () => {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-electron-'))
	vi.stubEnv('ROUNDHOUSE_HOME', home)
	vi.stubEnv('ROUNDHOUSE_SECRETS', undefined)
	try {
		await import('../../host/desktop/electron-main.ts')
		const [window] = record.windows
		if (!window?.page) throw new Error('no window was opened')
		await window.page.getByText('Nothing connected yet').waitFor()
		expect(window.isShown).toBe(true)
		expect(record.isSandboxed).toBe(true)
		expect(window.options.webPreferences).toMatchObject({
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
		})

		expect(window.openHandler?.()).toEqual({ action: 'deny' })
		const navigation = { preventDefault: vi.fn() }
		window.webContents.emit('will-navigate', navigation, 'https://evil.example/')
		expect(navigation.preventDefault).toHaveBeenCalledOnce()
		window.webContents.emit('will-navigate', navigation, window.page.url())
		expect(navigation.preventDefault).toHaveBeenCalledOnce()
		const unload = { preventDefault: vi.fn() }
		record.pressed = 1
		window.webContents.emit('will-prevent-unload', unload)
		expect(unload.preventDefault).not.toHaveBeenCalled()
		record.pressed = 0
		window.webContents.emit('will-prevent-unload', unload)
		expect(unload.preventDefault).toHaveBeenCalledOnce()
		expect(record.messages).toEqual(['Some changes are not saved.', 'Some changes are not saved.'])
		const granted = vi.fn()
		window.permissionHandler?.(undefined, 'media', granted)
		expect(granted).toHaveBeenCalledWith(false)

		const focused = vi.fn()
		window.on('focus', focused)
		app.emit('second-instance', {}, ['electron', '.', `roundhouse://pair?client=Editor&challenge=${'A'.repeat(43)}`])
		expect(focused).toHaveBeenCalledOnce()
		expect(record.scheme).toBe('roundhouse')
		await window.page.getByRole('dialog').getByText('Editor').waitFor()
		await window.page.getByRole('button', { name: 'Refuse' }).click()

		const quit = new Promise(resolve => app.once('quit', resolve))
		window.close()
		await quit
		expect(await readdir(home)).not.toContain('mcp-handshake.json')
	} finally {
		vi.unstubAllEnvs()
		await rm(home, { recursive: true, force: true })
	}
})

test('secrets are sealed by the operating system, and a host without the shell says so', async () => {
	const { openSecretStore } = await import('../../host/connections/secrets.ts')
	const { safeStorage } = await import('../desktop/electron-double.ts')
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-electron-'))
	const file = (name: string) => join(home, name)
	try {
		const cipher = {
			description: 'the desktop window',
			encrypt: async (plain: string) => (await safeStorage.encryptStringAsync(plain)).toString('base64'),
			decrypt: async (sealed: string) => (await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'))).result,
		}
		const store = await openSecretStore(file, cipher)
		await store.set('a/password', 'correct horse')
		expect(await store.get('a/password')).toBe('correct horse')
		expect(await readFile(file('secrets.json'), 'utf8')).not.toContain('correct horse')
		await expect(openSecretStore(file)).rejects.toThrow('sealed by the desktop window')
	} finally {
		await rm(home, { recursive: true, force: true })
	}
})
