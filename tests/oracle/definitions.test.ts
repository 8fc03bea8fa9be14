import { expect, test } from 'vitest'
import { hasServer } from '../../plugins/mariadb/servers/server.ts'
import { openMariadbDefinitions, openPostgresDefinitions } from './definition-subjects.ts'
import { runDefinitions } from './definitions.ts'

const pairs = 40

test(`PostgreSQL: ${pairs} random definitions of tables, and changes of them, are read as they were asked for`, async () => {
	await using subject = await openPostgresDefinitions()
	expect(await runDefinitions(subject, { pairs, seed: 570 })).toEqual([])
})

test.skipIf(!hasServer)(
	`MariaDB: ${pairs} random definitions of tables, and changes of them, are read as they were asked for`,
	async () => {
		await using subject = await openMariadbDefinitions()
		if (!subject) throw new Error('This machine has no server.')
		expect(await runDefinitions(subject, { pairs, seed: 570 })).toEqual([])
	},
)
