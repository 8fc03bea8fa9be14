import { expect, test } from 'vitest'
import { fuzzMcp } from './mcp.ts'

test('2,000 mutated requests cause no status 500, no missing answer and no leak', async () => {
	const { statuses } = await fuzzMcp(2000, 20_260_728)
	// The mutations are useful only if many requests reach a handler.
	expect(statuses.get('200')).toBeGreaterThan(100)
	expect(statuses.get('400')).toBeGreaterThan(100)
})
