import { expect, test } from 'vitest'
import { form, startWithConsent, yes } from '../exploits/consent.ts'

/** What the driver says a statement would do (`assess`), before anybody is asked. */

test('the window and the client are told how much a statement touches, and what it destroys', async () => {
	await using the = await startWithConsent()
	const message = async (query: string, tool = 'execute_query') => {
		const params = { name: tool, arguments: { connection_id: the.connectionId, query } }
		const { result } = (await the.fixture.call('tools/call', params, { capabilities: form })).json
		return result.inputRequests.approve_statement.params.message
	}
	expect(await message('put four')).toContain('Runs put four. It affects 4 rows.')
	expect(await message('put 1')).toContain('It affects 1 row.')
	expect(await message('mystery four')).toContain('It affects at least 4 rows.')
	const destructive = await message('drop all', 'confirm_destructive_operation')
	expect(destructive).toContain('It destroys: every account at [address].')

	const dialog = the.execute('put four', {}, {})
	await expect.poll(() => the.asked).toHaveLength(1)
	expect(the.asked[0]?.question).toEqual({
		kind: 'statement',
		asker: { client: 'Unknown client', token: 'full' },
		connection: { id: the.connectionId, name: 'Books', driverId: 'ledger' },
		statement: 'put four',
		shown: 'put four',
		summary: 'Runs put four',
		access: 'write',
		grantTarget: 'put entries',
		affects: { value: 4, isExact: true },
	})
	the.asked[0]?.answer({ decision: 'refused' })
	await dialog
})

test('a change of rows touches as many as it names', async () => {
	await using the = await startWithConsent()
	const rows = [{ row_id: 'ada' }, { row_id: 'bob' }]
	const args = { connection_id: the.connectionId, table: 'accounts', rows }
	const params = { name: 'delete_rows', arguments: args }
	const { result } = (await the.fixture.call('tools/call', params, { capabilities: form })).json
	expect(result.inputRequests.approve_statement.params.message).toContain('It affects 2 rows.')
})

test.each(['put unassessable', 'put silent'])('%s is asked about without an estimate', async query => {
	await using the = await startWithConsent()
	const { result } = (await the.execute(query)).json
	expect(result.inputRequests.approve_statement.params.message).not.toContain('touches')
})

test('an estimate that takes longer than five seconds is left out, and stopped in the driver', async () => {
	await using the = await startWithConsent()
	const pending = the.fixture.clock.pending
	const answer = the.execute('put endless')
	// The deadline of the call, and the limit of the estimate.
	await expect.poll(() => the.fixture.clock.pending).toBe(pending + 2)
	the.fixture.clock.advance(5000)
	expect((await answer).json.result.inputRequests.approve_statement.params.message).not.toContain('touches')
	const { result } = (await the.fixture.callTool('ledger_wait', { finish: true })).json
	await expect.poll(() => JSON.parse(result.content[0].text).waiting).toBe(0)
})

test('a call that is cancelled while the estimate is made asks nobody', async () => {
	await using the = await startWithConsent()
	const pending = the.fixture.clock.pending
	const answer = the.execute('put endless', {}, { id: 'e' })
	await expect.poll(() => the.fixture.clock.pending).toBe(pending + 2)
	await the.fixture.notify('notifications/cancelled', { requestId: 'e' })
	expect((await answer).json.error.code).toBe(-33002)
	expect(the.asked).toEqual([])
})

test('nothing is estimated once somebody has agreed', async () => {
	await using the = await startWithConsent()
	const requestState = await the.stateOf('put four')
	const { json } = await the.execute('put four', { requestState, inputResponses: yes })
	expect(json.result.resultType).toBe('complete')
})
