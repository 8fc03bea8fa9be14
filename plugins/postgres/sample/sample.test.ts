import { decode } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import driver from '../driver.ts'
import { call } from '../test/fixture.ts'

test('the sample has a shop and a library, which can be read and changed', async () => {
	const context = directContext()
	const sample = await driver.startSample?.(context, {})
	if (!sample) throw new Error('no sample')
	await using owned = new AsyncDisposableStack()
	owned.defer(() => sample.close())
	const connection = await driver.connect(sample.settings, context, call())
	owned.defer(() => connection.close())

	expect(connection.info().notices).toEqual([expect.stringMatching(/^The sample has one session/)])
	const tables = await connection.listTables(call())
	expect(tables.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['shop.orders', 'shop.sales_by_month', 'library.books', 'library.loans']),
	)
	const grid = await connection.openGrid(
		{ table: 'shop.orders', filters: [], match: 'all', sort: [{ column: 'placed_at', direction: 'desc' }] },
		call(),
	)
	const page = decode(await grid.page({ offset: 0, limit: 5 }, call()))
	expect(page).toMatchObject({ total: { value: 5_000, isExact: true }, rows: { length: 5 } })
	const [first] = page.rows
	const change = {
		kind: 'update',
		rowId: first?.id ?? '',
		version: first?.version ?? '',
		set: { note: 'seen' },
	} as const
	expect(await connection.applyChanges('shop.orders', [change], call())).toMatchObject([{ status: 'applied' }])

	// Another client's transaction: the others wait, then read why.
	const session = await connection.openSession?.(call())
	const [begin] = await connection.console.analyse('begin', call())
	if (!session || !begin) throw new Error('no session')
	await session.run({ ...begin, text: 'begin' }, { maxRows: 1 }, call())
	await expect(connection.listTables(call())).rejects.toThrow('one session')
	await session.close()
	expect(await connection.listTables(call())).toHaveLength(tables.length)
})
