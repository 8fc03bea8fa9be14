import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Two servers of SSH on loopback, the second behind the first, and a key with a passphrase. Debian's openssh-server. */

const sshd = '/usr/sbin/sshd'
const run = promisify(execFile)

/** Whether this machine has what the tests need. */
export const hasSshServer = process.platform !== 'win32' && existsSync(sshd)

export const passphrase = 'open sesame'

export interface SshServers {
	/** A file of the form of `~/.ssh/config`: the names `jump`, and `target` behind it. */
	readonly config: string
	readonly key: string
	/** Variables with which an `ssh` without a terminal gets the passphrase. */
	readonly askpass: Readonly<Record<string, string>>
	/** Kills the server of a name and those that it has started. */
	kill(name: 'jump' | 'target'): Promise<void>
	start(name: 'jump' | 'target'): Promise<void>
	[Symbol.asyncDispose](): Promise<void>
}

/** Starts the servers, which say `banner` before they let a user in. The temporary folder of this process is theirs until they end, so that tests see their tunnels alone. */
export async function startSshServers({ banner = '' } = {}): Promise<SshServers> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'rh-sshd-')))
	// A server of a database runs as another user, and has its folder in it.
	await chmod(folder, 0o711)
	const before = process.env.TMPDIR
	process.env.TMPDIR = folder
	const at = (name: string) => join(folder, name)
	// Privilege separation of a server that root starts.
	if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
	for (const name of ['host-jump', 'host-target'])
		await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
	await writeFile(at('answer'), `#!/bin/sh\necho '${passphrase}'\n`, { mode: 0o700 })
	const askpass = { SSH_ASKPASS: at('answer'), SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' }
	// Tests beside it look for secrets in arguments.
	await run('ssh-keygen', ['-q', '-t', 'ed25519', '-f', at('user')], { env: { ...process.env, ...askpass } })
	await copyFile(at('user.pub'), at('authorized'))
	await chmod(at('authorized'), 0o600)
	const ports = { jump: await freePort(), target: await freePort() }
	const config = [
		...(['jump', 'target'] as const).flatMap(name => [
			`Host ${name}`,
			'  HostName 127.0.0.1',
			`  Port ${ports[name]}`,
			...(name === 'target' ? ['  ProxyJump jump'] : []),
		]),
		'Host *',
		`  User ${userInfo().username}`,
		`  IdentityFile ${at('user')}`,
		'  IdentitiesOnly yes',
		'  IdentityAgent none',
		`  UserKnownHostsFile ${at('known_hosts')}`,
	]
	await writeFile(at('config'), `${config.join('\n')}\n`)
	await writeFile(at('banner'), banner)
	const running = new Map<string, ChildProcess>()
	const start = async (name: 'jump' | 'target') => {
		const lines = [
			`Port ${ports[name]}`,
			'ListenAddress 127.0.0.1',
			`HostKey ${at(`host-${name}`)}`,
			`AuthorizedKeysFile ${at('authorized')}`,
			'PidFile none',
			'StrictModes no',
			'UsePAM no',
			'PasswordAuthentication no',
			'KbdInteractiveAuthentication no',
			'PermitRootLogin yes',
			'LogLevel ERROR',
			...(banner === '' ? [] : [`Banner ${at('banner')}`]),
		]
		await writeFile(at(`${name}.conf`), `${lines.join('\n')}\n`)
		const server = spawn(sshd, ['-D', '-f', at(`${name}.conf`), '-E', at(`${name}.log`)], {
			stdio: 'ignore',
			detached: true,
		})
		running.set(name, server)
		while (!(await isListening(ports[name]))) {
			if (server.exitCode !== null) throw new Error(`sshd ended with ${server.exitCode}.`)
			await sleep(20)
		}
	}
	const kill = async (name: string) => {
		const server = running.get(name)
		if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return
		const ended = once(server, 'exit')
		// Stopped first, so that it starts no process for a further connection. Those of connections are in other groups.
		server.kill('SIGSTOP')
		await run('pkill', ['-KILL', '-P', String(server.pid)]).catch(() => {})
		server.kill('SIGKILL')
		await ended
	}
	await start('jump')
	await start('target')
	return {
		config: at('config'),
		key: at('user'),
		askpass,
		kill,
		start,
		async [Symbol.asyncDispose]() {
			await kill('target')
			await kill('jump')
			if (before === undefined) delete process.env.TMPDIR
			else process.env.TMPDIR = before
			await rm(folder, { recursive: true, force: true })
		},
	}
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	server.close()
	await once(server, 'close')
	return typeof address === 'object' && address !== null ? address.port : 0
}

export async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1')
	try {
		await once(socket, 'connect')
		return true
	} catch {
		return false
	} finally {
		socket.destroy()
	}
}
