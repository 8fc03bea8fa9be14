import { expect, test } from 'vitest'
import { hasServer } from '../../plugins/mariadb/servers/server.ts'
import { openMariadb } from './mariadb.ts'
import { runOracle } from './run.ts'

const cases = 1_000

test.skipIf(!hasServer)(
	`MariaDB's driver and MCP answer ${cases} random questions like a client that asks the server itself`,
	async () => {
		await using oracle = await openMariadb()
		if (!oracle) throw new Error('This machine has no server.')
		expect(await runOracle(oracle, { cases, seed: 51 })).toEqual({ asked: cases, differences: [] })
	},
)
