import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Cell, type Connection, decode, type Row, type Sort } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { call, everything } from '@roundhouse/sql/testing'
import { expect, test } from 'vitest'
import driver from '../../plugins/templates/sql/driver.ts'
import { Random } from './random.ts'

/** Random tables of the template `sql`: their values have any type in any column, and pages have the order of SQLite. */

const types = [
	...['', 'integer', 'text', 'real', 'blob', 'numeric', 'datetime', 'int'],
	...['varchar(10) collate nocase', 'text collate rtrim'],
]
const texts = ['a', 'A', 'b', 'é', '🚂', '', "it's", '10', '9', '1e3', ' 5', 'a ', '\\', '%', '"', 'a\nb']

/** Returns a value as SQL. */
const randomValue = (random: Random): string =>
	random.weighted<() => string>([
		[1, () => 'null'],
		[2, () => String(random.int(-5, 5))],
		[2, () => random.pick(['9223372036854775807', '-9223372036854775808', '9007199254740993'])],
		[2, () => `${random.number() * 10 ** random.int(-300, 300)}`],
		[2, () => random.pick(['3.0', '-0.0', '0.1', '9e999', '-9e999', '5e-324', '157812778517848420.0'])],
		[4, () => `'${random.pick(texts).replaceAll("'", "''")}'`],
		[3, () => random.pick(["cast(x'610062' as text)", "cast(x'00' as text)"])],
		[2, () => random.pick(["x''", "x'00ff'", "x'31'", "x'61'"])],
	])()

const quoted = (name: string) => `"${name}"`

interface RandomTable {
	readonly columns: readonly string[]
	readonly key: readonly string[]
}

function fill(database: DatabaseSync, random: Random): RandomTable {
	const columns = Array.from({ length: random.int(2, 5) }, (_, at) => `${random.pick(['c', 'C d', 'order', 'é'])}${at}`)
	const key = random.chance(0.5) ? columns.slice(0, random.int(1, 2)) : []
	const declared = columns.map(name => `${quoted(name)} ${random.pick(types)}`)
	const primary = key.length > 0 ? [`primary key (${key.map(quoted).join(', ')})`] : []
	database.exec(`create table t (${[...declared, ...primary].join(', ')}) ${key.length > 0 ? 'without rowid' : ''}`)
	if (random.chance(0.5)) database.exec(`create index i on t (${quoted(random.pick(columns))})`)
	database.exec('begin')
	for (let row = 0; row < 150; row++)
		database.exec(`insert or ignore into t values (${columns.map(() => randomValue(random)).join(', ')})`)
	database.exec('commit')
	return { columns, key: key.length > 0 ? key : ['rowid'] }
}

/** Returns the rows as SQLite orders them, each value with its type. */
function rowsOf(database: DatabaseSync, { columns, key }: RandomTable, sort: readonly Sort[]): readonly string[] {
	const values = columns.map(quoted).map(x => `typeof(${x}), iif(typeof(${x}) in ('text', 'blob'), hex(${x}), ${x})`)
	const rest = key.filter(name => !sort.some(({ column }) => column === name))
	const last = sort.at(-1)?.direction ?? 'asc'
	const order = [...sort, ...rest.map(column => ({ column, direction: last }))]
	const by = order.map(({ column, direction }) => `${quoted(column)} ${direction}`).join(', ')
	const statement = database.prepare(`select ${values.join(', ')} from t order by ${by}`)
	statement.setReadBigInts(true)
	statement.setReturnArrays(true)
	// The rows are arrays, by `setReturnArrays`.
	const rows = statement.all() as unknown as readonly (readonly unknown[])[]
	return rows.map(row => columns.map((_, at) => `${row[2 * at]} ${row[2 * at + 1]}`).join(' | '))
}

function shown(cell: Cell): string {
	if (cell === null) return 'null null'
	if (typeof cell === 'string') return `text ${Buffer.from(cell).toString('hex').toUpperCase()}`
	if (typeof cell === 'object' && 'bytes' in cell)
		return `blob ${Buffer.from(cell.bytes, 'base64').toString('hex').toUpperCase()}`
	const digits = typeof cell === 'object' && 'number' in cell ? cell.number : String(cell)
	return /[.e]/.test(digits) ? `real ${Number(digits)}` : `integer ${digits}`
}

async function pagesOf(connection: Connection, sort: readonly Sort[], pages: readonly (readonly [number, number])[]) {
	const grid = await connection.openGrid({ ...everything('t'), sort }, call())
	const rows: (readonly Row[])[] = []
	for (const [offset, limit] of pages) rows.push(decode(await grid.page({ offset, limit }, call())).rows)
	await grid.close()
	return rows
}

test.each(Array.from({ length: 30 }, (_, seed) => seed))('table %i', async seed => {
	const random = new Random(seed)
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-oracle-'))
	const file = join(folder, 'random.db')
	using database = new DatabaseSync(file)
	const table = fill(database, random)
	const context = { ...directContext(), scratchFolder: folder }
	const connection = await driver.connect({ file }, context, call())
	for (let question = 0; question < 10; question++) {
		const directions = ['asc', 'desc'] as const
		const chosen = random.some(table.columns, 0, 3)
		const sort = chosen.map(column => ({ column, direction: random.pick(directions) }))
		const expected = rowsOf(database, table, sort)
		const size = random.int(1, 40)
		const [offset, jump] = [random.int(0, expected.length), random.int(0, expected.length)]
		const pages = [0, size, offset, offset + size, jump].map(from => [from, size] as const)
		const read = await pagesOf(connection, sort, pages)
		const label = JSON.stringify({ ...table, sort, pages })
		for (const [index, rows] of read.entries()) {
			const [from = 0] = pages[index] ?? []
			const got = rows.map(({ cells }) => cells.map(shown).join(' | '))
			expect(got, label).toEqual(expected.slice(from, from + size))
		}
		for (const { id } of read[0] ?? []) expect(decode(await connection.readRow('t', id, call())).id).toBe(id)
	}
	await connection.close()
	await rm(folder, { recursive: true })
})
