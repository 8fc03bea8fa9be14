import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { hasSshServer, passphrase, startSshServers } from '../../tests/support/ssh-servers.ts'
import type { HostMethod } from '../api/api.ts'
import type { HostClient } from '../api/client.ts'
import { WindowDesk } from '../api/consent-desk.ts'
import type { SshDesk, SshQuestion } from '../network/ssh/tunnels.ts'
import { Tunnels } from '../network/ssh/tunnels.ts'
import { atTerminal, TerminalDesk } from './terminal-desk.ts'

const { signal } = new AbortController()
const connection = { id: 'c', name: 'Shop', driverId: 'postgres' }
const question = (form: SshQuestion['form'], text: string): SshQuestion => ({
	kind: 'ssh',
	form,
	text,
	destination: 'bastion',
	connection,
})

/** A terminal, with what it shows. */
function terminal() {
	const input = new PassThrough()
	const output = new PassThrough()
	const shown = { text: '' }
	output.on('data', chunk => {
		shown.text += String(chunk)
	})
	return { input, shown, desk: new TerminalDesk({ input, output }) }
}

test('a passphrase is asked for with the name of the host, and is not shown', async () => {
	const { input, shown, desk } = terminal()
	const answer = desk.ask(question('secret', "Enter passphrase for key '/home/me/id': "), signal)
	await expect.poll(() => shown.text).toContain('not shown')
	input.write('open sesame\n')
	expect(await answer).toEqual({ decision: 'approved', text: 'open sesame' })
	expect(shown.text).toContain("For Shop, ssh says of bastion:\n  Enter passphrase for key '/home/me/id'")
	expect(shown.text).not.toMatch(/sesame|not accepted/)
	const again = desk.ask({ ...question('secret', 'Password: '), isAgain: true }, signal)
	await expect.poll(() => shown.text).toContain('The last answer was not accepted.')
	input.write('other\n')
	await again
})

test('a host key is accepted by a yes alone, and questions are asked one after the other', async () => {
	const { input, shown, desk } = terminal()
	const answers = [
		desk.ask(question('confirm', 'ED25519 key fingerprint is SHA256:abc.\nAre you sure (yes/no)?'), signal),
		desk.ask(question('confirm', 'Other?'), signal),
	]
	await expect.poll(() => shown.text).toContain('SHA256:abc')
	expect(shown.text).not.toContain('Other')
	input.write('yes\n')
	await expect.poll(() => shown.text).toContain('Other?')
	input.write('\n')
	expect(await Promise.all(answers)).toEqual([{ decision: 'approved' }, { decision: 'refused' }])
})

test('a notice waits for no answer, a withdrawn question ends, and words of ssh do not control the terminal', async () => {
	const { shown, desk } = terminal()
	await desk.ask(question('notice', 'Confirm user presence \u001b[2J'), signal)
	expect(shown.text).toContain('Confirm user presence \\u001b[2J')
	const withdrawn = new AbortController()
	const answer = desk.ask(question('secret', 'Code:'), withdrawn.signal)
	await expect.poll(() => shown.text).toContain('Code:')
	withdrawn.abort()
	expect(await answer).toEqual({ decision: 'refused' })
})

test('a command shows the questions of a running host about its connection alone, and no window is opened for them', async () => {
	let windows = 0
	const windowDesk = new WindowDesk(async () => ++windows < 0)
	const { input, shown, desk } = terminal()
	let leave = () => {}
	const calls: Partial<Record<HostMethod, (params: never) => unknown>> = {
		'consent.attend': ({ connection }: { connection: string }) => {
			leave = windowDesk.attend(connection)
			return new Promise(() => {})
		},
		'consent.pending': () => windowDesk.pending(),
		'consent.answer': ({ id, text }: { id: string; text?: string }) =>
			windowDesk.answer(id, { decision: 'approved', ...(text !== undefined && { text }) }),
	}
	const host = {
		onQuestions: windowDesk.onChange,
		call: async (method: HostMethod, params: object) => calls[method]?.(params as never),
		// The rest of a client is not used here.
	} as unknown as HostClient
	const outcome = await atTerminal({ host, connection: 'c', desk }, async () => {
		const other = await windowDesk.ask(
			{ ...question('secret', 'Elsewhere:'), connection: { ...connection, id: 'd' } },
			signal,
		)
		expect(other).toEqual({ decision: 'unattended' })
		const client = { kind: 'access', asker: { client: 'Assistant', token: 'mine' }, connection } as const
		expect(await windowDesk.ask(client, signal)).toEqual({ decision: 'unattended' })
		const before = windows
		const answer = windowDesk.ask(question('secret', 'Password:'), signal)
		await expect.poll(() => shown.text).toContain('Password:')
		input.write('hunter22\n')
		expect(windows).toBe(before)
		return answer
	})
	expect(outcome).toEqual({ decision: 'approved', text: 'hunter22' })
	expect(shown.text).not.toContain('Elsewhere')
	leave()
	expect(await windowDesk.ask(question('secret', 'Password:'), signal)).toEqual({ decision: 'unattended' })
})

test.skipIf(!hasSshServer)(
	'ssh opens a tunnel with the answers of a terminal, and without one says what to do',
	async () => {
		await using servers = await startSshServers()
		const echo = createServer(socket => socket.pipe(socket)).listen(0, '127.0.0.1')
		await once(echo, 'listening')
		using _ = { [Symbol.dispose]: () => void echo.close() }
		const address = { host: '127.0.0.1', port: (echo.address() as AddressInfo).port }
		const dial = async (desk: SshDesk) => {
			await rm(join(dirname(servers.config), 'known_hosts'), { force: true })
			const tunnels = new Tunnels({ desk, extra: ['-F', servers.config], lingerMs: 0 })
			try {
				const socket = await tunnels.hold({ destination: 'jump' }, connection).dial(address, signal)
				socket.destroy()
				return 'opened'
			} catch (error) {
				return String(error)
			} finally {
				await tunnels.close()
			}
		}
		expect(await dial({ ask: async () => ({ decision: 'unattended' }) })).toMatch(
			/no window and no terminal of Roundhouse was there.*run the command in a terminal/,
		)
		const { input, shown, desk } = terminal()
		const dialed = dial(desk)
		await expect.poll(() => shown.text).toMatch(/fingerprint is SHA256:.*\n[\s\S]*Yes or no/)
		input.write('yes\n')
		await expect.poll(() => shown.text).toMatch(/passphrase for key/)
		input.write(`${passphrase}\n`)
		expect(await dialed).toBe('opened')
	},
)
