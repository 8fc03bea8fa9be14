import { expect, test } from 'vitest'
import { openPostgres } from './postgres.ts'
import { runOracle } from './run.ts'

test('the driver for PostgreSQL and MCP answer 200 random questions as a client that asks the server directly', async () => {
	await using oracle = await openPostgres()
	expect(await runOracle(oracle, { cases: 200, seed: 51 })).toEqual([])
})
