import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
	freePort,
	hasSshServer,
	isListening,
	passphrase,
	type SshServers,
	startSshServers,
} from '../../../tests/support/ssh-servers.ts'
import { Askpass } from './askpass.ts'
import { PipedAskpass } from './piped-askpass.ts'
import type { SshStep } from './steps.ts'
import type { SshDesk, SshQuestion } from './tunnels.ts'
import { Tunnels } from './tunnels.ts'

/** Tunnels through real servers: two hops, a key with a passphrase, unknown host keys, and what goes wrong. */

const run = promisify(execFile)
const connection = { id: 'c', name: 'Shop', driverId: 'postgres' }

/** Answers the questions of ssh, and notes them. */
class Person implements SshDesk {
	readonly asked: SshQuestion[] = []
	secret: string | undefined = passphrase
	isYes = true
	remembers = false
	thinksMs = 0

	async ask(question: SshQuestion) {
		this.asked.push(question)
		// The time of a person, which is what is tested, at the first question.
		if (this.asked.length === 1) await sleep(this.thinksMs)
		if (question.form === 'confirm') return { decision: this.isYes ? 'approved' : 'refused' } as const
		if (this.secret === undefined) return { decision: 'refused' } as const
		return { decision: 'approved', text: this.secret, remembers: this.remembers } as const
	}

	get forms(): readonly string[] {
		return this.asked.map(({ form }) => form)
	}
}

const folders = async () => (await readdir(tmpdir())).filter(name => name.startsWith('rh-ssh-'))
const { signal } = new AbortController()

async function says(socket: Socket, text: string): Promise<string> {
	socket.resume().write(text)
	const [answer] = await once(socket, 'data')
	return String(answer)
}

const ways = ['sockets', 'pipes'] as const

describe.skipIf(!hasSshServer).each(ways)('tunnels by %s', forwards => {
	let servers: SshServers
	const echo = createServer(socket => socket.pipe(socket).on('error', () => {}))
	let address: { readonly host: string; readonly port: number }
	let person: Person
	const opened = () => new Tunnels({ forwards, desk: person, extra: ['-F', servers.config], lingerMs: 0 })
	const forget = () => rm(join(dirname(servers.config), 'known_hosts'), { force: true })

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
	beforeEach(() => {
		person = new Person()
	})

	test('two hops ask for two host keys and two passphrases, once, and connections share one ssh', async () => {
		await forget()
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'target' }, connection)
		const [first, second] = await Promise.all([held.dial(address, signal), held.dial(address, signal)])
		expect(await says(first, 'hello')).toBe('hello')
		expect(await says(second, 'again')).toBe('again')
		// The passphrase of the key is the same for both hosts, so it is asked for once.
		expect(person.forms.toSorted()).toEqual(['confirm', 'confirm', 'secret'])
		expect(person.asked.find(({ form }) => form === 'confirm')?.text).toMatch(/ED25519 key fingerprint is SHA256:/)
		const others = Array.from({ length: 20 }, (_, at) =>
			tunnels.hold({ destination: 'target' }, { ...connection, id: `other-${at}` }),
		)
		const sockets = await Promise.all(others.map(other => other.dial(address, signal)))
		for (const [at, socket] of sockets.entries()) expect(await says(socket, `s${at}`)).toBe(`s${at}`)
		expect(tunnels.open).toEqual(['target'])
		held.release()
		expect(await says(second, 'still')).toBe('still')
		for (const other of others) other.release()
		await once(second, 'close')
		expect(tunnels.open).toEqual([])
		await expect.poll(folders).toEqual([])
	})

	test("the user's own forwards are not opened, and do not stop the tunnel if their port is taken", async () => {
		const usual = await readFile(servers.config, 'utf8')
		const taken = createServer().listen(0, '127.0.0.1')
		await once(taken, 'listening')
		const [free, { port }] = [await freePort(), taken.address() as AddressInfo]
		const own = [port, free].map(number => `  LocalForward 127.0.0.1:${number} 127.0.0.1:1`).join('\n')
		await writeFile(servers.config, `${usual}\nHost *\n${own}\n`)
		const tunnels = opened()
		try {
			const held = tunnels.hold({ destination: 'target' }, connection)
			expect(await says(await held.dial(address, signal), 'hello')).toBe('hello')
			expect(await isListening(free)).toBe(false)
		} finally {
			await tunnels.close()
			taken.close()
			await writeFile(servers.config, usual)
		}
	})

	test('a lost tunnel closes its sockets, and is opened again without a question', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'target' }, connection)
		const socket = await held.dial(address, signal)
		const closed = once(socket.resume(), 'close')
		const asked = person.asked.length
		await servers.kill('target')
		await closed
		await servers.start('target')
		expect(await says(await held.dial(address, signal), 'back')).toBe('back')
		expect(person.asked.length).toBe(asked)
		await tunnels.close()
		await expect.poll(folders).toEqual([])
	})

	test('a tunnel that could not be opened again asks for nothing that it knows, once its server is back', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'target' }, connection)
		const closed = once((await held.dial(address, signal)).resume(), 'close')
		await servers.kill('target')
		await closed
		await expect(held.dial(address, signal)).rejects.toMatchObject({ code: 'network/ssh_failed' })
		expect(person.forms.at(-1)).toBe('fault')
		const asked = person.asked.length
		await servers.start('target')
		expect(await says(await held.dial(address, signal), 'back')).toBe('back')
		expect(person.asked.length).toBe(asked)
		await tunnels.close()
	})

	test('a person may think for longer than a server may be silent', async () => {
		await forget()
		// Room for the start of ssh on a busy machine.
		const silentMs = 4_000
		person.thinksMs = silentMs + 500
		const tunnels = new Tunnels({ forwards, desk: person, extra: ['-F', servers.config], lingerMs: 0, silentMs })
		const held = tunnels.hold({ destination: 'target' }, connection)
		expect(await says(await held.dial(address, signal), 'hello')).toBe('hello')
		await tunnels.close()
	})

	test('a server that says nothing is given up, and the person reads at which step', async () => {
		const silent = createServer(() => {}).listen(0, '127.0.0.1')
		await once(silent, 'listening')
		const { port } = silent.address() as AddressInfo
		const tunnels = new Tunnels({ forwards, desk: person, extra: ['-F', servers.config], silentMs: 3_000 })
		const held = tunnels.hold({ destination: `127.0.0.1:${port}` }, connection)
		await expect(held.dial(address, signal)).rejects.toMatchObject({ code: 'network/ssh_failed' })
		// With room for the start of `ssh` beside other tests, which is no silence of the server.
		expect(person.asked.at(-1)?.text).toMatch(/could not connect: no answer within 3 s/)
		await tunnels.close()
		silent.close()
	})

	test.each<[string, string | undefined, RegExp]>([
		['a wrong passphrase', 'no', /Permission denied/],
		['no passphrase', undefined, /Permission denied/],
	])('%s fails with the words of ssh for the person alone', async (_, secret, words) => {
		person.secret = secret
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'target' }, connection)
		await expect(held.dial(address, signal)).rejects.toThrow(/^The SSH tunnel to target could not be used/)
		await expect.poll(() => person.forms.at(-1)).toBe('fault')
		expect(person.asked.at(-1)?.text).toMatch(words)
		// A question that comes again says that the answer was wrong, and no other one does.
		const secrets = person.asked.filter(({ form }) => form === 'secret')
		expect(secrets.map(({ isAgain = false }) => isAgain)).toEqual(
			secrets.map((_, at) => at > 0 && secret !== undefined),
		)
		// It works as soon as the person knows it.
		person.secret = passphrase
		expect(await says(await held.dial(address, signal), 'now')).toBe('now')
		await tunnels.close()
	})

	test('a test of a connection hears each step of both hops, and a later one hears them again', async () => {
		await forget()
		const tunnels = opened()
		const kinds = async () => {
			const heard: SshStep[] = []
			const trial = { onStep: (step: SshStep) => heard.push(step), onFault() {} }
			const held = tunnels.hold({ destination: 'target' }, connection, trial)
			await held.dial(address, signal)
			// A driver may need several sockets.
			await held.dial(address, signal)
			expect(heard.at(-1)?.text).toBe(`Reached 127.0.0.1:${address.port} from there`)
			return heard.map(({ kind }) => kind)
		}
		const hop = ['connected', 'known', 'signedIn']
		expect(await kinds()).toEqual(['found', ...hop, ...hop, 'forwarded'])
		expect(await kinds()).toEqual(['found', ...hop, ...hop, 'forwarded'])
		await tunnels.close()
	})

	test.each<[string, (person: Person) => void, RegExp]>([
		['a host key', person => Object.assign(person, { isYes: false }), /could not verify the host key: .*failed/],
		['a passphrase', person => Object.assign(person, { secret: 'no' }), /could not sign in: .*Permission denied/],
	])('a test of a connection takes the step that %s stopped, and no sheet shows it', async (_, make, words) => {
		await forget()
		make(person)
		const tunnels = opened()
		const faults: string[] = []
		const trial = { onStep() {}, onFault: ({ message }: Error) => faults.push(message) }
		const dialed = tunnels.hold({ destination: 'target' }, connection, trial).dial(address, signal)
		await expect(dialed).rejects.toThrow(/^The SSH tunnel to target could not be used/)
		expect(faults).toEqual([expect.stringMatching(words)])
		expect(person.forms).not.toContain('fault')
		await tunnels.close()
	})

	test('a passphrase is stored only if the user says so, opens the next tunnel, and is removed when it is refused', async () => {
		const kept = new Map<string, string>()
		const passphrases = {
			passphrase: async (id: string, question: string) => kept.get(`${id} ${question}`),
			rememberPassphrase: async (id: string, question: string, text: string) =>
				void kept.set(`${id} ${question}`, text),
			forgetPassphrases: async (id: string, question: string) => void kept.delete(`${id} ${question}`),
		}
		/** A host that has just started. */
		const dial = async (of = connection) => {
			const tunnels = new Tunnels({ forwards, desk: person, passphrases, extra: ['-F', servers.config], lingerMs: 0 })
			await tunnels.hold({ destination: 'jump' }, of).dial(address, signal)
			await tunnels.close()
		}
		await dial()
		expect(kept.size).toBe(0)
		person.remembers = true
		await dial({ ...connection, id: '' })
		expect(person.asked.at(-1)).not.toHaveProperty('canRemember')
		expect(kept.size).toBe(0)
		await dial()
		expect(person.asked.at(-1)).toMatchObject({ form: 'secret', canRemember: true })
		await expect.poll(() => [...kept.values()]).toEqual([passphrase])
		const [key = ''] = kept.keys()
		expect(key).toMatch(/^c Enter passphrase for key '/)
		const asked = person.asked.length
		await dial()
		expect(person.asked.length).toBe(asked)
		// The key has another passphrase now.
		kept.set(key, 'old one')
		person.remembers = false
		await dial()
		expect(person.asked.length).toBe(asked + 1)
		expect(kept.size).toBe(0)
	})

	test('an unknown host key that the person refuses is not stored', async () => {
		await forget()
		person.isYes = false
		const tunnels = opened()
		const dialed = tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		await expect(dialed).rejects.toThrow(/could not be used/)
		expect(person.asked.at(-1)?.text).toMatch(/Host key verification failed/)
		person.isYes = true
		person.asked.length = 0
		await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		expect(person.forms).toContain('confirm')
		await tunnels.close()
	})

	test('a changed host key is refused, and the person is not asked for it', async () => {
		await forget()
		const [, port] = /Port (\d+)/.exec(await readFile(servers.config, 'utf8')) ?? []
		const [algorithm, key = ''] = (await readFile(`${servers.key}.pub`, 'utf8')).split(' ')
		const known = join(dirname(servers.config), 'known_hosts')
		await writeFile(known, `[127.0.0.1]:${port} ${algorithm} ${key}\n`)
		const tunnels = opened()
		const dialed = tunnels.hold({ destination: 'target' }, connection).dial(address, signal)
		await expect(dialed).rejects.toMatchObject({ code: 'network/ssh_failed' })
		await expect.poll(() => person.forms).toEqual(['fault'])
		expect(person.asked.at(-1)?.text).toMatch(/Host key verification failed/)
		expect(await readFile(known, 'utf8')).toContain(key)
		await forget()
		await tunnels.close()
	})

	test('of many sockets at once, the one that the far side refuses fails alone', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'jump' }, connection)
		const refused = { host: '127.0.0.1', port: 1 }
		const late = { host: '127.0.0.1', port: await freePort() }
		// Nothing listens at either of them yet, so the next socket to each proves whether it is reached.
		for (const one of [refused, late]) await expect(held.dial(one, signal)).rejects.toThrow()
		const server = createServer().listen(late.port, '127.0.0.1')
		await once(server, 'listening')
		const addresses = [...Array.from({ length: 19 }, () => late), refused]
		const dialed = await Promise.allSettled(addresses.map(one => held.dial(one, signal)))
		server.close()
		expect(dialed.map(({ status }) => status)).toEqual([...Array(19).fill('fulfilled'), 'rejected'])
		expect(person.asked.at(-1)?.text).toContain('127.0.0.1:1: connect failed')
		await tunnels.close()
	})

	/** PIDs of each `ssh` to the servers. */
	const running = async () => {
		const { stdout } = await run('ps', ['-eo', 'pid,args'])
		const lines = stdout.split('\n').filter(line => /^\s*\d+ ssh /.test(line) && line.includes(servers.config))
		return lines.map(line => Number.parseInt(line, 10))
	}

	async function stop(pids: readonly number[]): Promise<void> {
		for (const pid of pids) process.kill(pid, 'SIGSTOP')
		// One that has not stopped yet would end by the next signal.
		const states = async () => (await run('ps', ['-o', 'state=', '-p', pids.join()])).stdout.trim().split('\n')
		await expect.poll(states).toEqual(pids.map(() => 'T'))
	}

	test('an ssh that is stuck while it signs in is killed after a time', async () => {
		const asking = Promise.withResolvers<void>()
		const desk: SshDesk = {
			async ask(_, signal) {
				asking.resolve()
				await once(signal, 'abort')
				return { decision: 'refused' }
			},
		}
		const tunnels = new Tunnels({ forwards, desk, extra: ['-F', servers.config], lingerMs: 0, endingMs: 100 })
		const dialed = tunnels.hold({ destination: 'target' }, connection).dial(address, signal)
		await asking.promise
		await stop(await running())
		await Promise.all([tunnels.close(), expect(dialed).rejects.toThrow('The tunnel was closed.')])
		await expect.poll(running).toEqual([])
		await expect.poll(folders).toEqual([])
	})

	test('an ssh that is stuck is killed after a time', async () => {
		const extra = ['-F', servers.config]
		const tunnels = new Tunnels({ forwards, desk: person, extra, lingerMs: 0, endingMs: 100 })
		await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
		await stop(await running())
		await tunnels.close()
		expect(await running()).toEqual([])
		expect(await folders()).toEqual([])
	})

	test('a connection that releases its tunnel twice does not close that of the next one', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'jump' }, connection)
		await held.dial(address, signal)
		held.release()
		held.release()
		const next = tunnels.hold({ destination: 'jump' }, connection)
		expect(await says(await next.dial(address, signal), 'hello')).toBe('hello')
		await tunnels.close()
		await expect(next.dial(address, signal)).rejects.toThrow('The tunnel was closed.')
	})

	test('a sentence that cannot be shown stops nothing', async () => {
		const desk: SshDesk = {
			ask: async question => {
				if (question.form === 'fault') throw new Error('no window')
				return person.ask(question)
			},
		}
		const tunnels = new Tunnels({ forwards, desk, extra: ['-F', servers.config], lingerMs: 0 })
		const held = tunnels.hold({ destination: 'jump' }, connection)
		await expect(held.dial({ host: '127.0.0.1', port: 1 }, signal)).rejects.toThrow(/could not be used/)
		expect(await says(await held.dial(address, signal), 'fine')).toBe('fine')
		await tunnels.close()
	})

	test('no folder is left if nothing can ask', async () => {
		const program = forwards === 'pipes' ? PipedAskpass : Askpass
		const failing = vi.spyOn(program, 'open').mockRejectedValueOnce(new Error('no space'))
		onTestFinished(() => failing.mockRestore())
		const tunnels = opened()
		await expect(tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)).rejects.toThrow('no space')
		expect(await folders()).toEqual([])
		await tunnels.close()
	})

	test('an address that the far side does not reach says so, and the tunnel stays', async () => {
		const tunnels = opened()
		const held = tunnels.hold({ destination: 'jump' }, connection)
		await expect(held.dial({ host: '127.0.0.1', port: 1 }, signal)).rejects.toThrow(/could not be used/)
		expect(person.asked.at(-1)).toMatchObject({
			form: 'fault',
			text: expect.stringContaining('127.0.0.1:1: connect failed'),
		})
		expect(await says(await held.dial(address, signal), 'fine')).toBe('fine')
		await tunnels.close()
	})

	test('an opening that no caller waits for is withdrawn with its question', async () => {
		let [isAsked, isWithdrawn] = [false, false]
		const desk: SshDesk = {
			ask: (_, signal) => {
				isAsked = true
				return new Promise(resolve =>
					signal.addEventListener('abort', () => {
						isWithdrawn = true
						resolve({ decision: 'refused' })
					}),
				)
			},
		}
		const tunnels = new Tunnels({ forwards, desk, extra: ['-F', servers.config], lingerMs: 0 })
		const held = tunnels.hold({ destination: 'jump' }, connection)
		const caller = new AbortController()
		const dialed = held.dial(address, caller.signal)
		await expect.poll(() => isAsked).toBe(true)
		caller.abort(new Error('given up'))
		await expect(dialed).rejects.toThrow('given up')
		held.release()
		await expect.poll(() => isWithdrawn).toBe(true)
		await expect.poll(folders).toEqual([])
	})

	// By pipes, the input of each ssh ends with the host.
	if (forwards === 'sockets') {
		test('an ssh that is stuck ends with a host that is killed', async () => {
			const script = `import { execFileSync } from 'node:child_process'
				import { Tunnels } from ${JSON.stringify(join(import.meta.dirname, 'tunnels.ts'))}
				const desk = { ask: async () => ({ decision: 'approved', text: process.env.PASSPHRASE }) }
				const tunnels = new Tunnels({ desk, endingMs: 100, extra: ['-F', ${JSON.stringify(servers.config)}] })
				await tunnels.hold({ destination: 'jump' }, ${JSON.stringify(connection)}).dial(${JSON.stringify(address)}, new AbortController().signal)
				execFileSync('pkill', ['-STOP', '-f', ${JSON.stringify(`^ssh .*${servers.config}`)}])
				process.kill(process.pid, 'SIGKILL')`
			const env = { ...process.env, PASSPHRASE: passphrase }
			await expect(run(process.execPath, ['--input-type=module', '-e', script], { env })).rejects.toMatchObject({
				signal: 'SIGKILL',
			})
			await expect.poll(running).toEqual([])
			await Tunnels.sweep()
		})
	}

	test('ssh ends with a host that is killed, and the next host removes its folder', async () => {
		const script = `import { Tunnels } from ${JSON.stringify(join(import.meta.dirname, 'tunnels.ts'))}
			const desk = { ask: async ({ form }) => ({ decision: 'approved', text: process.env.PASSPHRASE }) }
			const tunnels = new Tunnels({ desk, forwards: ${JSON.stringify(forwards)}, extra: ['-F', ${JSON.stringify(servers.config)}] })
			await tunnels.hold({ destination: 'jump' }, ${JSON.stringify(connection)}).dial(${JSON.stringify(address)}, new AbortController().signal)
			process.kill(process.pid, 'SIGKILL')`
		// Tests beside it look for secrets in arguments.
		const env = { ...process.env, PASSPHRASE: passphrase }
		await expect(run(process.execPath, ['--input-type=module', '-e', script], { env })).rejects.toMatchObject({
			signal: 'SIGKILL',
		})
		const left = await folders()
		expect(left).toHaveLength(1)
		const isLeft = async () => (await run('ps', ['-eo', 'args'])).stdout.includes(left[0] ?? '')
		await expect.poll(isLeft).toBe(false)
		await Tunnels.sweep()
		expect(await folders()).toEqual([])
	})
})
