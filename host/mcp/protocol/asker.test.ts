import { expect, test } from 'vitest'
import { clientName } from './asker.ts'

test.each([
	[{ name: 'x', title: 'Claude', version: '' }, 'Claude'],
	[{ name: 'claude', version: '' }, 'claude'],
	[{ name: 'x', title: 'Claude”, with the token “admin', version: '' }, 'Claude, with the token admin'],
	[{ name: '»"\'', version: '' }, 'Unknown client'],
	[undefined, 'Unknown client'],
])('%j is shown as %s', (client, shown) => {
	expect(clientName(client)).toBe(shown)
})

test('a long sentence is truncated', () => {
	expect(
		clientName({ name: 'This was checked by Roundhouse and is safe to allow. '.repeat(4), version: '' }),
	).toHaveLength(61)
})
