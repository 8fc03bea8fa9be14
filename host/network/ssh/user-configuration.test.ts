import { once } from 'node:events'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
	freePort,
	hasSshServer,
	isListening,
	passphrase,
	type SshServers,
	startSshServers,
} from '../../../tests/support/ssh-servers.ts'
import { isSince, sshVersion } from './command.ts'
import { type SshDesk, type SshQuestion, Tunnels } from './tunnels.ts'

/** What the user wrote into `~/.ssh/config` for a terminal does not break a tunnel, which has none. */

const connection = { id: 'c', name: 'Shop', driverId: 'postgres' }
const { signal } = new AbortController()
const version = hasSshServer ? await sshVersion() : ''

interface Case {
	readonly lines: readonly string[]
	/** Whether a host on the way has them too. */
	readonly isOnTheWay?: boolean
	/** The first release that knows them. */
	readonly since?: readonly [number, number]
}

const cases: readonly Case[] = [
	{ lines: ['ControlMaster auto', 'ControlPath FOLDER/%C', 'ControlPersist 1'], isOnTheWay: true },
	{ lines: ['ControlMaster autoask', 'ControlPath none'] },
	{ lines: ['RemoteCommand sleep 60', 'RequestTTY force'], isOnTheWay: true },
	{ lines: ['RequestTTY force', 'EscapeChar ~'] },
	{ lines: ['SessionType subsystem'], since: [8, 7] },
	{ lines: ['ForkAfterAuthentication yes'], isOnTheWay: true, since: [8, 7] },
	{ lines: ['StdinNull yes'], since: [8, 7] },
	{ lines: ['PermitLocalCommand yes', 'LocalCommand touch FOLDER/owned'] },
	{ lines: ['Tunnel yes', 'ExitOnForwardFailure yes'] },
	{ lines: ['LocalForward 127.0.0.1:TAKEN 127.0.0.1:1', 'ExitOnForwardFailure yes'] },
	{ lines: ['LocalForward 127.0.0.1:FREE 127.0.0.1:1', 'GatewayPorts yes'] },
	{ lines: ['RemoteForward 127.0.0.1:TAKEN 127.0.0.1:1', 'ExitOnForwardFailure yes'] },
	{ lines: ['RemoteForward 127.0.0.1:FREE 127.0.0.1:1'] },
	{ lines: ['DynamicForward 127.0.0.1:TAKEN', 'ExitOnForwardFailure yes'] },
	{ lines: ['DynamicForward 127.0.0.1:FREE'] },
	{ lines: ['LogLevel QUIET'], isOnTheWay: true },
	{ lines: ['LogLevel DEBUG3'] },
	{ lines: ['LogVerbose *:*:*'], isOnTheWay: true, since: [8, 5] },
	{ lines: ['StreamLocalBindMask 0000', 'StreamLocalBindUnlink yes'] },
	{ lines: ['ForwardAgent yes', 'ForwardX11 yes', 'ServerAliveInterval 0'] },
	{ lines: ['VisualHostKey yes', 'StrictHostKeyChecking no'] },
	{ lines: ['IgnoreUnknown NewOption', 'NewOption yes'] },
]

const ways = ['sockets', 'pipes'] as const

describe.skipIf(!hasSshServer).each(ways)('by %s', forwards => {
	let servers: SshServers
	let usual: string
	let asked: SshQuestion[]
	const desk: SshDesk = {
		async ask(question) {
			asked.push(question)
			return { decision: 'approved', text: passphrase }
		},
	}
	const echo = createServer(socket => socket.pipe(socket).on('error', () => {}))
	let address: { readonly host: string; readonly port: number }
	beforeAll(async () => {
		servers = await startSshServers()
		usual = await readFile(servers.config, 'utf8')
		echo.listen(0, '127.0.0.1')
		await once(echo, 'listening')
		address = { host: '127.0.0.1', port: (echo.address() as AddressInfo).port }
	})
	afterAll(async () => {
		echo.close()
		await servers?.[Symbol.asyncDispose]()
	})

	async function opened(lines: readonly string[]) {
		asked = []
		await writeFile(servers.config, ['Host *', ...lines, usual].join('\n'))
		return new Tunnels({ forwards, desk, extra: ['-F', servers.config], lingerMs: 0 })
	}

	test.each(cases.filter(({ since }) => !since || isSince(version, since)))('$lines', async ({ lines, isOnTheWay }) => {
		const [folder, free] = [dirname(servers.config), await freePort()]
		const places = { FOLDER: folder, FREE: String(free), TAKEN: String(address.port) }
		const own = lines.map(line =>
			Object.entries(places).reduce((text, [name, value]) => text.replace(name, value), line),
		)
		const tunnels = await opened(own)
		try {
			const held = tunnels.hold({ destination: isOnTheWay ? 'target' : 'jump' }, connection)
			const socket = await held.dial(address, signal)
			// The escape of a terminal is data here.
			socket.resume().write('\n~.\n~?hello')
			expect(String((await once(socket, 'data'))[0])).toBe('\n~.\n~?hello')
			expect(await isListening(free)).toBe(false)
			await expect(access(join(folder, 'owned'))).rejects.toThrow('ENOENT')
		} finally {
			await tunnels.close()
		}
	})

	test('a user who wants no question is asked none, and reads why there is no tunnel', async () => {
		const tunnels = await opened(['BatchMode yes'])
		await expect(tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)).rejects.toThrow()
		expect(asked).toMatchObject([{ form: 'fault', text: expect.stringMatching(/Permission denied/) }])
		await tunnels.close()
	})

	test('an unknown host key is refused where the user wants that', async () => {
		await rm(join(dirname(servers.config), 'known_hosts'), { force: true })
		const tunnels = await opened(['StrictHostKeyChecking yes'])
		await expect(tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)).rejects.toThrow()
		expect(asked).toMatchObject([{ form: 'fault', text: expect.stringMatching(/Host key verification failed/) }])
		await tunnels.close()
	})
})
