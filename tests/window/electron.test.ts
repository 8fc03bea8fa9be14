import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { openSecretStore } from '../../host/connections/secrets.ts'
import { findOrStartHost } from '../../host/desktop/host-process.ts'
import { app, record } from '../desktop/electron-double.ts'
import { isRunning } from '../support/process.ts'
import { Roundhouse } from '../support/roundhouse.ts'

vi.mock('electron', () => import('../desktop/electron-double.ts'))

const launcher = join(import.meta.dirname, '../../host/bin/roundhouse.mjs')

test('the shell’s main file starts the host as a separate process, shows it in one hardened window, and stops it with the window', async () => {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-electron-'))
	vi.stubEnv('ROUNDHOUSE_HOME', home)
	const { argv } = process
	const coldLink = `roundhouse://pair?client=Cold&challenge=${'B'.repeat(43)}`
	process.argv = ['electron', 'main.js', `--node=${process.execPath}`, `--launcher=${launcher}`, coldLink]
	try {
		await import('../../host/desktop/electron-main.ts')
		const [window] = record.windows
		if (!window?.page) throw new Error('no window was opened')
		await window.page.getByText('Nothing connected yet').waitFor()
		// The link that started the program waits until the window is open.
		await window.page.getByRole('dialog').getByText('Cold').waitFor()
		await window.page.getByRole('button', { name: 'Refuse' }).click()
		expect(window.isShown).toBe(true)
		expect(record.isSandboxed).toBe(true)
		expect(window.options.webPreferences).toMatchObject({
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
		})

		for (const url of ['https://example.org/docs', 'file:///etc/passwd', 'javascript:alert(1)', 'http://example.org']) {
			expect(window.openHandler?.({ url })).toEqual({ action: 'deny' })
		}
		expect(record.opened).toEqual(['https://example.org/docs'])
		const navigation = { preventDefault: vi.fn() }
		window.webContents.emit('will-navigate', navigation, 'https://evil.example/')
		expect(navigation.preventDefault).toHaveBeenCalledOnce()
		window.webContents.emit('will-navigate', navigation, window.page.url())
		expect(navigation.preventDefault).toHaveBeenCalledOnce()
		// If the host returns on one of the next ports, the window follows. It goes to no other address of this machine.
		const moved = new URL(window.page.url())
		moved.hostname = `${'b'.repeat(20)}.localhost`
		moved.port = String(Number(moved.port) + 3)
		window.webContents.emit('will-navigate', navigation, moved.href)
		expect(navigation.preventDefault).toHaveBeenCalledOnce()
		moved.port = String(Number(moved.port) + 20)
		window.webContents.emit('will-navigate', navigation, moved.href)
		expect(navigation.preventDefault).toHaveBeenCalledTimes(2)
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

		// Whatever opens the link of a view: the window reads it, and asks.
		app.emit('second-instance', {}, ['electron', '.', 'roundhouse://view/broken'])
		await window.page.getByText('A link to a view was opened that cannot be read.').waitFor()

		const { pid } = JSON.parse(await readFile(join(home, 'control.json'), 'utf8'))
		expect(pid).not.toBe(process.pid)
		expect(isRunning(pid)).toBe(true)

		const quit = new Promise(resolve => app.once('quit', resolve))
		window.close()
		await quit
		expect(await readdir(home)).not.toContain('mcp-handshake.json')
		expect(isRunning(pid)).toBe(false)
	} finally {
		process.argv = argv
		vi.unstubAllEnvs()
		await rm(home, { recursive: true, force: true })
	}
})

test('the host ends when its shell is killed', async () => {
	await using roundhouse = await Roundhouse.make()
	const program = join(import.meta.dirname, '../desktop/shell-program.ts')
	const shell = spawn(process.execPath, [program, launcher], {
		env: roundhouse.environment,
		stdio: ['ignore', 'pipe', 'inherit'],
	})
	const [line] = await once(createInterface({ input: shell.stdout }), 'line')
	const pid = Number(line)
	expect(isRunning(pid)).toBe(true)
	shell.kill('SIGKILL')
	await expect.poll(() => isRunning(pid)).toBe(false)
})

test('a shell shows the host that another program starts at the same time', async () => {
	await using roundhouse = await Roundhouse.make()
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-electron-'))
	try {
		// The shell's host is late: the other host is already running.
		const late = join(folder, 'late.mjs')
		await writeFile(
			late,
			`import { existsSync } from 'node:fs'
			while (!existsSync(${JSON.stringify(join(roundhouse.home, 'control.json'))})) await new Promise(setImmediate)
			await import(${JSON.stringify(launcher)})`,
		)
		for (const [name, value] of Object.entries(roundhouse.environment)) vi.stubEnv(name, value)
		const finding = findOrStartHost(await openSupportDirectory(), {
			node: process.execPath,
			launcher: late,
			registry: [],
		})
		const [shown] = await Promise.all([finding, roundhouse.serve()])
		expect((await shown.host.call('app.info', {})).home).toBe(roundhouse.home)
		await shown.stop()
		expect(roundhouse.hasEnded).toBe(false)
	} finally {
		vi.unstubAllEnvs()
		await rm(folder, { recursive: true, force: true })
	}
})

test('secrets that an older shell encrypted are reported and stay unchanged', async () => {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-electron-'))
	try {
		const sealed = JSON.stringify({ version: 1, sealedBy: 'the desktop window', secrets: { 'a/password': 'c2VhbGVk' } })
		await writeFile(join(home, 'secrets.json'), sealed)
		await expect(openSecretStore(name => join(home, name))).rejects.toThrow('encrypted by the desktop window')
		expect(await readFile(join(home, 'secrets.json'), 'utf8')).toBe(sealed)
	} finally {
		await rm(home, { recursive: true, force: true })
	}
})
