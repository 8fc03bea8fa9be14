import { expect, test } from 'vitest'
import { form, startWithConsent, yes } from '../exploits/consent.ts'

/** The driver's estimate of a statement (`assess`), before any question. */

test('the window and the client show how many rows a statement affects, and what it destroys', async () => {
	await using scenario = await startWithConsent()
	const message = async (query: string, tool = 'execute_query') => {
		const params = { name: tool, arguments: { connection_id: scenario.connectionId, query } }
		const { result } = (await scenario.fixture.call('tools/call', params, { capabilities: form })).json
		return result.inputRequests.approve_statement.params.message
	}
	expect(await message('put four')).toContain('Runs put four. It affects 4 rows.')
	expect(await message('put 1')).toContain('It affects 1 row.')
	expect(await message('mystery four')).toContain('It affects at least 4 rows.')
	expect(await message('guess four')).toContain('It affects about 4 rows.')
	const destructive = await message('drop all', 'confirm_destructive_operation')
	expect(destructive).toContain('It destroys: every account at [address].')

	const dialog = scenario.execute('put four', {}, {})
	await expect.poll(() => scenario.asked).toHaveLength(1)
	expect(scenario.asked[0]?.question).toEqual({
		kind: 'statement',
		asker: { client: 'Unknown client', token: 'full' },
		connection: { id: scenario.connectionId, name: 'Books', driverId: 'ledger' },
		statement: 'put four',
		recorded: 'put four',
		shown: 'put four',
		summary: 'Runs put four',
		access: 'write',
		grant: { target: 'put entries', scope: 'ledger', mostRows: 100 },
		affects: { value: 4, isExact: true },
	})
	scenario.asked[0]?.answer({ decision: 'refused' })
	await dialog
})

test('the question for a change of rows states the number of rows', async () => {
	await using scenario = await startWithConsent()
	const rows = [{ row_id: 'ada' }, { row_id: 'bob' }]
	const args = { connection_id: scenario.connectionId, table: 'accounts', rows }
	const params = { name: 'delete_rows', arguments: args }
	const { result } = (await scenario.fixture.call('tools/call', params, { capabilities: form })).json
	expect(result.inputRequests.approve_statement.params.message).toContain(
		'It destroys: 2 rows of accounts. It may not be possible to undo this. Run this on "Books"? Delete 2 rows of accounts. It affects 2 rows.',
	)
})

const unknown = 'What this destroys could not be determined.'

test('the question for a statement that the driver cannot assess states that, and one without an effect does not', async () => {
	await using scenario = await startWithConsent()
	const message = async (query: string) =>
		(await scenario.execute(query)).json.result.inputRequests.approve_statement.params.message
	expect(await message('put unassessable')).toContain(`${unknown} Run this on`)
	expect(await message('put silent')).not.toContain(unknown)
})

test('after five seconds an assessment is cancelled in the driver, and the question states that it is missing', async () => {
	await using scenario = await startWithConsent()
	const pending = scenario.fixture.clock.pending
	const answer = scenario.execute('put endless')
	// The deadline of the call, and the limit of the assessment.
	await expect.poll(() => scenario.fixture.clock.pending).toBe(pending + 2)
	scenario.fixture.clock.advance(5000)
	expect((await answer).json.result.inputRequests.approve_statement.params.message).toContain(unknown)
	const { result } = (await scenario.fixture.callTool('ledger_wait', { finish: true })).json
	await expect.poll(() => JSON.parse(result.content[0].text).waiting).toBe(0)
})

test('a call that is cancelled during the assessment asks no question', async () => {
	await using scenario = await startWithConsent()
	const pending = scenario.fixture.clock.pending
	const answer = scenario.execute('put endless', {}, { id: 'e' })
	await expect.poll(() => scenario.fixture.clock.pending).toBe(pending + 2)
	await scenario.fixture.notify('notifications/cancelled', { requestId: 'e' })
	expect((await answer).json.error.code).toBe(-33002)
	expect(scenario.asked).toEqual([])
})

test('a consent covers the effect that was shown; for a larger effect the host asks again, in the client or the window', async () => {
	await using scenario = await startWithConsent()
	const inputResponses = yes
	const requestState = await scenario.stateOf('put four')
	expect((await scenario.execute('put four', { requestState, inputResponses })).json.result.resultType).toBe('complete')

	const first = await scenario.stateOf('put growing')
	await scenario.execute('put more', { requestState: await scenario.stateOf('put more'), inputResponses })
	const again = (await scenario.execute('put growing', { requestState: first, inputResponses })).json.result
	expect(again.inputRequests.approve_statement.params.message).toContain('It affects 2 rows.')
	const answered = { requestState: again.requestState, inputResponses }
	expect((await scenario.execute('put growing', answered)).json.result.resultType).toBe('complete')

	const inWindow = scenario.execute('put growing', {}, {})
	await expect.poll(() => scenario.asked).toHaveLength(1)
	await scenario.execute('put more', { requestState: await scenario.stateOf('put more'), inputResponses })
	scenario.asked[0]?.answer({ decision: 'approved' })
	await expect.poll(() => scenario.asked).toHaveLength(2)
	expect(scenario.asked.map(({ question }) => 'affects' in question && question.affects?.value)).toEqual([3, 4])
	scenario.asked[1]?.answer({ decision: 'approved' })
	expect((await inWindow).json.error).toBeUndefined()
	expect(await scenario.ran()).toHaveLength(5)
})
