import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { logInWithin } from './log-in.ts'

const login = { address: { host: 'db.test', port: 1 }, connectTimeoutMs: 50 }
const { signal } = new AbortController()

test('the time on the way to a server, in which a person may be asked, is not that of its login', async () => {
	const socket = new Socket()
	const connect = async () => {
		// Longer than the time of a login: this is what is tested.
		await sleep(3 * login.connectTimeoutMs)
		return socket
	}
	const loggedIn = logInWithin(login, { ...directContext(), connect }, signal, async () => 'logged in')
	expect(await loggedIn).toBe('logged in')
	expect(socket.destroyed).toBe(false)
	socket.destroy()
})

test('a server that does not answer the login is given up, and its socket is closed', async () => {
	const socket = new Socket()
	const context = { ...directContext(), connect: async () => socket }
	const logIn = async (_: Socket, within: AbortSignal) => {
		await new Promise(resolve => within.addEventListener('abort', resolve))
		throw new Error('closed')
	}
	await expect(logInWithin(login, context, signal, logIn)).rejects.toMatchObject({
		code: 'timeout',
		message: 'db.test:1 did not answer the login in time.',
	})
	expect(socket.destroyed).toBe(true)
})
