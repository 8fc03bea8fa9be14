import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Connection, decode, type Filter, type RowExport, type Sort } from '@roundhouse/kit'
import { directContext } from '@roundhouse/kit/testing'
import { call, everything, pageOf, run } from '@roundhouse/sql/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import driver from '../../plugins/templates/sql/driver.ts'

/** The template `sql`, from which authors start: a file of SQLite, as SQLite itself has written it. */

let folder: string
let file: string
let connection: Connection

const open = (path: string) => driver.connect({ file: path }, { ...directContext(), scratchFolder: folder }, call())

function database(path: string, ...statements: readonly string[]): string {
	const made = new DatabaseSync(path)
	for (const sql of statements) made.exec(sql)
	made.close()
	return path
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-sqlite-'))
	file = database(
		join(folder, 'shop.db'),
		`create table "odd values" (a, b integer, c text, d real, e blob)`,
		`insert into "odd values" values
			(1, 9223372036854775807, 'a' || char(0) || 'b', 1e300, x'00ff'),
			(1.5, -9223372036854775808, 'é🚂', 3, x''),
			('1', 'abc', '', 0.1, 'text'), (null, null, null, 9e999, 12), (x'31', 12, '{{x}}', 157812778517848420.0, null)`,
		`create table words (word text primary key collate nocase, n int) without rowid`,
		`insert into words values ('b', 1), ('A', 2), ('c', null)`,
		`create table orders (id integer primary key, word text references words, total numeric not null default 0,
			twice generated always as (total * 2) stored, placed date)`,
		`create index by_total on orders (total, word)`,
		`create trigger kept after delete on orders begin select 1; end`,
		`with recursive n(x) as (select 1 union all select x + 1 from n where x < 2500)
			insert into orders (id, word, total, placed) select x, case x % 3 when 0 then 'b' when 1 then 'a' end, x % 7, '2026-01-0' || (x % 9 + 1) from n`,
		`create view totals as select word, sum(total) as sum, count(*) from orders group by word union all select 'z', 1, 1 union all select 'z', 1, 1`,
		`create virtual table notes using fts5(text)`,
		`insert into notes values ('red train')`,
		`create table shadowed (rowid, _rowid_, oid)`,
		`insert into shadowed values (1, 1, 1), (1, 1, 1)`,
		`create table long (text, bytes)`,
		`insert into long values (printf('%.50000c', 'é'), zeroblob(50000)), (printf('%.12000c', 'é'), zeroblob(9000))`,
	)
	connection = await open(file)
})

afterAll(async () => {
	await connection.close()
	expect((await readdir(folder)).filter(name => name.endsWith('.db') && /^[0-9a-f-]{36}/.test(name))).toEqual([])
	await rm(folder, { recursive: true })
})

test('the driver has at most 350 lines, beside how it is tried', async () => {
	const template = join(import.meta.dirname, '..', '..', 'plugins', 'templates', 'sql')
	const files = (await readdir(template)).filter(name => name.endsWith('.ts') && name !== 'conformance.ts')
	const texts = await Promise.all(files.map(name => readFile(join(template, name), 'utf8')))
	expect(texts.join('').split('\n').length - 1).toBeLessThanOrEqual(350)
})

test('the file is listed with its tables and views, and without those of SQLite', async () => {
	expect(connection.info()).toMatchObject({ product: 'SQLite' })
	const tables = await connection.listTables(call())
	expect(tables.map(({ name, kind }) => [name, kind])).toEqual([
		['long', undefined],
		['notes', 'virtual'],
		['odd values', undefined],
		['orders', undefined],
		['shadowed', undefined],
		['totals', 'view'],
		['words', undefined],
	])
	expect(tables[0]?.cannot?.update).toContain('copy')
})

test('columns, keys, references both ways, indexes and facts', async () => {
	const orders = await connection.describeTable('orders', call())
	expect(orders).toMatchObject({
		references: [{ columns: ['word'], table: 'words', to: ['word'] }],
		indexes: ['by_total (total, word)'],
	})
	expect(orders.columns).toMatchObject([
		{ name: 'id', kind: 'number', isKey: true, isNotNull: true },
		{ name: 'word', kind: 'text', isKey: false },
		{ name: 'total', kind: 'number', isNotNull: true, default: '0' },
		{ name: 'twice', generated: 'always' },
		{ name: 'placed', kind: 'text' },
	])
	const words = await connection.describeTable('words', call())
	expect(words.referrers).toEqual([{ columns: ['word'], table: 'orders', to: ['word'] }])
	const sections = await connection.readFacts?.('orders', call())
	expect(sections?.map(({ title }) => title)).toEqual(['Definition', 'Indexes', 'Triggers'])
	expect(sections?.[0]?.code).toMatch(/^create table orders/i)
	expect((await connection.readFacts?.(undefined, call()))?.[0]?.facts).toContainEqual({
		name: 'user_version',
		value: '0',
	})
	await expect(connection.describeTable('nowhere', call())).rejects.toMatchObject({ code: 'not_found' })
})

const oddRows = [
	[1, { number: '9223372036854775807' }, 'a\0b', { number: '1.0e+300' }, { bytes: 'AP8=' }],
	[1.5, { number: '-9223372036854775808' }, 'é🚂', { number: '3.0' }, { bytes: '' }],
	['1', 'abc', '', 0.1, 'text'],
	[null, null, null, { number: '9.0e+999' }, 12],
	[{ bytes: 'MQ==' }, 12, '{{x}}', { number: '1.5781277851784842e+17' }, null],
]

test('values are shown with their own types, and with all digits and characters', async () => {
	const { rows } = await pageOf(connection, everything('odd values'))
	expect(rows.map(({ cells }) => cells)).toEqual(oddRows)
	const { body } = await run(connection, 'select * from "odd values"')
	expect(body).toMatchObject({ view: 'rows', rows: oddRows })
	const whole = decode(await connection.readRow('odd values', rows[0]?.id ?? '', call()))
	expect(JSON.parse(Buffer.from(whole.raw).toString().replace('9223372036854775807', '"big"'))).toEqual({
		a: 1,
		b: 'big',
		c: 'a\0b',
		d: 1e300,
		e: 'AP8=',
	})
})

const ascending = (column: string): Sort => ({ column, direction: 'asc' })

test.each([
	'odd values',
	'words',
	'orders',
	'totals',
	'notes',
	'shadowed',
])('pages of %s fit together in any order, and each row is found again', async table => {
	const { columns } = await connection.describeTable(table, call())
	const sorts = [
		[],
		...columns.map(({ name }) => [ascending(name)]),
		[{ column: columns[0]?.name ?? '', direction: 'desc' as const }],
	]
	for (const sort of sorts) {
		const query = { ...everything(table), sort }
		const { rows: all, total } = await pageOf(connection, query, { limit: 3_000 })
		expect(total).toEqual({ value: all.length, isExact: true })
		expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
		const size = Math.ceil(all.length / 4)
		const grid = await connection.openGrid(query, call())
		const ids = []
		for (const offset of [0, size, 3 * size, 2 * size])
			ids.push([offset, decode(await grid.page({ offset, limit: size }, call())).rows.map(({ id }) => id)] as const)
		const inOrder = ids.toSorted(([a], [b]) => a - b).flatMap(([, page]) => page)
		if (columns.length > 0 && table !== 'totals' && table !== 'shadowed')
			expect(inOrder, JSON.stringify(sort)).toEqual(all.map(({ id }) => id))
		await grid.close()
	}
	const { rows } = await pageOf(connection, everything(table), { limit: 5 })
	for (const { id } of rows) expect(decode(await connection.readRow(table, id, call())).id).toBe(id)
})

async function found(table: string, ...filters: readonly Filter[]) {
	const { rows } = await pageOf(connection, { ...everything(table), filters })
	return rows.map(({ cells }) => cells[1])
}

test('filters compare as SQLite does, and a text is no number in a column of texts', async () => {
	const by = (column: string, operator: Filter['operator'], ...values: string[]) => ({ column, operator, values })
	expect(await found('words', by('word', 'equals', 'a'))).toEqual([2])
	expect(await found('words', by('n', 'missing'))).toEqual([null])
	expect(await found('words', by('n', 'greater', '1.5'))).toEqual([2])
	expect(await found('words', by('word', 'starts_with', 'C'))).toEqual([null])
	expect(await found('odd values', by('b', 'equals', '9223372036854775807'))).toHaveLength(1)
	expect(await found('odd values', by('b', 'equals', 'abc'))).toEqual(['abc'])
	expect(await found('odd values', by('e', 'equals', '00 FF'))).toHaveLength(1)
	expect(await found('odd values', by('d', 'equals', '0.1'))).toHaveLength(1)
	expect(await found('odd values', by('c', 'contains', '}'))).toHaveLength(1)
	await expect(found('words', by('nowhere', 'exists'))).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('a typed condition is one condition, and completes columns', async () => {
	const { rows } = await pageOf(connection, { ...everything('words'), raw: "n = 1 or word = 'A' -- a" })
	expect(rows).toHaveLength(2)
	for (const raw of ['1) or (1', 'n = ', '1; drop table words', 'n = 1 limit 1'])
		await expect(connection.openGrid({ ...everything('words'), raw }, call())).rejects.toMatchObject({
			code: 'invalid_argument',
		})
	const reading = await connection.readRawQuery?.('words', { text: 'wo', offset: 2 }, call())
	expect(reading?.completions?.options.map(({ label }) => label)).toContain('word')
	const typed = { text: "word = 'a", offset: 9 }
	const values = await connection.readRawQuery?.('orders', typed, call())
	expect(values?.completions?.options).toContainEqual(expect.objectContaining({ label: 'a', insert: "'a'" }))
	const filters = [{ column: 'n', operator: 'equals', values: ['1'] }] as const
	expect(await connection.filterText?.({ ...everything('words'), filters }, call())).toBe("(n = '1')")
})

test('groups have counts and measures', async () => {
	const measures = [
		{ function: 'sum', column: 'total' },
		{ function: 'max', column: 'placed' },
	] as const
	const query = { ...everything('orders'), groups: [{ column: 'word' }], measures, limit: 2 }
	const groups = decode((await connection.aggregate?.(query, call())) ?? (undefined as never))
	expect(groups).toMatchObject({ isTruncated: true, columns: [{ name: 'word' }, { name: 'count' }, {}, {}] })
	expect(groups.rows[0]).toEqual(['a', 834, 2500, '2026-01-08'])
	const wide = { ...query, groups: [{ column: 'id', interval: '1000' }], measures: [], limit: 9 }
	const intervals = decode((await connection.aggregate?.(wide, call())) ?? (undefined as never))
	expect(intervals.rows.map(([, count]) => count)).toEqual([999, 1000, 501])
})

async function textOf(exported: RowExport | undefined): Promise<string> {
	let text = ''
	for (let piece = await exported?.read(call()); piece; piece = await exported?.read(call()))
		text += Buffer.from(piece).toString()
	await exported?.close()
	return text
}

test('exports have all rows and whole values, also as statements that write them again', async () => {
	const csv = await textOf(await connection.openExport?.(everything('orders'), { format: 'csv' }, call()))
	expect(csv.split('\n')).toHaveLength(2_502)
	const sql = await textOf(await connection.openExport?.(everything('odd values'), { format: 'sql' }, call()))
	const again = new DatabaseSync(file)
	const before = again.prepare('select quote(a), quote(b), hex(c), quote(d), quote(e) from "odd values"').all()
	again.exec(`begin; create table first as select * from "odd values"; delete from "odd values"; ${sql}`)
	expect(again.prepare('select quote(a), quote(b), hex(c), quote(d), quote(e) from "odd values"').all()).toEqual(before)
	again.exec('rollback')
	again.close()
	const long = await textOf(await connection.openExport?.(everything('long'), { format: 'ndjson' }, call()))
	expect(JSON.parse(long.split('\n')[0] ?? '').text).toHaveLength(50_000)
})

test('a long value is cut in a page', async () => {
	const { rows } = await pageOf(connection, everything('long'))
	expect(rows[0]?.cells).toMatchObject([{ cutFrom: 50_000 }, { cutFrom: 50_000 }])
	expect(rows[1]?.cells).toMatchObject([{ cutFrom: 12_000 }, { bytes: expect.any(String) }])
})

test.each([
	'select * from orders',
	"select count(*) from words where word = 'it''s; drop table x' -- end",
	'with big as (select 1) select * from big',
	'/* drop */ values (1)',
	'select {{id}} limit {{most}}',
	'select 1 /*! , 2 */',
])('%s is a read', async text => {
	expect(await connection.console.analyse(text, call())).toMatchObject([{ access: 'read' }])
})

test.each([
	'explain select 1',
	'select 1 into copy_of_x',
	'select * from orders for update',
	'with gone as (delete from orders returning *) select * from gone',
	'insert into words values (1, 2)',
	'pragma journal_mode = delete',
	"attach 'other.db' as other",
	'create temp table t (a)',
	'begin',
	'select{{x}}1',
])('%j is no read, and is refused', async text => {
	const fault = { code: expect.stringMatching(/unsupported|query_failed/), message: expect.any(String) }
	expect(await connection.console.analyse(text, call())).toMatchObject([{ access: 'destructive', fault }])
	await expect(run(connection, text)).rejects.toMatchObject(fault)
})

test.each([
	'select id from orders order by total desc, id limit 700',
	'select word, count(*) from orders group by word order by 2 desc, 1',
	'select o.id, w.n from orders o join words w using (word) order by w.n desc, o.id desc',
	'select id from orders where id < 4 union all select n from words order by 1 desc',
	'with recursive n(x) as (select 9 union all select x - 1 from n where x > 1) select x from n order by x % 3, x',
	'select name from sqlite_schema order by name desc',
	'values (3), (1), (2)',
])('the rows of %s have their order', async text => {
	using again = new DatabaseSync(file)
	const statement = again.prepare(text)
	statement.setReturnArrays(true)
	const expected = statement.all()
	const { body } = await run(connection, text, expected.length + 1)
	expect(body).toMatchObject({ rows: expected, isTruncated: false })
})

test('a write is refused before a question, and a query that SQLite does not understand with its words', async () => {
	const text = 'delete from words; select from; selet 1'
	const faults = (await connection.console.analyse(text, call())).map(({ fault }) => fault?.message)
	expect(faults).toEqual([
		expect.stringContaining('changes nothing'),
		'near "from": syntax error',
		expect.stringContaining('SELECT, VALUES and WITH'),
	])
})

test('a place inside a text or a name is a fault of its statement', async () => {
	const verdicts = await connection.console.analyse(`select {{a}}; select '{{a}}'; select "{{a}}"`, call())
	expect(verdicts.map(({ fault }) => fault?.code)).toEqual([undefined, 'invalid_argument', 'invalid_argument'])
})

test('statements run with values apart, equal names and a limit, and fail with the words of SQLite', async () => {
	const two = await run(connection, 'select 1 as a, 2 as a, 3 as "1" from orders', 2)
	expect(two.body).toMatchObject({ isTruncated: true, columns: [{ name: 'a' }, { name: 'a:1' }, { name: '1' }] })
	expect(two.body).toMatchObject({
		rows: [
			[1, 2, 3],
			[1, 2, 3],
		],
	})
	for (const value of ["'); drop table x --", '{{other}}', '?', 'a\0b', -5, 0.1, { bytes: 'AP8=' }, null]) {
		const text = 'select 1 -{{x}}, {{x}}'
		const [verdict] = await connection.console.analyse(text, call())
		if (!verdict) throw new Error('no verdict')
		const statement = { ...verdict, text, parameters: { x: value } }
		const { body } = decode(await connection.console.run(statement, { maxRows: 2 }, call()))
		expect(body).toMatchObject({ rows: [[expect.anything(), value]].map(row => (value === null ? [null, null] : row)) })
	}
	await expect(run(connection, 'select * from nowhere')).rejects.toMatchObject({
		code: 'query_failed',
		message: expect.stringContaining('no such table'),
	})
})

test('statements are completed, explained and exported, also while another is being read', async () => {
	const { options } = (await connection.console.complete?.('select * from wo', 16, call())) ?? { options: [] }
	expect(options.map(({ label }) => label)).toContain('words')
	const statement = {
		start: 0,
		end: 1,
		access: 'read',
		summary: '',
		text: 'select * from orders order by total',
	} as const
	const plan = await connection.explain?.({ statement }, call())
	expect(plan?.steps[0]).toMatchObject({ depth: 0, name: expect.stringMatching(/SCAN|SEARCH/) })
	const exported = await connection.console.openExport?.(statement, { format: 'ndjson' }, call())
	const first = Buffer.from((await exported?.read(call())) ?? []).toString()
	expect(await run(connection, 'select 1')).toMatchObject({ body: { rows: [[1]] } })
	expect((first + (await textOf(exported))).split('\n')).toHaveLength(2_501)
})

test.each([
	['empty.db', async (path: string) => writeFile(path, ''), 'is empty'],
	['text.db', async (path: string) => writeFile(path, 'hello '.repeat(100)), 'is no SQLite database'],
	['short.db', async (path: string) => writeFile(path, (await readFile(file)).subarray(0, 8_192)), 'is not whole'],
	[
		'damaged.db',
		async (path: string) => {
			const bytes = await readFile(file)
			await writeFile(path, bytes.fill(0xee, 100, 4_000))
		},
		'malformed',
	],
	[
		'huge.db',
		async (path: string) => {
			await writeFile(path, 'SQLite format 3\0')
			await truncate(path, 5 * 1024 ** 3)
		},
		'4 GiB',
	],
	[
		'wal.db',
		async (path: string) => void database(path, 'pragma journal_mode = wal', 'create table t (a)'),
		'WAL mode',
	],
	[
		'wide.db',
		async (path: string) => void database(path, "pragma encoding = 'UTF-16'", 'create table t (a)'),
		'UTF-16',
	],
])('%s is refused with what to do', async (name, make, reason) => {
	await make(join(folder, name))
	await expect(open(join(folder, name))).rejects.toMatchObject({
		code: 'not_connected',
		message: expect.stringContaining(reason),
	})
})

test('a file that is not there is refused', async () => {
	await expect(open(join(folder, 'nowhere.db'))).rejects.toMatchObject({ code: 'not_connected' })
})
