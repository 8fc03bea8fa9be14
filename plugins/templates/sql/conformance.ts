import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { conformance } from '@roundhouse/kit/conformance'

/** What `roundhouse driver check` tries on this driver: a file that SQLite itself has written. */

const shop = `
	create table customers (id integer primary key, name text not null, note text, photo blob);
	insert into customers values (1, 'Ada', 'it''s', x'00ff'), (2, 'Björn', null, null), (3, '🚂', '', x'');
	create table orders (id integer primary key, customer_id int not null references customers, state text, total real);
	insert into orders values (1, 1, 'new', 9.5), (2, 1, 'paid', 0.1), (3, 2, 'new', null), (4, 3, 'sent', -1e300),
		(9223372036854775807, 3, 'sent', 3);
	create view totals as select customer_id, sum(total) as total from orders group by customer_id;
	create table "it's ""odd"", a.b; --" (x);
	create table words (word text primary key, n) without rowid;
	insert into words values ('a', 1), ('b', '1'), ('c', x'31')`

async function fileOf(sql: string) {
	const folder = await mkdtemp(join(tmpdir(), 'sqlite-'))
	const file = join(folder, 'shop.db')
	const database = new DatabaseSync(file)
	database.exec(sql)
	database.close()
	return { settings: { file }, stop: () => rm(folder, { recursive: true, force: true }) }
}

const readsOnly = 'The driver reads a copy of the file.'

export default conformance({
	fixture: { start: () => fileOf(shop) },
	manyTables: count =>
		fileOf(`begin; ${Array.from({ length: count }, (_, at) => `create table t${at} (a);`).join('')} commit`),
	can: {
		authenticate: 'A file has no login.',
		verifyCertificates: 'A file has no network.',
		insert: readsOnly,
		update: readsOnly,
		delete: readsOnly,
		detectConflicts: readsOnly,
		pageWhileWriting: 'A copy does not change.',
		cancelStatements: 'SQLite runs in the thread of the driver. The host ends the process of one that takes too long.',
	},
	table: 'orders',
	statements: {
		read: [
			'select * from orders',
			"select count(*) from customers where name = 'it''s; drop table orders'",
			'values (1)',
			'with big as (select 1) /* ; drop table orders */ select * from big',
		],
		broken: ['sell everything', 'selectt 1', "select '"],
		failing: 'select * from nowhere',
		parameters: { text: 'select {{value}}', name: 'value' },
		leftover: { set: 'create temp table kept as select 1', show: 'select count(*) from sqlite_temp_schema' },
		separator: ';\n',
	},
})
