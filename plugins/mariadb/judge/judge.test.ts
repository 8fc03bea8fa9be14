import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import mysql from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { someOf } from '../../../tests/support/cases.ts'
import { hasServer, password } from '../servers/server.ts'
import { attacks, reads, waits } from '../test/attacks.ts'
import { open, openForFile, signal } from '../test/fixture.ts'
import { functionsOf, wordsBeforeBracket } from './functions.ts'
import { judge } from './judge.ts'

/** Writes a row that no rollback removes. */
const acting = 'begin insert into audit values (1); return 1; end'

const { server, session } = await openForFile({
	schema: `
	create table audit (id int) engine = MyISAM;
	create table t (id int primary key, a int);
	insert into t values (1, 1), (2, 2);
	create sequence s;
	create table numbered (n int default nextval(s), id int);
	insert into numbered values (1, 1);
	create table computed (id int, doubled int as (id * 2) virtual);
	create function f() returns int modifies sql data ${acting};
	create function abs2(a int) returns int modifies sql data ${acting};
	create function \`count\`(a int) returns int modifies sql data ${acting};
	create function \`now\`() returns int modifies sql data ${acting};
	create function \`max\`() returns int modifies sql data ${acting};
	create function \`json_table\`(a int) returns int modifies sql data ${acting};
	create function \`point\`() returns int modifies sql data ${acting};
	create function \`1abs\`(a int) returns int modifies sql data ${acting};
	create function \`1if\`(a int, b int, c int) returns int modifies sql data ${acting};
	create function \`li\u212ae\`(a int) returns int modifies sql data ${acting};
	create function \`wee\u212a\`(a int) returns int modifies sql data ${acting};
	create procedure p() insert into audit values (2);
	create view w as select f() as a;
	create view w2 as select * from w;
	create view \`\u0130\` as select f() as a;
	create view \`\u212a\` as select f() as a;
	create view \`\u1e9e\` as select f() as a;
	create view good as select id, concat(a, '\\\\''') as b, now() as c, count(0) as d from t group by id;
	create view good2 as select * from good;`,
})

if (hasServer)
	await server.sql(
		`install soname 'ha_federatedx'; create user far@'127.0.0.1' identified by 'far'; grant all on shop.* to far@'127.0.0.1';
		create table far (id int, a int) engine = federated connection = 'mysql://far:far@127.0.0.1:${server.port}/shop/t'`,
		'shop',
	)

interface Observer extends AsyncDisposable {
	/** Runs a statement without the driver, and returns whether anything differs afterwards. */
	acts(sql: string): Promise<boolean>
}

const volatile =
	"'TIMESTAMP', 'RAND_SEED1', 'RAND_SEED2', 'WARNING_COUNT', 'ERROR_COUNT', 'PSEUDO_THREAD_ID', 'LAST_GTID', 'GTID_BINLOG_POS', 'GTID_CURRENT_POS'"

async function observe(folder: string): Promise<Observer> {
	const connect = () =>
		mysql.createConnection({
			socketPath: server.socketPath,
			user: 'root',
			password,
			database: 'shop',
			multipleStatements: true,
		})
	let own = await connect()
	own.on('error', () => {})
	const other = await connect()
	/** Waits until the server has released the locks. */
	const end = async ({ threadId }: mysql.Connection) => {
		await other.query(`kill ${threadId}`).catch(() => {})
		const sql = `select id from information_schema.processlist where id = ${threadId}`
		while ((await ask(other, sql)) !== '[]') await new Promise(setImmediate)
	}
	const ask = async (connection: mysql.Connection, sql: string) =>
		JSON.stringify(
			await connection.query(sql).then(
				([rows]) => rows,
				(error: Error) => error.message,
			),
		)
	const outside = [
		'checksum table shop.audit, shop.t, shop.numbered, shop.s, mysql.global_priv, mysql.table_stats',
		'select next_not_cached_value from shop.s',
		"select table_schema, table_name, table_type, create_options from information_schema.tables where table_schema not in ('sys', 'information_schema')",
		'select table_name, column_name, column_default from information_schema.columns where table_schema = "shop"',
		'select routine_name, routine_definition from information_schema.routines where routine_schema = "shop"',
		'select trigger_name from information_schema.triggers',
		'select event_name from information_schema.events',
		'select table_name, index_name from information_schema.statistics where table_schema = "shop"',
		'select view_definition from information_schema.views where table_schema = "shop"',
		"select is_free_lock('a')",
		'set innodb_lock_wait_timeout = 0; begin; select * from shop.t for update nowait; rollback',
		'set lock_wait_timeout = 0; insert into shop.computed (id) values (1); delete from shop.computed',
	]
	const inside = [
		`select * from information_schema.session_variables where variable_name not in (${volatile})`,
		'select * from information_schema.user_variables',
		'select database(), @@in_transaction, last_insert_id()',
		'select * from shop.made',
		'handler t read first',
		'execute x',
	]
	const state = async () => {
		const parts: string[] = []
		for (const sql of inside) parts.push(await ask(own, sql))
		for (const sql of outside) parts.push(await ask(other, sql))
		parts.push((await readdir(folder)).join())
		return parts
	}
	const reset = async () => {
		await end(own)
		await other.query('set innodb_lock_wait_timeout = 50, lock_wait_timeout = 50')
		await other.query(`unlock tables; rollback; set foreign_key_checks = 0; drop table if exists shop.t, shop.t2, shop.made; drop view if exists shop.made;
			drop sequence if exists shop.made, shop.s; drop user if exists made@localhost; drop procedure if exists shop.made; drop event if exists shop.made;
			create table shop.t (id int primary key, a int); insert into shop.t values (1, 1), (2, 2); create sequence shop.s; truncate shop.audit;
			create or replace view shop.w as select shop.f() as a; alter user root@localhost identified by '${password.replaceAll("'", "''")}';`)
		await rm(join(folder, 'stolen'), { force: true })
		own = await connect()
		own.on('error', () => {})
	}
	return {
		acts: async sql => {
			await own.query('select 1')
			await own.query('begin').catch(() => {})
			const before = await state()
			await own.query(sql.replace('@file', join(folder, 'stolen'))).catch(() => {})
			const after = await state()
			const isSame = (now: readonly string[]) => now.every((part, at) => part === before[at])
			const isChanged = !isSame(after)
			if (isChanged) {
				// Most only add a row to one table.
				await own.query('truncate shop.audit; rollback; begin').catch(() => {})
				if (!isSame(await state())) await reset()
			} else await own.query('rollback').catch(() => {})
			return isChanged
		},
		[Symbol.asyncDispose]: async () => {
			own.destroy()
			other.destroy()
		},
	}
}

const judged = (sql: string) => judge(session, sql, { signal })

describe.skipIf(!hasServer)('the judge', () => {
	test('takes no statement that acts for a read', async () => {
		expect(attacks.length).toBeGreaterThan(120)
		await using observer = await observe(dirname(server.socketPath))
		const acting: string[] = []
		const wrong: string[] = []
		const tried = someOf(attacks)
		for (const sql of tried) {
			const { reason } = await judged(sql)
			if (await observer.acts(sql)) {
				acting.push(sql)
				if (reason === undefined) wrong.push(sql)
			}
		}
		expect(wrong).toEqual([])
		// The observer sees what acts: most of these do.
		expect(acting.length).toBeGreaterThan(tried.length * 0.8)
	})

	test('takes no attack for a read, also where this server refuses it', async () => {
		const taken: string[] = []
		for (const sql of [...attacks, ...waits]) if ((await judged(sql)).reason === undefined) taken.push(sql)
		expect(taken).toEqual([])
	})

	test('takes what people read for a read', async () => {
		const refused: string[] = []
		for (const sql of reads) {
			const { reason } = await judged(sql)
			if (reason !== undefined) refused.push(`${sql}: ${reason}`)
		}
		expect(refused).toEqual([])
	})

	test('what it takes for a read, the server runs where it refuses writes', async () => {
		const failed: string[] = []
		// A plan of a change needs a transaction that may write.
		for (const sql of reads.filter(text => !/^explain (?:update|insert|delete)/.test(text)))
			await session.read({ sql }, signal).catch(error => failed.push(`${sql}: ${String(error)}`))
		expect(failed.filter(line => !/versioned/.test(line))).toEqual([])
	})

	test('a routine never takes the place of a listed function or a word', async () => {
		const names = [...functionsOf('MariaDB'), ...wordsBeforeBracket].filter(
			name => !['count', 'now', 'max'].includes(name),
		)
		const called: string[] = []
		await using other = await openOther()
		for (const name of someOf(names, 12))
			for (const count of [0, 1, 2]) {
				// Without arguments, some are no functions of the server, and are refused.
				if (count === 0 && (await judged(`select ${name}()`)).reason !== undefined) continue
				if (name === 'json_table') continue
				const parameters = ['a int', 'b int'].slice(0, count).join()
				await other.sql(
					`create or replace function \`${name}\`(${parameters}) returns int deterministic begin signal sqlstate '45000' set message_text = 'called'; return 1; end`,
				)
				const values = ['1', '2'].slice(0, count).join()
				for (const text of [`${name}(${values})`, ...(wordsBeforeBracket.has(name) ? [`${name} (${values})`] : [])]) {
					const error = await other.sql(`select ${text}`).then(
						() => '',
						(error: Error) => error.message,
					)
					if (error === 'called' || /^FUNCTION.*does not exist/.test(error)) called.push(text)
				}
				await other.sql(`drop function \`${name}\``)
			}
		expect(called).toEqual([])
	})

	test('a definition that the role may not see is not a read', async () => {
		await server.sql("create user reader@'127.0.0.1' identified by 'r'; grant select on shop.* to reader@'127.0.0.1'")
		using reader = await open({ ...server.settings, username: 'reader', password: 'r' })
		expect((await judge(reader, 'select * from good', { signal })).reason).toMatch('may not see')
		expect((await judge(reader, 'select * from t', { signal })).reason).toBeUndefined()
	})

	test('a change of a definition shows', async () => {
		const before = await judged('select * from good2')
		await server.sql('create or replace view shop.good as select 1 as id', 'shop')
		const after = await judged('select * from good2')
		expect(after.reason).toBeUndefined()
		expect(after.definitions).not.toEqual(before.definitions)
	})
})

async function openOther() {
	const connection = await mysql.createConnection({
		socketPath: server.socketPath,
		user: 'root',
		password,
		database: 'shop',
	})
	return {
		sql: async (text: string) => void (await connection.query(text)),
		[Symbol.asyncDispose]: async () => connection.destroy(),
	}
}
