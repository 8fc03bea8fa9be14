import { afterAll, beforeAll, expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'
import { TestRegistry } from '../support/test-registry.ts'

/** Statements of a user with values apart from their text, and sessions of consoles, with a relational driver. */

let registry: TestRegistry
let roundhouse: Roundhouse
let connection: string

beforeAll(async () => {
	registry = await TestRegistry.make()
	await registry.addOwn('shop')
	roundhouse = await Roundhouse.make()
	const { url, fingerprint } = registry.source
	await roundhouse.serve(['--registry', url, '--registry-key', fingerprint])
	const draft = { driverId: 'shop', name: 'Careful', settings: {}, safeMode: 'ask' } as const
	connection = (await roundhouse.withHost(host => host.call('connections.add', draft))).id
	await roundhouse.withHost(host => host.call('connections.open', { id: connection }))
})
afterAll(async () => {
	await roundhouse?.[Symbol.asyncDispose]()
	await registry?.[Symbol.asyncDispose]()
})

const verdict = { start: 0, end: 10, summary: '', access: 'read' } as const

test('a review shows the text with its values, and holds for these values alone', async () => {
	await roundhouse.withHost(async host => {
		const statementWith = (id: string) => ({ text: 'pay {{id}}', parameters: { id } })
		const { statements, review } = await host.call('console.review', { connection, statements: [statementWith('1')] })
		expect(statements).toEqual([{ text: 'pay {{id}}\nid = "1"', access: 'write' }])
		const send = (id: string) =>
			host.call('console.run', { connection, statement: { ...statementWith(id), ...verdict }, maxRows: 1, review })
		await expect(send('2')).rejects.toThrow('was not reviewed')
		await send('1')
	})
})

test('a statement that writes is not explained', async () => {
	const explained = roundhouse.withHost(host => host.call('console.explain', { connection, statement: 'pay 2' }))
	await expect(explained).rejects.toThrow('Only statements that read can be explained')
})
