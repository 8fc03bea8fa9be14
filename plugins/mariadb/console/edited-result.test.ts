import type { Cell, ResultCondition, ResultOrder } from '@roundhouse/kit'
import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile, everything, pageOf, statement } from '../test/connection.ts'

const { connection, server } = await connectedForFile({
	schema: `create table typed (a int, b varchar(20), n decimal(20, 4), f double, t datetime(6), d date, j json, x varbinary(9),
		o tinyint(1), e enum ('x', 'y'), c char(5), primary key (a, b));
	insert into typed values
		(1, 'it''s', 1.5, 0.1, '2026-01-02 03:04:05.678901', '2026-01-02', '{"k": [1]}', x'0102', 1, 'y', 'ab'),
		(2, '', null, null, null, null, null, null, null, null, null);`,
})

test.skipIf(!hasServer)('places for values are named', async () => {
	const text = "select :n, '12:30', @a := 1"
	const [verdict] = await connection.console.analyse(text, call())
	expect(verdict?.asks?.map(({ start, end, name }) => [text.slice(start, end), name])).toEqual([[':n', 'n']])
	const [quoted] = await connection.console.analyse("select '%:n%'", call())
	expect(quoted?.asks).toEqual([{ start: 9, end: 11, name: 'n', doubled: "'\\" }])
})

test.skipIf(!hasServer)(
	'a statement whose first word begins none has its error, so that it needs no consent',
	async () => {
		const text = "select 1; /* a typo */ selectt '\\\\'; delete form typed; drop table typed; call nothing()"
		const verdicts = await connection.console.analyse(text, call())
		expect(verdicts.map(({ access, fault }) => [access, fault?.engineCode, fault?.at])).toEqual([
			['read', undefined, undefined],
			['destructive', '1064', expect.any(Number)],
			['destructive', undefined, undefined],
			['destructive', undefined, undefined],
			['destructive', undefined, undefined],
		])
		expect(verdicts[1]?.fault?.message).toMatch(/^You have an error in your SQL syntax/)
	},
)

test.skipIf(!hasServer)(
	'a console says the database that a statement has chosen, and tries the next one there',
	async () => {
		await server.sql('create database crm; create table crm.kept (n int); insert into crm.kept values (1), (2)')
		await using stack = new AsyncDisposableStack()
		const session = await connection.openSession?.(call())
		stack.defer(() => session?.close())
		const ask = async (text: string) => session?.run(await statement(connection, text), { maxRows: 1 }, call())
		expect(await ask('select 1')).not.toHaveProperty('database')
		expect(await ask('use crm')).toMatchObject({ database: 'crm' })
		expect(await ask('select n from kept')).toMatchObject({ database: 'crm', body: { rows: [[1]] } })
		const change = await statement(connection, 'delete from kept')
		expect(await session?.assess?.(change, call(), { rehearses: true })).toMatchObject({
			effect: { tables: [{ deleted: 2 }] },
		})
		expect(await connection.listDatabases?.(call())).toEqual(expect.arrayContaining(['shop', 'crm']))
	},
)

test.skipIf(!hasServer)('rows that are too large together end early, and the transaction stays usable', async () => {
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession?.(call())
	stack.defer(() => session?.close())
	const ask = async (text: string, maxRows: number) =>
		session?.run(await statement(connection, text), { maxRows }, call())
	await ask('begin', 1)
	const wide = await ask("select repeat('x', 9000) from seq_1_to_12000", 20_000)
	expect(wide).toMatchObject({ body: { isTruncated: true } })
	expect(wide?.notices).toEqual([expect.stringMatching(/^Only the first 5,\d{3} rows are shown/)])
	expect(await ask('select 1', 1)).toMatchObject({ body: { rows: [[1]], isTruncated: false } })
	expect(session?.transaction()).toBe('open')
})

describe.skipIf(!hasServer)('a result that is edited', () => {
	test('has rows that are read by their keys with the same values, and a version with which they are saved', async () => {
		await using stack = new AsyncDisposableStack()
		const session = await connection.openSession?.(call())
		stack.defer(() => session?.close())
		const sent = await statement(connection, 'select * from typed order by a')
		const body = (await session?.run(sent, { maxRows: 10 }, call()))?.body
		if (body?.view !== 'rows') throw new Error('no rows')
		const [{ table, key, names } = { table: '', key: [], names: [] }] = body.origins ?? []
		for (const shown of body.rows) {
			const filters = key.map(({ column, at }) => ({
				column,
				operator: 'equals' as const,
				values: [String(shown[at])],
			}))
			const { rows, columns } = await pageOf(connection, { ...everything(table), filters })
			const [row, ...others] = rows
			expect(others).toEqual([])
			expect(columns.map(({ name }, at) => [name, row?.cells[at]])).toEqual(names?.map((name, at) => [name, shown[at]]))
			const change = { kind: 'update', rowId: row?.id ?? '', set: { n: { number: '2.0000' } } } as const
			const versioned = { ...change, ...(row?.version !== undefined && { version: row.version }) }
			expect(row?.version).toBeDefined()
			expect(await connection.applyChanges(table, [versioned], call())).toMatchObject([{ status: 'applied' }])
			expect(await connection.applyChanges(table, [versioned], call())).toMatchObject([{ status: 'conflict' }])
		}
	})
})

/** The text of a cell as the window has it. */
const textOf = (cell: Cell) =>
	typeof cell === 'object' && cell !== null && 'number' in cell ? cell.number : String(cell)

describe.skipIf(!hasServer)('a result in another order', () => {
	const inOrder = async (text: string, at: number, columns = 1) => {
		await using stack = new AsyncDisposableStack()
		const session = await connection.openSession?.(call())
		stack.defer(() => session?.close())
		const sent = await statement(connection, text)
		const body = (await session?.run(sent, { maxRows: 1, sort: { columns, by: [{ at, direction: 'desc' }] } }, call()))
			?.body
		if (body?.view !== 'rows') throw new Error('no rows')
		return body
	}

	test('has the first rows of all', async () => {
		const body = await inOrder('select b, a from typed order by a -- the first', 1, 2)
		expect(body).toMatchObject({ rows: [['', 2]], isTruncated: true })
	})

	test('has the rows with each value as it was shown', async () => {
		await using stack = new AsyncDisposableStack()
		const session = await connection.openSession?.(call())
		stack.defer(() => session?.close())
		const run = async (text: string, sort?: ResultOrder) => {
			const body = (await session?.run(await statement(connection, text), { maxRows: 10, sort }, call()))?.body
			if (body?.view !== 'rows') throw new Error('no rows')
			return body
		}
		const values = [
			'cast(null as char)',
			'9007199254740993',
			'1.10',
			'cast(0.1 as float)',
			'1e20',
			'-0.5e0',
			"date '2024-02-29'",
			"timestamp '2024-02-29 12:30:00.123'",
			"cast('-100:00:01' as time)",
			"'it''s a \\\\ line '",
			"'Ä'",
			"'a'",
			"''",
		]
		for (const value of values) {
			// A collation takes `A ` for `a`.
			const third = value.startsWith("'") ? " union all select 3, 'A '" : ''
			const sql = `select 1 as id, ${value} as v union all select 2, null${third}`
			const { rows, columns } = await run(sql)
			const [, cell] = rows[0] ?? []
			const kind = columns[1]?.kind as ResultCondition['kind']
			const shown = cell === null || cell === undefined ? null : textOf(cell)
			const found = async (is: ResultCondition['is']) => {
				const body = await run(sql, { columns: 2, by: [], where: [{ at: 1, is, text: shown, kind }] })
				return body.rows.map(([id]) => Number(id))
			}
			const all = rows.map(([id]) => Number(id))
			const same = shown === null ? [1, 2] : [1]
			expect([value, await found('same')]).toEqual([value, same])
			expect([value, await found('other')]).toEqual([value, all.filter(id => !same.includes(id))])
		}
	})

	test('may have two columns of one name, and is refused for what is no query, and for a write', async () => {
		expect(await inOrder('select a, a from typed', 1, 2)).toMatchObject({ rows: [[2, 2]] })
		await expect(inOrder('show tables', 0)).rejects.toThrow('The engine sorts queries alone, and this is SHOW.')
		await expect(inOrder('delete from typed returning a', 0)).rejects.toThrow('Only a statement that reads')
		expect(await inOrder('select count(*) from typed', 0)).toMatchObject({ rows: [[2]] })
	})
})
