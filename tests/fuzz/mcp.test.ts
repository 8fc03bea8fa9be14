import { expect, test } from 'vitest'
import { fuzzMcp } from './mcp.ts'

const seeds = [20_260_728, 20_260_729, 20_260_730, 20_260_731]

test.each(seeds)('500 mutated requests cause no status 500, no missing answer and no leak (seed %i)', async seed => {
	const { statuses } = await fuzzMcp(500, seed)
	// The mutations are useful only if many requests reach a handler.
	expect(statuses.get('200')).toBeGreaterThan(25)
	expect(statuses.get('400')).toBeGreaterThan(25)
})
