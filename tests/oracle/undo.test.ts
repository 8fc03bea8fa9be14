import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { hasServer } from '../../plugins/mariadb/servers/server.ts'
import { startSample } from '../../plugins/search-engine/sample/main.ts'
import { openMariadb } from './mariadb.ts'
import { openPostgres } from './postgres.ts'
import { openSearchEngine } from './search-engine.ts'
import { runUndoPairs } from './undo.ts'

const pairs = 50

test(`PostgreSQL: ${pairs} random changes come back byte for byte, or a conflict is named`, async () => {
	await using oracle = await openPostgres()
	const { made, conflicts, differences } = await runUndoPairs(oracle, { pairs, seed: 51 })
	expect(differences).toEqual([])
	expect(made).toBe(pairs)
	expect(conflicts).toBeGreaterThan(0)
})

test.skipIf(!hasServer)(
	`MariaDB: ${pairs} random changes come back byte for byte, or a conflict is named`,
	async () => {
		await using oracle = await openMariadb()
		if (!oracle) throw new Error('This machine has no server.')
		const { made, conflicts, differences } = await runUndoPairs(oracle, { pairs, seed: 51 })
		expect(differences).toEqual([])
		expect(made).toBe(pairs)
		expect(conflicts).toBeGreaterThan(0)
	},
)

test(`The sample of Elasticsearch: ${pairs} random changes come back byte for byte, or a conflict is named`, async () => {
	const sample = await startSample(directContext(), {})
	try {
		await using oracle = await openSearchEngine(String(sample.settings.hosts))
		const { made, conflicts, differences } = await runUndoPairs(oracle, { pairs, seed: 51 })
		expect(differences).toEqual([])
		expect(made).toBe(pairs)
		expect(conflicts).toBeGreaterThan(0)
	} finally {
		await sample.close()
	}
})
