import { decode } from '@roundhouse/kit/encoded'
import { expect, onTestFinished, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { nowhere } from '../../tests/support/network-access.ts'
import { ConsoleSessions } from './console-sessions.ts'

/** Sessions of consoles in a real driver process. The connection stays open while the engine ends a session. */

const top = `
	const ran = []
	const done = text => ({ status: 'OK', tookMs: 1, notices: [], body: { view: 'text', text } })
`
const members = `
	openSession: async () => {
		let transaction
		return {
			run: async ({ text }) => {
				ran.push(text)
				if (text === 'cut') throw Object.assign(new Error('The engine ended it.'), { name: 'DriverError', code: 'not_connected' })
				if (text === 'begin') transaction = 'open'
				return done(ran.join(', '))
			},
			transaction: () => {
				const now = transaction
				if (ran.at(-1) === 'time passes') transaction = undefined
				return now
			},
			isOpen: () => ran.at(-1) !== 'close',
			close: async () => {},
		}
	},
`

async function setUp() {
	const driver = await driverFromSource('return []', { top, members })
	onTestFinished(() => driver[Symbol.asyncDispose]())
	const reach = driver.network.addDialer(nowhere)
	const { connection } = await driver.call('connect', { settings: {}, isReadOnly: false, reach })
	const transaction = () => driver.call('sessionTransaction', { connection, session: 1 })
	const run = async (text: string, options: { readonly inTransaction?: true; readonly session?: number } = {}) => {
		const statement = { text, start: 0, end: text.length, access: 'write', summary: text } as const
		const params = { connection, statement, maxRows: 10, showsRefusals: true, session: 1, ...options }
		return decode(await driver.call('runConsole', params))
	}
	return Object.assign(run, { transaction })
}

const refusal = { fault: { message: expect.stringContaining('The transaction was lost') } }

test.each(['cut', 'time passes'])('no statement of a lost transaction runs outside of it: %s', async how => {
	const run = await setUp()
	expect(await run('begin')).toMatchObject({ transaction: 'open' })
	await run(how, { inTransaction: true }).catch(() => {})
	const refused = await run('delete', { inTransaction: true })
	expect(refused).toMatchObject(refusal)
	// The window shows no transaction any more, so the next statement is meant to stand alone.
	expect(refused).not.toHaveProperty('transaction')
	expect(await run('delete again')).toMatchObject({ body: { text: `begin, ${how}, delete again` } })
})

test('the state of a transaction is known without a statement', async () => {
	const run = await setUp()
	expect(await run.transaction()).toBeNull()
	await run('begin')
	expect(await run.transaction()).toBe('open')
	// The server ends it while it waits.
	await run('close')
	expect(await run.transaction()).toBeNull()
})

test('a transaction of one session does not count for another', async () => {
	const run = await setUp()
	await run('begin')
	expect(await run('delete', { inTransaction: true, session: 2 })).toMatchObject(refusal)
	expect(await run('delete', { inTransaction: true })).toMatchObject({ transaction: 'open' })
})

test('what runs in a console waits for what was asked before it there, and is dropped if the console is closed', async () => {
	const consoles = new ConsoleSessions()
	const log: string[] = []
	const first = Promise.withResolvers<void>()
	const says = (text: string) => async () => void log.push(text)
	const all = [
		consoles.inTurn('c', 1, () => first.promise.then(says('insert'))),
		consoles.inTurn('c', 1, says('commit')),
		consoles.inTurn('c', 2, says('other')),
	]
	await all[2]
	expect(log).toEqual(['other'])
	first.resolve()
	await Promise.all(all)
	expect(log).toEqual(['other', 'insert', 'commit'])
	const [begun, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
	const running = consoles.inTurn('c', 1, async () => {
		begun.resolve()
		await second.promise
	})
	await begun.promise
	const waiting = consoles.inTurn('c', 1, says('too late'))
	await consoles.close('c', 1)
	second.resolve()
	await running
	await expect(waiting).rejects.toThrow('The console was closed')
	await consoles.inTurn('c', 1, says('again'))
	expect(log).toEqual(['other', 'insert', 'commit', 'again'])
})
