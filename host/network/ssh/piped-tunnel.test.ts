import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasSshServer, passphrase, type SshServers, startSshServers } from '../../../tests/support/ssh-servers.ts'
import { sshEnvironment, sshProgram } from './command.ts'
import { PipedAskpass } from './piped-askpass.ts'
import { PipedTunnel } from './piped-tunnel.ts'
import { type SshDesk, Tunnels } from './tunnels.ts'

/** What only the way without forwards has, which is that of Windows. It runs here with the `ssh` of this system. */

const run = promisify(execFile)
const connection = { id: 'c', name: 'Shop', driverId: 'postgres' }
const { signal } = new AbortController()
const desk: SshDesk = { ask: async () => ({ decision: 'approved', text: passphrase }) }

describe.skipIf(!hasSshServer)('an ssh for each socket', () => {
	let servers: SshServers
	const echo = createServer({ allowHalfOpen: true }, socket => {
		socket.on('error', () => {}).pipe(socket)
	})
	let address: { readonly host: string; readonly port: number }
	const opened = () => new Tunnels({ forwards: 'pipes', desk, extra: ['-F', servers.config], lingerMs: 0 })

	beforeAll(async () => {
		servers = await startSshServers()
		echo.listen(0, '127.0.0.1')
		await once(echo, 'listening')
		address = { host: '127.0.0.1', port: (echo.address() as AddressInfo).port }
	})
	afterAll(async () => {
		echo.close()
		await servers?.[Symbol.asyncDispose]()
	})

	/** PIDs of each `ssh` of this process that has a socket. */
	async function running(): Promise<readonly number[]> {
		const { stdout } = await run('ps', ['-eo', 'pid,ppid,args'])
		return stdout
			.split('\n')
			.map(line => line.trim().split(/\s+/))
			.filter(([, parent, program]) => Number(parent) === process.pid && program === 'ssh')
			.map(([pid]) => Number(pid))
	}

	test('much data arrives as it was sent, and a half-closed socket still gets the rest', async () => {
		const tunnels = opened()
		const socket = await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		const sent = randomBytes(3_000_000)
		const parts: Buffer[] = []
		const ended = once(socket, 'end')
		socket.on('data', (data: Buffer) => parts.push(data))
		socket.resume().end(sent)
		await ended
		expect(Buffer.concat(parts).equals(sent)).toBe(true)
		await expect.poll(running).toEqual([])
		await tunnels.close()
	})

	test('an ssh that is killed closes its socket alone, and the next socket asks for nothing', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'target' }, connection)
		const first = await held.dial(address, signal)
		const [pid = 0] = await running()
		const second = await held.dial(address, signal)
		const closed = once(first.resume(), 'close')
		process.kill(pid, 'SIGKILL')
		await closed
		second.resume().write('still')
		expect(String((await once(second, 'data'))[0])).toBe('still')
		const asked = vi.spyOn(desk, 'ask')
		onTestFinished(() => asked.mockRestore())
		const third = await held.dial(address, signal)
		expect(third.destroyed).toBe(false)
		expect(asked).not.toHaveBeenCalled()
		await tunnels.close()
		expect(await running()).toEqual([])
	})

	test('an ssh ends with its socket', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'jump' }, connection)
		const socket = await held.dial(address, signal)
		expect(await running()).toHaveLength(1)
		socket.destroy()
		await expect.poll(running).toEqual([])
		expect(tunnels.open).toEqual(['jump'])
		await tunnels.close()
	})

	test('a ProxyCommand that is a program of Node runs as it is', async () => {
		const relay = join(tmpdir(), 'relay.mjs')
		const lines = [
			"import { connect } from 'node:net'",
			'const socket = connect(Number(process.argv[3]), process.argv[2])',
			'process.stdin.pipe(socket).pipe(process.stdout)',
		]
		await writeFile(relay, lines.join('\n'))
		const proxy = `ProxyCommand=${process.execPath} ${relay} %h %p`
		const extra = ['-F', servers.config, '-o', proxy]
		const tunnels = new Tunnels({ forwards: 'pipes', desk, extra, lingerMs: 0 })
		const socket = await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		socket.resume().write('through it')
		expect(String((await once(socket, 'data'))[0])).toBe('through it')
		await tunnels.close()
	})

	test('nothing listens in the folder of a tunnel but for questions, and the folder goes with it', async () => {
		const tunnels = opened()
		await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		const [folder = ''] = (await readdir(tmpdir())).filter(name => name.startsWith('rh-ssh-'))
		expect(await readdir(join(tmpdir(), folder, 'files'))).toEqual(['q'])
		await tunnels.close()
		expect((await readdir(tmpdir())).filter(name => name.startsWith('rh-ssh-'))).toEqual([])
	})
})

test.runIf(process.platform !== 'win32')('an ssh that is too old is named, and asks nothing', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'rh-old-'))
	const path = process.env.PATH
	onTestFinished(async () => {
		process.env.PATH = path
		await rm(folder, { recursive: true })
	})
	const place = async (version: string) => {
		await writeFile(join(folder, 'ssh'), `#!/bin/sh\necho '${version}' >&2\n`)
		await chmod(join(folder, 'ssh'), 0o700)
	}
	process.env.PATH = `${folder}:${path}`
	const told: string[] = []
	const listening: SshDesk = {
		ask: async ({ text }) => {
			told.push(text)
			return { decision: 'refused' }
		},
	}
	const tunnels = new Tunnels({ forwards: 'pipes', desk: listening, lingerMs: 0 })
	const dial = () => tunnels.hold({ destination: 'jump' }, connection).dial({ host: 'db', port: 1 }, signal)
	await place('OpenSSH_for_Windows_8.1p1, LibreSSL 3.0.2')
	await expect(dial()).rejects.toMatchObject({ code: 'network/ssh_failed' })
	expect(told.at(-1)).toMatch(/^SSH to jump could not start: OpenSSH_for_Windows_8.1p1, .* is too old/)
	await place('OpenSSH_for_Windows_10.0p2, LibreSSL 4.1.0')
	await expect(dial()).rejects.toMatchObject({ code: 'network/ssh_failed' })
	expect(told.at(-1)).toMatch(/could not find the server: ssh ended/)
	process.env.PATH = folder
	await rm(join(folder, 'ssh'))
	await expect(dial()).rejects.toMatchObject({ code: 'network/ssh_failed' })
	expect(told.at(-1)).toMatch(/This machine has no ssh\. Install OpenSSH\./)
	await tunnels.close()
})

test.runIf(process.platform !== 'win32')('a socket that waits for its turn starts no ssh after the end', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'rh-turn-'))
	vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
	onTestFinished(async () => {
		vi.unstubAllEnvs()
		await rm(folder, { recursive: true })
	})
	const lines = [
		'#!/bin/sh',
		'[ "$1" = -V ] && { echo OpenSSH_9.9p1 >&2; exit; }',
		`echo started >>'${folder}/started'`,
		// The first one signs in, and no other.
		`[ "$(wc -l <'${folder}/started')" -eq 1 ] && echo "debug1: channel_connect_stdio_fwd: db:1" >&2`,
		'exec cat',
	]
	await writeFile(join(folder, 'ssh'), lines.join('\n'), { mode: 0o700 })
	const options = { answer: async () => undefined, onStep() {}, signal }
	const tunnel = await PipedTunnel.open({ destination: 'jump' }, options, { host: 'db', port: 1 })
	const dialed = Array.from({ length: 9 }, () => tunnel.dial({ host: 'other', port: 1 }, signal))
	const settled = Promise.allSettled(dialed)
	const started = async () => (await readFile(join(folder, 'started'), 'utf8')).trim().split('\n').length
	await expect.poll(started).toBe(5)
	await tunnel.close()
	expect((await settled).map(({ status }) => status)).toEqual(Array(9).fill('rejected'))
	await expect(tunnel.dial({ host: 'other', port: 1 }, signal)).rejects.toThrow('The tunnel was closed.')
	expect(await started()).toBe(5)
})

test('on Windows the program has a whole path, and its questions a named pipe', async () => {
	expect(sshProgram('win32')).toMatch(/^[A-Z]:\\.*\\OpenSSH\\ssh\.exe$/)
	expect(sshProgram('linux')).toBe('ssh')
	// Elsewhere the name is that of a file, which tells what is asked of the system.
	const folder = await mkdtemp(join(tmpdir(), 'rh-pipe-'))
	const before = process.cwd()
	process.chdir(folder)
	onTestFinished(async () => {
		process.chdir(before)
		await rm(folder, { recursive: true, force: true })
	})
	const askpass = await PipedAskpass.open(folder, async () => undefined, 'win32')
	expect(JSON.parse(askpass.variables.ROUNDHOUSE_SSH_ASK ?? '').path).toMatch(/^\\\\\.\\pipe\\roundhouse-ssh-/)
	await askpass.close()
	expect(sshEnvironment()).not.toHaveProperty('NODE_OPTIONS')
})
