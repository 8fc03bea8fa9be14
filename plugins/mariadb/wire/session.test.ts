import { describe, expect, test } from 'vitest'
import { hasServer } from '../servers/server.ts'
import { open, openForFile, rowsOf, signal } from '../test/fixture.ts'
import { versionOf } from './login.ts'

const { server, session } = await openForFile({
	schema: `
	create table numbers (id int primary key, big bigint unsigned, exact decimal(65,30), flags bit(10), one bit(1), ratio double);
	insert into numbers values (1, 18446744073709551615, 12345678901234567890.123456789012345678901234567890, b'0000000101', b'1', 0.1);
	set sql_mode = '';
	create table times (day date, at datetime(6), moment timestamp(6) null, span time(6), year year);
	insert into times values ('0000-00-00', '0000-00-00 00:00:00', null, '-838:59:59.000000', 1901), ('2024-00-10', '9999-12-31 23:59:59.999999', '2024-03-31 02:30:00.000001', '100:00:00.5', 2155);
	set sql_mode = default;
	create table texts (name varchar(100), raw varbinary(20), doc json, state enum('a', 'b''c'), parts set('x', 'y'), place geometry, id uuid, address inet6);
	insert into texts values ('é😀\\\\''"', x'00ff27', '{"a": 18446744073709551616}', 'b''c', 'x,y', ST_GeomFromText('POLYGON((0 0,1 0,1 1.5,0 0))'), '123e4567-e89b-12d3-a456-426655440000', '::1');
	create table plain (id int) engine = MyISAM;
	create procedure several() begin select 1 as a; select 2 as b, 3 as c; end`,
})

test.each([
	['5.5.5-10.11.19-MariaDB-0+deb12u1', { product: 'MariaDB', version: '10.11.19' }],
	['11.4.2-MariaDB', { product: 'MariaDB', version: '11.4.2' }],
	['8.4.3', { product: 'MySQL', version: '8.4.3' }],
])('reads the version of %s', (text, version) => {
	expect(versionOf(text)).toEqual(version)
})

describe.skipIf(!hasServer)('a session', () => {
	test('reads numbers with all their digits', async () => {
		expect(await rowsOf(session, 'select big, exact, flags, one, ratio, 1e300, -0.10 from numbers')).toEqual([
			[
				'18446744073709551615',
				'12345678901234567890.123456789012345678901234567890',
				'0000000101',
				'1',
				'0.1',
				'1e300',
				'-0.10',
			],
		])
	})

	test('reads dates that are zero or incomplete, and times beyond a day, as the server prints them', async () => {
		expect(await rowsOf(session, 'select * from times order by year')).toEqual([
			['0000-00-00', '0000-00-00 00:00:00.000000', null, '-838:59:59.000000', '1901'],
			['2024-00-10', '9999-12-31 23:59:59.999999', '2024-03-31 02:30:00.000001', '100:00:00.500000', '2155'],
		])
	})

	test('reads texts, bytes, JSON and shapes', async () => {
		const [row = []] = await rowsOf(session, 'select * from texts')
		expect(row).toEqual([
			'é😀\\\'"',
			new Uint8Array([0, 255, 39]),
			'{"a": 18446744073709551616}',
			"b'c",
			'x,y',
			'POLYGON((0 0,1 0,1 1.5,0 0))',
			'123e4567-e89b-12d3-a456-426655440000',
			'::1',
		])
	})

	test.each([
		'POINT(1 -2.5)',
		'LINESTRING(0 0,1 1)',
		'MULTIPOINT(0 0,1 1)',
		'MULTILINESTRING((0 0,1 1),(2 2,3 3))',
		'MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))',
		'GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))',
	])('writes %s as the server does', async text => {
		const [row] = await rowsOf(session, `select ST_GeomFromText('${text}'), ST_AsText(ST_GeomFromText('${text}'))`)
		expect(row).toEqual([text, text])
	})

	test.each([
		["it's", '\\', '\\\\', 'a\\', "'; drop table numbers; -- ", '\u0000\u001a\n', '😀', '"', '`', '?'],
	])('sends any text as it is', async (...texts) => {
		const sql = `select ${texts.map(() => '?').join(', ')}`
		expect((await session.read({ sql, values: texts }, signal)).rows).toEqual([texts])
		for (const mode of ['NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', '']) {
			await using stack = new AsyncDisposableStack()
			const other = stack.use(await open(server.settings, { use: 'user' }))
			await other.query({ sql: `set sql_mode = '${mode}'` }, signal)
			expect((await other.read({ sql, values: texts }, signal)).rows).toEqual([texts])
		}
	})

	test('sends bytes, numbers and NULL', async () => {
		const values = [new Uint8Array([0, 39, 255]), { number: '-1.50' }, null]
		expect((await session.read({ sql: 'select ?, 1-?, ?', values }, signal)).rows).toEqual([[values[0], '2.50', null]])
		await expect(session.read({ sql: 'select ?', values: [{ number: '1 or 1' }] }, signal)).rejects.toThrow(
			'is not a number',
		)
	})

	test.each([
		'insert into numbers (id) values (9)',
		'insert into plain values (1)',
		'create table made (id int)',
		'drop table plain',
		'truncate plain',
		'call several()',
	])('a read of %s changes nothing', async sql => {
		using other = await open(server.settings, { use: 'user' })
		for (const reader of [session, other]) await reader.read({ sql }, signal).catch(() => {})
		expect(
			await server.sql('select (select count(*) from shop.numbers) as a, (select count(*) from shop.plain) as b'),
		).toEqual([{ a: 1, b: 0 }])
		expect(await server.sql("show tables in shop like 'made'")).toEqual([])
	})

	test('a read-only session refuses writes also outside of reads', async () => {
		using readOnly = await open(server.settings, { context: { isReadOnly: true } })
		await expect(readOnly.query({ sql: 'insert into numbers (id) values (9)' }, signal)).rejects.toMatchObject({
			code: 'query_failed',
			engineCode: '1792',
		})
	})

	test('an error has its number and its place', async () => {
		const failed = (sql: string) => session.query({ sql }, signal).catch(error => error)
		expect(await failed('select 1,\n  from x')).toMatchObject({ code: 'query_failed', engineCode: '1064', at: 12 })
		expect(await failed('select 1 +')).toMatchObject({ engineCode: '1064', at: 10 })
		expect(await failed('select nonesuch from numbers')).toMatchObject({ engineCode: '1054', at: 7 })
		expect(await failed('select 1 from nonesuch')).toMatchObject({ engineCode: '1146', at: 14 })
		const twice = session.write({ sql: 'insert into numbers (id) values (1)' }, signal)
		await expect(twice).rejects.toMatchObject({ code: 'query_failed', engineCode: '1062' })
	})

	test('an aborted statement is stopped, and the session runs the next one', async () => {
		const control = new AbortController()
		const running = session.query({ sql: 'select sleep(100) from numbers' }, control.signal)
		// Until the server runs it.
		await expect
			.poll(() =>
				server.sql(
					"select id from information_schema.processlist where info like '%sleep(100)%' and info not like '%processlist%'",
				),
			)
			.toHaveLength(1)
		control.abort(new Error('stopped'))
		await expect(running).rejects.toThrow('stopped')
		expect(await rowsOf(session, 'select 1')).toEqual([['1']])
	})

	test('an answer has the rows that were asked for, and the server stops', async () => {
		const { rows, isCut } = await session.read({ sql: 'select seq from seq_1_to_100000000', most: 2 }, signal)
		expect([rows, isCut]).toEqual([[['1'], ['2']], true])
		expect(await rowsOf(session, 'select 1')).toEqual([['1']])
	})

	test('rows wait until the one before was taken', async () => {
		let taken = 0
		let inHand = 0
		await session.readEach(
			{ sql: 'select seq from seq_1_to_3000' },
			async () => {
				expect(++inHand).toBe(1)
				await Promise.resolve()
				inHand--
				taken++
			},
			signal,
		)
		expect(taken).toBe(3_000)
	})

	test('a reader that fails stops the statement, and keeps the session', async () => {
		const reading = session.readEach(
			{ sql: 'select seq from seq_1_to_100000000' },
			() => {
				throw new Error('the disk is full')
			},
			signal,
		)
		await expect(reading).rejects.toThrow('the disk is full')
		expect(await rowsOf(session, 'select 1')).toEqual([['1']])
	})

	test('a procedure has several results', async () => {
		const { results, rows } = await session.query({ sql: 'call several()' }, signal)
		expect(results.map(({ rows }) => rows)).toEqual([[['1']], [['2', '3']], []])
		expect(rows).toEqual([['1']])
	})

	test('knows whether a transaction is open', async () => {
		const states: unknown[] = []
		using other = await open(server.settings, { use: 'user' })
		const run = async (sql: string) => {
			await other.query({ sql }, signal).catch(() => {})
			states.push(other.transaction)
		}
		for (const sql of ['begin', 'select 1 from numbers', 'nonsense', 'create table ddl (id int)', 'set autocommit = 0'])
			await run(sql)
		for (const sql of ['select 1 from numbers', 'rollback']) await run(sql)
		expect(states).toEqual(['open', 'open', 'open', undefined, undefined, 'open', undefined])
	})

	test('a deadlock or a failed change leaves the state that the server has', async () => {
		using other = await open(server.settings, { use: 'user' })
		await other.query({ sql: 'begin' }, signal)
		await other.query({ sql: "signal sqlstate '40001' set mysql_errno = 1213" }, signal).catch(() => {})
		expect(other.transaction).toBe('open')
	})

	test('knows how it reads texts', async () => {
		using other = await open(server.settings, { use: 'user' })
		const after = async (sql: string) => {
			await other.query({ sql }, signal)
			return other.modes(signal)
		}
		const plain = { ansiQuotes: false, noBackslashEscapes: false, isForeign: false }
		expect(await session.modes(signal)).toEqual(plain)
		expect(await after("set sql_mode = 'ANSI'")).toEqual({ ...plain, ansiQuotes: true })
		expect(await after("set sql_mode = 'NO_BACKSLASH_ESCAPES'")).toEqual({ ...plain, noBackslashEscapes: true })
		expect(await after("set sql_mode = ''")).toEqual(plain)
		expect(await after('set names gbk')).toEqual({ ...plain, isForeign: true })
		expect(await after("set names utf8mb4, sql_mode = 'ORACLE'")).toMatchObject({ isForeign: true })
	})

	test('warnings are notices', async () => {
		const { notices } = await session.query({ sql: "select cast('1x' as signed)" }, signal)
		expect(notices).toEqual([expect.stringContaining('Truncated incorrect INTEGER value')])
	})

	test('a console can write after a read', async () => {
		using other = await open(server.settings, { use: 'user' })
		await other.read({ sql: 'select 1' }, signal)
		await other.query({ sql: 'insert into plain values (5)' }, signal)
		await other.query({ sql: 'delete from plain' }, signal)
		await other.query({ sql: 'set session transaction read only' }, signal)
		await other.read({ sql: 'select 1' }, signal)
		await expect(other.query({ sql: 'delete from plain' }, signal)).rejects.toMatchObject({ engineCode: '1792' })
	})

	test('a write of the driver is committed', async () => {
		const { affected, insertId } = await session.write({ sql: 'insert into plain values (5)' }, signal)
		expect([affected, insertId]).toEqual([1, undefined])
		expect(await rowsOf(session, 'select * from plain')).toEqual([['5']])
		await session.write({ sql: 'delete from plain' }, signal)
	})

	test('work that fails is rolled back', async () => {
		const work = session.writing(signal, async run => {
			await run({ sql: 'insert into numbers (id) values (7)' })
			throw new Error('no')
		})
		await expect(work).rejects.toThrow('no')
		expect(session.transaction).toBeUndefined()
		expect(await rowsOf(session, 'select id from numbers')).toEqual([['1']])
	})

	test('the server cannot ask for a file', async () => {
		await expect(
			session.query({ sql: "load data local infile '/etc/passwd' into table plain" }, signal),
		).rejects.toThrow()
		expect(session.isUsable).toBe(true)
	})

	test('several statements in one text are an error', async () => {
		await expect(session.query({ sql: 'select 1; select 2' }, signal)).rejects.toMatchObject({ engineCode: '1064' })
	})

	test('a session that the server ends is no longer usable', async () => {
		using other = await open(server.settings)
		await server.sql(`kill ${other.id}`)
		await expect(other.query({ sql: 'select 1' }, signal)).rejects.toMatchObject({ code: 'not_connected' })
		expect(other.isUsable).toBe(false)
	})
})
