import { decode, type Filter, type GridQuery, type Sort } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { Random } from '../../../tests/oracle/random.ts'
import { hasServer } from '../servers/server.ts'
import { call, connectedForFile } from '../test/connection.ts'

/**
 * Random tables, filters and sorts: pages of a few rows, counts and exports have the rows that the server gives another
 * client for a plain query, in its order.
 */

const { connection, server } = await connectedForFile({})

interface Type {
	readonly sql: string
	/** As a user types them, and as SQL. */
	readonly values: readonly (readonly [typed: string, sql: string])[]
	readonly isText?: true
}

const sqlText = (text: string) => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`
const texts = ['', ' ', 'a', 'A', 'ä', 'b ', "it's", '100%', 'a_b', 'back\\slash', '🚂', 'zz'].map(
	text => [text, sqlText(text)] as const,
)
const plain = (...values: readonly string[]) => values.map(value => [value, value] as const)
const quoted = (...values: readonly string[]) => values.map(value => [value, `'${value}'`] as const)
const types: readonly Type[] = [
	{ sql: 'int', values: plain('0', '1', '-5', '2147483647') },
	{ sql: 'bigint unsigned', values: plain('0', '9007199254740993', '9007199254740992', '18446744073709551615') },
	{ sql: 'decimal(30, 10)', values: plain('0', '1.5', '-0.0000000001', '12345678901234567890.0123456789') },
	{ sql: 'float', values: plain('0', '0.1', '16777217', '-1.5') },
	{ sql: 'double', values: plain('0', '0.1', '1e300', '-1.5') },
	{ sql: 'varchar(50)', values: texts, isText: true },
	{ sql: 'varchar(50) collate utf8mb4_bin', values: texts, isText: true },
	{ sql: 'text', values: texts, isText: true },
	{ sql: 'char(10)', values: texts.filter(([text]) => !/ $/.test(text)), isText: true },
	{ sql: "enum('z', 'a', 'm')", values: quoted('z', 'a', 'm') },
	{ sql: 'date', values: quoted('2026-11-29', '0001-01-01', '9999-12-31') },
	{
		sql: 'datetime(6)',
		values: quoted('2026-11-29 00:00:00.000000', '2026-11-29 23:59:59.999999', '2026-11-30 00:00:00.000000'),
	},
	{ sql: 'timestamp(3) null', values: quoted('2026-11-29 00:00:00.000', '2026-11-29 12:00:00.123') },
	{ sql: 'time(2)', values: quoted('-26:00:00.50', '00:00:00.00', '838:59:59.00') },
	{
		sql: 'bit(9)',
		values: [
			['000000001', "b'1'"],
			['100000000', "b'100000000'"],
		],
	},
	{ sql: 'year', values: plain('1901', '2026') },
	{
		sql: 'varbinary(9)',
		values: [
			['00ff', "x'00ff'"],
			['', "x''"],
			['61', "x'61'"],
		],
	},
]

interface TestColumn {
	readonly name: string
	readonly type: Type
}

const signs = {
	equals: '=',
	not_equals: '<>',
	less: '<',
	less_or_equal: '<=',
	greater: '>',
	greater_or_equal: '>=',
} as const
const name = (column: TestColumn) => `\`${column.name}\``

/** A filter, and its condition as SQL that this test writes. */
function randomFilter(random: Random, column: TestColumn): readonly [Filter, string] {
	const { type } = column
	const [typed, sql] = random.pick(type.values)
	const isFloat = type.sql === 'float'
	const value = (text: string) => (isFloat ? `cast(${text} as float)` : text)
	const kinds = ['exists', 'missing', 'compare', 'in', ...(type.isText ? ['contains'] : [])]
	const kind = random.pick(kinds)
	if (kind === 'exists') return [{ column: column.name, operator: 'exists', values: [] }, `${name(column)} is not null`]
	if (kind === 'missing') return [{ column: column.name, operator: 'missing', values: [] }, `${name(column)} is null`]
	const isLoose = type.sql === 'varbinary(9)'
	if (kind === 'in' && !isLoose) {
		const [other, otherSql] = random.pick(type.values)
		const list = `${name(column)} in (${value(sql)}, ${value(otherSql)})`
		return [{ column: column.name, operator: 'in', values: [typed, other] }, list]
	}
	if (kind === 'contains') {
		const pattern = sqlText(`%${typed.replaceAll(/[\\%_]/g, '\\$&')}%`)
		return [
			{ column: column.name, operator: 'contains', values: [typed] },
			`lower(${name(column)}) like lower(${pattern})`,
		]
	}
	const operators = Object.keys(signs) as (keyof typeof signs)[]
	const operator = random.pick(isLoose ? operators.slice(0, 2) : operators)
	return [{ column: column.name, operator, values: [typed] }, `${name(column)} ${signs[operator]} ${value(sql)}`]
}

test.skipIf(!hasServer)('pages, counts and exports have the rows of the server', { timeout: 240_000 }, async () => {
	for (let seed = 1; seed <= 40; seed++) {
		const random = new Random(seed)
		const columns = ['a', 'b b', 'C'].map(title => ({ name: title, type: random.pick(types) }))
		const hasKey = random.chance(0.8)
		const defined = columns.map(column => `${name(column)} ${column.type.sql}`)
		await server.sql(
			`create table t${seed} (n int not null${hasKey ? ' primary key' : ''}, ${defined.join(', ')})`,
			'shop',
		)
		const rows = Array.from({ length: random.int(0, 30) }, (_, at) => {
			const values = columns.map(({ type }) => (random.chance(0.2) ? 'null' : random.pick(type.values)[1]))
			return `(${at + 1}, ${values.join(', ')})`
		})
		// A TIMESTAMP is an instant. The driver shows it in UTC.
		if (rows.length > 0)
			await server.sql(`set time_zone = '+00:00'; insert into t${seed} values ${rows.join(', ')}`, 'shop')
		for (let question = 0; question < 6; question++) await compare(random, { table: `shop.t${seed}`, columns, hasKey })
		await server.sql(`drop table t${seed}`, 'shop')
	}
})

async function compare(
	random: Random,
	{
		table,
		columns,
		hasKey,
	}: { readonly table: string; readonly columns: readonly TestColumn[]; readonly hasKey: boolean },
): Promise<void> {
	const filters = columns.filter(() => random.chance(0.5)).map(column => randomFilter(random, column))
	const match = random.pick(['all', 'any'] as const)
	const sort: Sort[] = columns
		.filter(() => random.chance(0.4))
		.map(column => ({ column: column.name, direction: random.pick(['asc', 'desc'] as const) }))
	const query: GridQuery = { table, filters: filters.map(([filter]) => filter), match, sort }
	const condition = filters.map(([, sql]) => `(${sql})`).join(match === 'all' ? ' and ' : ' or ') || 'true'
	const last = sort.at(-1)?.direction ?? 'asc'
	const order = [...sort.map(({ column, direction }) => `\`${column}\` ${direction}`), `n ${last}`].join(', ')
	const asked = `set time_zone = '+00:00'; select n from ${table} where ${condition} order by ${order}`
	const expected = (await server.sql(asked, 'shop')).map(({ n }) => n)
	const limit = random.int(2, 7)
	const grid = await connection.openGrid(query, call())
	const found: unknown[] = []
	const ids = new Set<string>()
	for (let offset = 0; ; offset += limit) {
		const page = decode(await grid.page({ offset, limit }, call()))
		const at = page.columns.findIndex(column => column.name === 'n')
		for (const row of page.rows) {
			found.push(row.cells[at])
			ids.add(row.id)
		}
		if (page.rows.length < limit) break
	}
	await grid.close()
	const what = JSON.stringify({ query, condition, types: columns.map(({ type }) => type.sql) })
	if (hasKey) {
		expect(found, what).toEqual(expected)
		expect(ids.size, what).toBe(found.length)
	} else expect(found.toSorted(), what).toEqual(expected.toSorted())
	const { sort: _, ...counted } = query
	expect(await connection.countRows(counted, call()), what).toMatchObject({ value: expected.length, isExact: true })
	const rows = await connection.openExport(query, { format: 'ndjson' }, call())
	let text = ''
	for (let piece = await rows.read(call()); piece; piece = await rows.read(call()))
		text += Buffer.from(piece).toString()
	await rows.close()
	const exported = text
		.split('\n')
		.filter(Boolean)
		.map(line => JSON.parse(line).n)
	expect(hasKey ? exported : exported.toSorted(), what).toEqual(hasKey ? expected : expected.toSorted())
}
