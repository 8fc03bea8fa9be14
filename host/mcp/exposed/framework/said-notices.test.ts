import { expect, test } from 'vitest'
import { ManualClock } from '../../../../tests/mcp/manual-clock.ts'
import type { Caller } from '../../protocol/caller.ts'
import { SaidNotices } from './said-notices.ts'

const caller = (key: string): Caller => ({
	key,
	tokenId: key,
	grantee: key,
	name: key,
	scopes: new Set(),
	groups: undefined,
	connections: undefined,
	expiresAt: undefined,
})
const long = 'Two of the five parts of this table did not answer, so rows of them are missing. Ask again later.'
const reference = 'Two of the five parts of this table did … (in full in an answer before)'
const answer = { rows: [], notices: [long, 'The count is an estimate.'] }

function start() {
	const clock = new ManualClock()
	const said = new SaidNotices(clock)
	const noticesFor = (key: string, connection = 'c') => said.shortened(answer, caller(key), connection).notices
	return { clock, said, noticesFor }
}

test('a long notice is said once to a caller on a connection, and is then referred to', () => {
	const { said, noticesFor } = start()
	expect(noticesFor('a')).toEqual(answer.notices)
	expect(noticesFor('a')).toEqual([reference, 'The count is an estimate.'])
	expect(said.shortened({ count: 1, notice: long }, caller('a'), 'c')).toEqual({ count: 1, notice: reference })
	expect(noticesFor('b')).toEqual(answer.notices)
	expect(noticesFor('a', 'other')).toEqual(answer.notices)
})

test('after an hour it is said again', () => {
	const { clock, noticesFor } = start()
	noticesFor('a')
	clock.advance(3_599_999)
	expect(noticesFor('a')).toEqual([reference, 'The count is an estimate.'])
	clock.advance(1)
	expect(noticesFor('a')).toEqual(answer.notices)
})

test('two thousand notices are remembered', () => {
	const { noticesFor } = start()
	for (let count = 0; count < 2_000; count++) noticesFor(`caller ${count}`)
	expect(noticesFor('caller 0')).toEqual([reference, 'The count is an estimate.'])
	noticesFor('one more')
	expect(noticesFor('caller 0')).toEqual(answer.notices)
})
