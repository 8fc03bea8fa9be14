import { expect, test } from 'vitest'
import { groupSample } from './group-sample.ts'

const time = '2026-11-30T20:00:00Z'
const asked = { column: 'message', from: time, to: '2026-11-30T21:00:00Z', parts: 4, limit: 2 }
const noticesOf = (...texts: readonly string[]) =>
	groupSample(
		texts.map(text => ({ text, time })),
		asked,
		{ one: 'document', many: 'documents' },
	).notices

test('groups beyond the limit are counted with their messages, unless nothing is alike', () => {
	expect(noticesOf('got 1', 'got 2', 'lost', 'sent', 'kept')).toEqual([
		'2 smaller groups with 2 messages are not shown.',
	])
	expect(noticesOf('got', 'lost', 'sent', 'kept')).toEqual([])
})

test('rows without a message are counted in the noun of the engine', () => {
	expect(noticesOf('got 1', '')).toEqual(['1 document has no message.'])
	expect(noticesOf('got 1', '', '')).toEqual(['2 documents have no message.'])
})
