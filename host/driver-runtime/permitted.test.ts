import { expect, test } from 'vitest'
import { driverFromSource, listTables, tell } from '../../tests/support/driver-from-source.ts'
import { nowhere } from '../../tests/support/network-access.ts'

/** The host sends the permitted access with each call, so a classifier that lies does not change what is permitted. */

const members = `
	console: {
		analyse: () => [],
		run: async () => new TextEncoder().encode(JSON.stringify(await later(context.permitted))),
	},
	applyChanges: async () => [{ status: 'failed', message: await later(context.permitted) }],
`
const top = `const later = async what => { await new Promise(resolve => setTimeout(resolve, 20)); return what() }`

test('a call keeps its permitted access over asynchronous work and while other calls run', async () => {
	await using driver = await driverFromSource(tell('await later(context.permitted)'), { top, members })
	const { connection } = await driver.call('connect', {
		settings: {},
		isReadOnly: false,
		reach: driver.network.addDialer(nowhere),
	})
	const run = async (access: 'read' | 'write' | 'destructive') => {
		const statement = { text: 'x', start: 0, end: 1, access, summary: '' }
		return JSON.parse(new TextDecoder().decode(await driver.call('runConsole', { connection, statement, maxRows: 1 })))
	}
	const answers = await Promise.all([
		run('read'),
		run('destructive'),
		run('write'),
		driver.call('applyChanges', { connection, table: 't', changes: [] }),
		driver.call('listTables', { connection }),
	])
	expect(answers).toEqual([
		'read',
		'destructive',
		'write',
		[{ status: 'failed', message: 'destructive' }],
		[{ name: 'read' }],
	])
})

test('code that runs outside of a call is permitted to read only', async () => {
	await using driver = await driverFromSource(tell('await seen'), {
		top: 'let take; const seen = new Promise(resolve => { take = resolve })',
		members: 'late: setTimeout(() => take(context.permitted()), 5),',
	})
	expect((await listTables(driver))[0]?.name).toBe('read')
})
