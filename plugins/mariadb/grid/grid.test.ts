import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { hasServer } from '../servers/server.ts'
import { connectedForFile, everything, pageOf } from '../test/connection.ts'

const { connection, server } = await connectedForFile({ schema: shop })

test.skipIf(!hasServer)('a page has the rows in the order of the key, with exact values', async () => {
	await server.sql(
		"update customers set most = 18446744073709551615, ratio = 0.1, flags = b'101', wait = '-26:00:00.5', place = point(1, 2), data = '{\"a\": 1.10}' where id = 1",
		'shop',
	)
	const page = await pageOf(connection, everything('shop.customers'), { limit: 2 })
	const [first] = page.rows
	expect(first?.id).toBe('["1"]')
	const row = Object.fromEntries(page.columns.map(({ name }, at) => [name, first?.cells[at]]))
	expect(row).toMatchObject({
		id: 1,
		name: 'Customer 1',
		most: { number: '18446744073709551615' },
		ratio: 0.1,
		flags: '00000101',
		wait: '-26:00:00.500',
		place: 'POINT(1 2)',
		data: { json: '{"a": 1.10}' },
	})
	expect(page.total).toMatchObject({ value: 60 })
})
