import { type Assessment, decode } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { shop } from '../servers/schema.ts'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile, run, statement } from '../test/connection.ts'

const { connection, server } = await connectedForFile({ schema: shop })

async function assessed(text: string): Promise<Assessment> {
	const { console } = connection
	if (!console.assess) throw new Error('the console assesses nothing')
	return console.assess(await statement(connection, text), call(), { rehearses: true })
}

const counts = async () =>
	JSON.stringify(
		await server.sql(
			"select (select count(*) from customers) c, (select count(*) from orders where state = 'sent') o, (select count(*) from order_lines) l",
			'shop',
		),
	)

test.skipIf(!hasServer)('a change is tried, shows its rows, and leaves nothing', async () => {
	const before = await counts()
	const { effect } = await assessed("update orders set state = 'sent' where id in (1, 2)")
	expect(effect?.tables).toMatchObject([{ table: 'shop.orders', updated: 2, inserted: 0, deleted: 0 }])
	const [change] = effect?.tables[0]?.rows?.changes ?? []
	expect([change?.before?.[2], change?.after?.[2]]).toEqual(['paid', 'sent'])
	expect((await assessed('delete from order_lines where order_id <= 3')).effect?.tables).toMatchObject([
		{ table: 'shop.order_lines', deleted: 3 },
	])
	expect((await assessed("replace into order_lines values (1, 1, 'a'), (1, 2, 'b')")).effect?.tables).toMatchObject([
		{ table: 'shop.order_lines', inserted: 2, deleted: 1 },
	])
	expect((await assessed("insert into logs (what) values ('a'), ('b')")).effect?.tables).toMatchObject([
		{ table: 'shop.logs', inserted: 2 },
	])
	expect(await counts()).toBe(before)
})

test.skipIf(!hasServer).each<readonly [string, string]>([
	['delete from orders where id = 1', 'A key that refers to shop.orders'],
	["update old_notes set note = 'x'", 'no transactions'],
	['delete o from orders o join customers c on c.id = o.customer', 'several tables'],
	['truncate logs', 'commits it at once'],
	["insert into order_lines values (1, 1, 'a') on duplicate key update what = 'b'", 'in place of new ones'],
	['call nothing()', 'It is no change of rows.'],
])('%s is not tried', async (text, why) => {
	expect((await assessed(text)).unrehearsed).toContain(why)
})

test.skipIf(!hasServer)('a change is committed only within the effect that was agreed to', async () => {
	const text = "update orders set total = 0 where state = 'sent' and id < 20"
	const { effect } = await assessed(text)
	if (!effect) throw new Error('nothing was tried')
	const asked = await statement(connection, text)
	await server.sql("update orders set state = 'sent' where id = 1", 'shop')
	const refused = decode(await connection.console.run(asked, { maxRows: 10, within: effect }, call()))
	expect(refused.exceeded).toMatch(/^Now it changes \d rows of shop.orders\.$/)
	const again = (await assessed(text)).effect
	if (!again) throw new Error('nothing was tried')
	expect(decode(await connection.console.run(asked, { maxRows: 10, within: again }, call())).exceeded).toBeUndefined()
	expect((await run(connection, 'select total from orders where id = 1')).body).toMatchObject({
		rows: [[{ number: '0.0000' }]],
	})
})
