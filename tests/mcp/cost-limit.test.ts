import { expect, test } from 'vitest'
import { startEndpoint } from './endpoint.ts'

/**
 * The table size above which expensive requests are refused. Drivers get it with each call of an AI client, and with no
 * other call.
 */

const limitOf = async (costLimitRows?: number) => {
	await using fixture = await startEndpoint(costLimitRows === undefined ? {} : { settings: { costLimitRows } })
	const { id } = await fixture.addConnection()
	const { result } = (await fixture.callTool('query', { query: 'limit' })).json
	const [statement] = await (await fixture.sessions.open(id)).call('analyse', { text: 'limit' })
	if (!statement) throw new Error('no statement')
	const session = await fixture.sessions.open(id)
	const params = { statement: { ...statement, text: 'limit' }, maxRows: 1 }
	const person = await session.call('runConsole', params).catch(error => error.message)
	return [result.content[0].text, person]
}

test('the default limit for a client is a million rows, and the user has no limit', async () => {
	expect(await limitOf()).toEqual(['query_failed: Ledger says: «limit 1000000»', 'limit none'])
	expect(await limitOf(5)).toEqual(['query_failed: Ledger says: «limit 5»', 'limit none'])
	expect(await limitOf(0)).toEqual([`query_failed: Ledger says: «limit ${Number.MAX_SAFE_INTEGER}»`, 'limit none'])
})
