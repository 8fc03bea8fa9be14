import { expect, test } from 'vitest'
import { openPostgres } from './postgres.ts'
import { runOracle } from './run.ts'

const cases = 1_000

test(`PostgreSQL's driver and MCP answer ${cases} random questions like a client that asks the server itself`, async () => {
	await using oracle = await openPostgres()
	expect(await runOracle(oracle, { cases, seed: 51 })).toEqual({ asked: cases, differences: [] })
})
