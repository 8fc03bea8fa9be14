import { expect, test } from 'vitest'
import { fuzzMcp } from './mcp.ts'

test('2,000 mutated requests cause no status 500, no missing answer and no leak', async () => {
	const { statuses } = await fuzzMcp(2000, 20_260_728)
	// The mutations are of use only while many requests come as far as a handler.
	expect(statuses.get('200')).toBeGreaterThan(100)
	expect(statuses.get('400')).toBeGreaterThan(100)
})
