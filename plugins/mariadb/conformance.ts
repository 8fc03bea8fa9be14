import { conformance } from '@roundhouse/kit/conformance'
import { startTlsServers } from './servers/certificates.ts'
import { shop } from './servers/schema.ts'
import { startServer } from './servers/server.ts'

/** How the conformance kit tries this driver: on a MariaDB server of this machine. */
export default conformance({
	fixture: { start: () => startServer({ schema: shop }) },
	manyTables: count =>
		startServer({
			schema: `begin not atomic declare n int default 0; while n < ${count} do set n = n + 1;
				execute immediate concat('create table t', n, ' (id int) engine = memory'); end while; end`,
		}),
	certificates: async () => {
		const { authority, trusted, unknown, wrongName, stop } = await startTlsServers()
		return { trusted, unknown, wrongName, none: { sslMode: 'VERIFY_IDENTITY', caFile: authority }, stop }
	},
	table: 'shop.orders',
	edits: {
		table: 'shop.customers',
		insert: { name: 'Eve', note: 'new' },
		update: { note: 'old' },
		values: {
			note: ['', ' ', "it's", '"', '🚂', '\\', '?', null],
			photo: [{ bytes: 'AAH/' }],
			points: [{ number: '9223372036854775807' }, { number: '-9223372036854775808' }],
			most: [{ number: '18446744073709551615' }, 0],
			balance: [{ number: '9999999999.99' }, { number: '-0.01' }],
			data: [{ json: '{"a": [1.10, "x"]}' }, null],
			flags: ['10000001'],
			wait: ['-838:59:59.000', '26:00:00.500'],
			seen: ['2026-11-29 01:02:03.456789', '9999-12-31 23:59:59.999999'],
			born: ['0001-01-01'],
			made: [1901],
			state: ['sent'],
			tags: ['a,c', ''],
			place: ['POINT(1.5 -2)'],
			code: [{ bytes: 'AAECAw==' }],
		},
	},
	statements: {
		read: [
			'select * from orders',
			"select count(*) from customers where name = 'it''s; drop table orders'",
			'values (1)',
			'select 1 union all values (2)',
			"show variables like 'version'",
			'describe orders',
			'explain select * from orders',
			'with big as (select 1) /* ; drop table orders */ select * from big',
		],
		write: [
			"insert into logs values (now(), 'x')",
			"update orders set state = 'paid' where id = 1",
			'create table made (id int)',
		],
		destructive: [
			"update orders set state = 'new'",
			'delete from order_lines where order_id = 4',
			'truncate order_lines',
			'drop table logs',
			'/*! delete from logs */',
			"select 1 into outfile 'never'",
		],
		broken: ['sell everything', 'selectt 1', "select '"],
		failing: 'select * from nowhere',
		slow: 'select sleep(30)',
		parameters: { text: 'select {{value}}', name: 'value' },
		leftover: { set: "set @left = 'left over'", show: 'select @left' },
		transaction: {
			begin: 'begin',
			write: "update customers set note = 'seen' where id = 1",
			read: 'select note from customers order by id',
			commit: 'commit',
			rollback: 'rollback',
		},
		rehearsals: {
			trigger: {
				prepare: [
					'create table rehearsed_notes (id int primary key, note text)',
					'create table rehearsed_log (note text)',
					'create trigger logged after update on rehearsed_notes for each row insert into rehearsed_log values (new.note)',
					"insert into rehearsed_notes values (1, 'a'), (2, 'b')",
				],
				statement: "update rehearsed_notes set note = 'c' where id > 0",
				effect: { 'shop.rehearsed_notes': { updated: 2 }, 'shop.rehearsed_log': { inserted: 2 } },
			},
			cascade: {
				prepare: [
					'create table rehearsed_parents (id int primary key)',
					'create table rehearsed_children (id int, parent int, foreign key (parent) references rehearsed_parents (id) on delete cascade)',
					'insert into rehearsed_parents values (1), (2)',
					'insert into rehearsed_children values (1, 1), (2, 1), (3, 2)',
				],
				statement: 'delete from rehearsed_parents where id = 1',
				effect: { 'shop.rehearsed_parents': { deleted: 1 }, 'shop.rehearsed_children': { deleted: 2 } },
			},
			sequence: {
				prepare: ['create table rehearsed_numbers (id int auto_increment primary key, note text)'],
				statement: "insert into rehearsed_numbers (note) values ('a'), ('b')",
				effect: { 'shop.rehearsed_numbers': { inserted: 2 } },
			},
		},
		separator: ';\n',
	},
})
