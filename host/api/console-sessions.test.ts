import { decode } from '@roundhouse/kit/encoded'
import { expect, onTestFinished, test } from 'vitest'
import { driverFromSource } from '../../tests/support/driver-from-source.ts'
import { nowhere } from '../../tests/support/reaches.ts'

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
			close: async () => {},
		}
	},
`

async function setUp() {
	const driver = await driverFromSource('return []', { top, members })
	onTestFinished(() => driver[Symbol.asyncDispose]())
	const reach = driver.openReach(nowhere)
	const { connection } = await driver.call('connect', { settings: {}, isReadOnly: false, reach })
	return async (text: string, options: { readonly inTransaction?: true; readonly session?: number } = {}) => {
		const statement = { text, start: 0, end: text.length, access: 'write', summary: text } as const
		const params = { connection, statement, maxRows: 10, showsRefusals: true, session: 1, ...options }
		return decode(await driver.call('runConsole', params))
	}
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

test('a transaction of one session does not count for another', async () => {
	const run = await setUp()
	await run('begin')
	expect(await run('delete', { inTransaction: true, session: 2 })).toMatchObject(refusal)
	expect(await run('delete', { inTransaction: true })).toMatchObject({ transaction: 'open' })
})
