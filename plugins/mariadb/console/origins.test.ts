import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { openForFile, signal } from '../test/fixture.ts'
import { originsOf } from './origins.ts'

const { session } = await openForFile({ schema: 'create table a (id int primary key, b int, c int as (b + 1));' })

describe.skipIf(!hasServer)('origins of a result', () => {
	test('have the names that the columns have in the table, whatever the statement calls them, and none if they are computed', async () => {
		const { fields } = await session.read({ sql: 'select b as id, id as other, 1 as one, c from a' }, signal)
		const [origin, ...others] = (await originsOf(session, fields, signal)).origins ?? []
		expect(others).toEqual([])
		expect(origin).toMatchObject({ key: [{ column: 'id', at: 1 }], columns: [0, 1, 3], names: ['b', 'id', ''] })
	})
})
