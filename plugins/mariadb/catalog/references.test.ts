import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile } from '../test/connection.ts'

const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
const { server, connection } = await connectedForFile({
	schema: [
		'create table t0 (id int primary key)',
		...numbers.map(n => `create table t${n} (id int primary key, up int references t${n - 1} (id) on delete cascade)`),
		'create database other',
		'create table other.t (id int primary key, up int, foreign key (up) references shop.t0 (id))',
		"set global log_output = 'TABLE'",
	].join(';\n'),
})

/** Returns how many reads of foreign keys the server gets during the work. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
	await server.sql('truncate table mysql.general_log; set global general_log = 1')
	await work()
	await server.sql('set global general_log = 0')
	const [row] = await server.sql(
		"select count(*) as n from mysql.general_log where argument like '%join information_schema.referential_constraints%' and argument not like '%general_log%' and command_type in ('Query', 'Execute')",
	)
	return Number(row?.n)
}

describe.skipIf(!hasServer)('the references of tables', () => {
	test('tables that are described at once share one read of the foreign keys', async () => {
		const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
		onTestFinished(() => clock.mockRestore())
		const names = [0, ...numbers].map(n => `shop.t${n}`)
		let described: readonly (readonly string[])[] = []
		const reads = await readsDuring(async () => {
			const found = await Promise.all(names.map(name => connection.describeTable(name, call())))
			described = found.map(({ references = [], referrers = [] }) =>
				[...references, ...referrers].map(({ table }) => table),
			)
		})
		expect(described).toEqual([
			['other.t', 'shop.t1'],
			...numbers.map(n => [`shop.t${n - 1}`, ...(n < 8 ? [`shop.t${n + 1}`] : [])]),
		])
		expect(reads).toBe(1)
	})

	test('a table that is described later has the foreign keys of then', async () => {
		await server.sql('create table late (id int primary key, up int references t8 (id))', 'shop')
		const { referrers } = await connection.describeTable('shop.t8', call())
		expect(referrers?.map(({ table }) => table)).toEqual(['shop.late'])
	})
})
