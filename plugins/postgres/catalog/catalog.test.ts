import { type Console, decode } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, everything, open, pageOf, run } from '../test/fixture.ts'

let server: TestServer

beforeAll(async () => {
	server = await startServer({
		schema: `create role reader login password 'correct horse';
		create schema closed; create table closed.secret (id int);
		create table open_table (id int primary key, hidden int); create table denied (id int);
		grant select (id) on open_table to reader;
		insert into open_table values (1, 2);
		create table logs (id int primary key, at timestamptz not null, message text); create index on logs (at);
		create table slow_logs (id int primary key, at timestamptz not null, message text);
		create table loose_logs (id int primary key, at timestamptz unique, message text);
		create table visits (id int primary key, at timestamptz not null unique, page text);
		create extension hstore; create extension citext;
		create table odd (id int primary key, h hstore, c citext, p point, t tsvector, u uuid, i inet, b bit varying(5), x xml, m money, r int4range[]);
		insert into odd values (1, 'a=>1', 'Text', '(1,2)', 'a b', gen_random_uuid(), '10.0.0.1/8', '101', '<a/>', 1.5, '{"[1,2)"}');`,
	})
	await server.sql('create database other')
	await server.sql(
		'create schema shop; create table shop.things (id int primary key); insert into shop.things values (7)',
		'other',
	)
})
afterAll(() => server?.stop())

test('tables of all databases are listed, read and edited', async () => {
	await using connection = await open({ ...server.settings, allDatabases: true })
	const tables = await connection.listTables(call())
	expect(tables.find(({ name }) => name === 'other.shop.things')).toMatchObject({
		path: ['other', 'shop'],
		title: 'things',
	})
	expect(tables.find(({ name }) => name === 'public.odd')).toMatchObject({ path: ['postgres', 'public'] })
	const page = await pageOf(connection, everything('other.shop.things'))
	expect(page.rows.map(({ cells }) => cells)).toEqual([[7]])
	const change = { kind: 'update', rowId: page.rows[0]?.id ?? '', set: { id: 8 } } as const
	expect(await connection.applyChanges('other.shop.things', [change], call())).toMatchObject([{ status: 'applied' }])
	expect(await server.sql('select id from shop.things', 'other')).toEqual([{ id: 8 }])
})

test('a log opens newest first where an index has that order', async () => {
	await using connection = await open(server.settings)
	const tables = await connection.listTables(call())
	const sorted = tables.filter(({ sort }) => sort !== undefined)
	expect(sorted.map(({ name, sort }) => [name, sort])).toEqual([['public.logs', [{ column: 'at', direction: 'desc' }]]])
})

test('the server compiles no query of the catalogs, and those of a console as it is set to', async () => {
	await using connection = await open(server.settings)
	const text = "select setting, reset_val from pg_settings where name = 'jit'"
	const statement = { start: 0, end: 0, access: 'read', summary: '', text } as const
	const alone = decode(await connection.console.run(statement, { maxRows: 1 }, call()))
	const session = await connection.openSession(call())
	try {
		const inSession = await session.run(statement, { maxRows: 1 }, call())
		expect(alone.body).toMatchObject({ rows: [['off', 'on']] })
		expect(inSession.body).toMatchObject({ rows: [['on', 'on']] })
	} finally {
		await session.close()
	}
})

test('a console of another database is analysed, completed and run there, with and without a session', async () => {
	await server.sql("create function calm_here() returns int language sql stable as 'select 1'", 'other')
	await using connection = await open(server.settings)
	expect((await connection.listDatabases(call())).slice(0, 2)).toEqual(['postgres', 'other'])
	const console = connection.consoleOf({ database: 'other' })
	const accessIn = async (place: Console) =>
		(await place.analyse('select calm_here()', call())).map(({ access }) => access)
	expect([await accessIn(console), await accessIn(connection.console)]).toEqual([['read'], ['destructive']])
	const { options } = (await console.complete?.('select * from shop.th', 21, call())) ?? { options: [] }
	expect(options.map(({ label }) => label)).toContain('things')
	const statement = { start: 0, end: 0, access: 'read', summary: '', text: 'select current_database()' } as const
	const alone = decode(await console.run(statement, { maxRows: 1 }, call()))
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession(call(), { database: 'other' })
	stack.defer(() => session.close())
	const inSession = await session.run(statement, { maxRows: 1 }, call())
	for (const { body } of [alone, inSession]) expect(body).toMatchObject({ rows: [['other']] })
	const explained = await connection.explain(
		{ statement: { ...statement, text: 'select * from shop.things' }, database: 'other' },
		call(),
	)
	expect(JSON.stringify(explained)).toContain('things')
	const listed = await open({ ...server.settings, allDatabases: true })
	stack.defer(() => listed.close())
	const tables = await listed.listTables(call())
	expect(tables.map(({ name, database }) => [name, database])).toContainEqual(['other.shop.things', 'other'])
	expect(tables.find(({ name }) => name === 'public.odd')?.database).toBeUndefined()
})

test('a console of a schema looks up names there first, then in public, with and without a session', async () => {
	const schema = 'odd "one\\ two'
	const inQuotes = '"odd ""one\\ two"'
	await server.sql(
		`create schema ${inQuotes}; create table ${inQuotes}.there (n int); insert into ${inQuotes}.there values (7);
		create table public.beside (n int); create function ${inQuotes}.calm() returns int language sql stable as 'select 1'`,
	)
	await using connection = await open(server.settings)
	const console = connection.consoleOf({ schema })
	const text = 'select current_schema(), n, calm() from there left join beside using (n)'
	const [verdict] = await console.analyse(text, call())
	expect(verdict?.access).toBe('read')
	const statement = { ...verdict, access: 'read', start: 0, end: 0, summary: '', text } as const
	await using stack = new AsyncDisposableStack()
	const session = await connection.openSession(call(), { schema })
	stack.defer(() => session.close())
	const alone = decode(await console.run(statement, { maxRows: 1 }, call()))
	const inSession = await session.run(statement, { maxRows: 1 }, call())
	const rows = [[schema, expect.anything(), expect.anything()]]
	for (const { body } of [alone, inSession]) expect(body).toMatchObject({ rows })
	const said = async (text: string) =>
		(await session.run({ ...statement, access: 'write', text }, { maxRows: 1 }, call())).schema
	expect(await said('set search_path to public')).toBe('public')
	expect(await said('select 1')).toBe('public')
	expect(await said('begin')).toBe('public')
	expect(await said("select set_config('search_path', 'information_schema', false)")).toBe('information_schema')
	expect(await said('rollback')).toBe('public')
	expect(await said('reset search_path')).toBeUndefined()
	expect((await session.run(statement, { maxRows: 1 }, call())).body).toMatchObject({ rows })
	const { options } = (await console.complete?.('select * from th', 16, call())) ?? { options: [] }
	expect(options.find(({ label }) => label === 'there')).toMatchObject({ insert: 'there' })
	await expect(connection.openSession(call(), { schema: 'gone' })).rejects.toMatchObject({
		code: 'not_found',
		message: 'There is no schema gone that you may use. Choose another one.',
	})
})

test('a database that refuses a session hides no other one, and the overview says why it has no list', async () => {
	await server.sql('create database full_house connection limit 0')
	try {
		await using connection = await open({
			...server.settings,
			username: 'reader',
			database: 'postgres',
			allDatabases: true,
		})
		expect((await connection.listTables(call())).map(({ name }) => name)).toContain('public.open_table')
		const facts = await connection.readFacts(undefined, call())
		expect(facts.at(-1)).toMatchObject({
			title: 'Databases without a list of tables',
			list: { rows: [{ cells: ['full_house', expect.stringContaining('too many connections')] }] },
		})
	} finally {
		await server.sql('drop database full_house')
	}
})

test('a role sees what it may read, and a message names what it may not', async () => {
	await using connection = await open({ ...server.settings, username: 'reader', database: 'postgres' })
	const tables = await connection.listTables(call())
	expect(tables.map(({ name }) => name)).toEqual(['public.open_table'])
	expect(tables[0]?.cannot).toMatchObject({ insert: expect.stringContaining('right INSERT') })
	const page = await pageOf(connection, everything('public.open_table'))
	expect(page.columns.map(({ name }) => name)).toEqual(['id'])
	const facts = await connection.readFacts('public.open_table', call())
	expect(facts.length).toBeGreaterThan(3)
	await expect(run(connection, 'select * from denied')).rejects.toMatchObject({
		code: 'query_failed',
		engineCode: '42501',
	})
	await expect(run(connection, 'select * from closed.secret')).rejects.toMatchObject({
		code: 'query_failed',
		engineCode: '42501',
	})
})

test('a partitioned table has the rows and the size of all its partitions', async () => {
	await server.sql(`create table sales (id int primary key, what text) partition by range (id);
		create table sales_low partition of sales for values from (0) to (100);
		create table sales_high partition of sales for values from (100) to (1000) partition by range (id);
		create table sales_high_1 partition of sales_high for values from (100) to (500);
		create table sales_high_2 partition of sales_high for values from (500) to (1000);
		create table sales_none (id int) partition by range (id);
		insert into sales select n, repeat('x', 1000) from generate_series(1, 999) n;
		analyze sales_low; analyze sales_high_1; analyze sales_high_2;`)
	await using connection = await open(server.settings)
	const tables = new Map((await connection.listTables(call())).map(table => [table.name, table]))
	const sizeOf = (...names: readonly string[]) =>
		names.reduce((size, name) => size + (tables.get(`public.${name}`)?.sizeBytes ?? Number.NaN), 0)
	expect(sizeOf('sales_high_1')).toBeGreaterThan(100_000)
	expect(sizeOf('sales_high')).toBe(sizeOf('sales_high_1', 'sales_high_2'))
	expect(sizeOf('sales')).toBe(sizeOf('sales_low', 'sales_high'))
	expect(tables.get('public.sales')).toMatchObject({ rowCount: 999 })
	expect(sizeOf('sales_none')).toBe(0)
	const [overview] = await connection.readFacts('public.sales', call())
	const factOf = (name: string) => overview?.facts?.find(fact => fact.name === name)?.value
	expect(factOf('Rows, about')).toBe('999')
	expect(factOf('Total')).toMatch(/^\d{4} kB$/)
})

test('a table says what the role may not change, before an edit', async () => {
	await server.sql(`create schema granted; grant usage on schema granted to reader;
		create table granted.looked (id int primary key, a int);
		create table granted.added (id int primary key, a int);
		create table granted.partly (id int primary key, a int, b int);
		create table granted.free (id int primary key, a int);
		create view granted.seen as select id, a, id * 2 as twice from granted.added;
		grant select on all tables in schema granted to reader;
		grant insert on granted.added, granted.seen to reader;
		grant insert, update (a), delete on granted.partly to reader;
		grant insert, update, delete on granted.free to reader;
		insert into granted.looked values (1, 1)`)
	await using connection = await open({ ...server.settings, username: 'reader', database: 'postgres' })
	const tables = await connection.listTables(call())
	const cannotOf = (table: string) => tables.find(({ name }) => name === `granted.${table}`)?.cannot
	const lacks = (right: string) => expect.stringMatching(`^Your role lacks the right ${right} `)
	expect(cannotOf('looked')).toEqual({ insert: lacks('INSERT'), update: lacks('UPDATE'), delete: lacks('DELETE') })
	expect(cannotOf('added')).toEqual({ update: lacks('UPDATE'), delete: lacks('DELETE') })
	expect(cannotOf('partly')).toBeUndefined()
	expect(cannotOf('free')).toBeUndefined()
	const keyless = 'A view has no key, so its rows cannot be changed here. Use the console.'
	expect(cannotOf('seen')).toEqual({ update: keyless, delete: keyless })
	const readOnly = async (table: string) =>
		(await connection.describeTable(`granted.${table}`, call())).columns.map(column => column.isReadOnly)
	expect(await readOnly('looked')).toEqual([true, true])
	expect(await readOnly('added')).toEqual(['after_insert', 'after_insert'])
	expect(await readOnly('partly')).toEqual(['after_insert', false, 'after_insert'])
	expect(await readOnly('free')).toEqual([false, false])
	expect(await readOnly('seen')).toEqual(['after_insert', 'after_insert', true])
	const [row] = (await pageOf(connection, everything('granted.looked'))).rows
	const change = { kind: 'update', rowId: row?.id ?? '', set: { a: 2 } } as const
	await expect(connection.previewChanges('granted.looked', [change], call())).rejects.toMatchObject({
		code: 'unsupported',
		message: lacks('UPDATE'),
	})
	const added = { kind: 'insert', values: { id: 1, a: 1 } } as const
	expect(await connection.applyChanges('granted.seen', [added], call())).toMatchObject([{ status: 'applied' }])
})

test('a foreign table whose wrapper has no program hides no other table', async () => {
	await server.sql(
		'create foreign data wrapper nothing; create server nowhere foreign data wrapper nothing; create foreign table lost (id int) server nowhere',
	)
	try {
		await using connection = await open(server.settings)
		const tables = await connection.listTables(call())
		expect(tables.find(({ name }) => name === 'public.lost')?.cannot?.insert).toContain('takes no new rows')
		const { columns } = await connection.describeTable('public.lost', call())
		expect(columns.map(({ isReadOnly }) => isReadOnly)).toEqual([true])
	} finally {
		await server.sql('drop foreign data wrapper nothing cascade')
	}
})

test('a role that may not read the key reads rows, and changes none, as equal rows cannot be told apart', async () => {
	await server.sql(`create table keyless (id int primary key, shown int, other int not null unique);
		insert into keyless values (1, 7, 1), (2, 7, 2);
		grant select (shown), insert, update, delete on keyless to reader`)
	const opened = () => open({ ...server.settings, username: 'reader', database: 'postgres' })
	{
		await using connection = await opened()
		const page = await pageOf(connection, everything('public.keyless'))
		expect(page.rows.map(({ cells }) => cells)).toEqual([[7], [7]])
		expect(page.columns.map(({ isReadOnly }) => isReadOnly)).toEqual(['after_insert'])
		for (const kind of ['update', 'delete'] as const) {
			const change = { kind, rowId: page.rows[0]?.id ?? '', set: { shown: 8 } }
			await expect(connection.previewChanges('public.keyless', [change], call())).rejects.toThrow(
				'may not read what identifies a row',
			)
		}
	}
	// Another key can be read.
	await server.sql('grant select (other) on keyless to reader')
	await using connection = await opened()
	const page = await pageOf(connection, everything('public.keyless'))
	expect(page.columns.map(({ name, isKey }) => [name, isKey])).toEqual([
		['shown', false],
		['other', true],
	])
	const change = { kind: 'update', rowId: page.rows[0]?.id ?? '', set: { shown: 8 } } as const
	expect(await connection.applyChanges('public.keyless', [change], call())).toMatchObject([{ status: 'applied' }])
	expect(await server.sql('select shown from keyless order by id')).toEqual([{ shown: 8 }, { shown: 7 }])
})

test('types of extensions and of every kind are read, filtered and written back', async () => {
	await using connection = await open(server.settings)
	const page = await pageOf(connection, everything('public.odd'))
	const [first] = page.rows
	const values = Object.fromEntries(page.columns.map(({ name }, at) => [name, first?.cells[at] ?? null]))
	expect(values).toMatchObject({
		h: '"a"=>"1"',
		c: 'Text',
		p: '(1,2)',
		i: '10.0.0.1/8',
		b: '101',
		x: '<a/>',
		r: '{"[1,2)"}',
	})
	const { id, ...set } = values
	const change = { kind: 'update', rowId: first?.id ?? '', version: first?.version ?? '', set } as const
	expect(await connection.applyChanges('public.odd', [change], call())).toMatchObject([{ status: 'applied' }])
	const again = await pageOf(connection, everything('public.odd'))
	expect(again.rows[0]?.cells).toEqual(first?.cells)
	for (const { name, filterFields } of page.columns) {
		const [operator] = filterFields?.[0]?.operators ?? []
		if (operator !== 'equals') continue
		const text = String(values[name])
		const found = await pageOf(connection, {
			...everything('public.odd'),
			filters: [{ column: name, operator, values: [text] }],
		})
		expect(found.rows, name).toHaveLength(1)
	}
})

test('a list of 300 tables with their columns is quick to complete and to search', async () => {
	await server.sql(
		`do $$ begin for n in 1..300 loop execute format('create table wide_%s (id int primary key, a text, b int)', n); end loop; end $$`,
	)
	await using connection = await open(server.settings)
	expect((await connection.listTables(call())).length).toBeGreaterThan(300)
	const text = 'select w. from wide_77 w'
	const { options } = await connection.console.complete(text, 9, call())
	expect(options.map(({ label }) => label)).toEqual(['id', 'a', 'b'])
	await server.sql(`do $$ begin for n in 1..300 loop execute format('drop table wide_%s', n); end loop; end $$`)
})
