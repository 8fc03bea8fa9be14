import { type Conformance, conformance } from '@roundhouse/kit/conformance'
import { testedBinaries } from './servers/binaries.ts'
import { startTlsServers } from './servers/certificates.ts'
import { shop } from './servers/schema.ts'
import { startServer } from './servers/server.ts'

/**
 * How the conformance kit tries this driver: on a real server of this machine. `ROUNDHOUSE_POSTGRES` names another major
 * version than the newest, or `sample`.
 */
const wanted = process.env.ROUNDHOUSE_POSTGRES

async function start(schema: string, settings: Readonly<Record<string, string>> = {}) {
	const binaries = await testedBinaries()
	if (!binaries) throw new Error(`This machine has no PostgreSQL ${wanted ?? ''} for the test.`)
	return startServer({ binaries, schema, settings })
}

const onSample: Partial<Conformance> = {
	fixture: { sample: true },
	can: {
		authenticate: 'The sample accepts every login.',
		cancelStatements: 'PostgreSQL in WebAssembly has one thread, so nothing interrupts a statement.',
	},
	table: 'library.books',
	edits: { table: 'library.members', insert: { name: 'Eve' }, update: { name: 'Ada' }, values: { name: ['', "it's"] } },
	statements: {
		read: ['select * from shop.orders', 'table library.authors'],
		write: ["insert into library.authors (name) values ('Tea')"],
		destructive: ['delete from library.authors where id > 8', 'update shop.products set stock = 1'],
		broken: ['sell everything'],
		failing: 'select * from nowhere',
		parameters: { text: 'select {{value}}', name: 'value' },
		leftover: { set: "set application_name to 'left over'", show: 'show application_name' },
		separator: ';\n',
	},
}

const onServer: Conformance = {
	fixture: { start: () => start(shop) },
	manyTables: count =>
		start(`do $$ begin for n in 1..${count} loop execute format('create table t%s ()', n); end loop; end $$`, {
			max_locks_per_transaction: '10000',
		}),
	certificates: async ({ host, port }) => {
		const { authority, ports, stop } = await startTlsServers({ host: String(host), port: Number(port) })
		const verified = { sslMode: 'verify-full', caFile: authority }
		const at = (port: number) => ({ ...verified, port })
		return {
			trusted: at(ports.trusted),
			unknown: at(ports.unknown),
			wrongName: at(ports.wrongName),
			none: verified,
			stop,
		}
	},
	table: 'public.orders',
	edits: {
		table: 'public.customers',
		insert: { name: 'Eve', note: 'new' },
		update: { note: 'old' },
		values: {
			note: ['', ' ', "it's", '"', '🚂', '\\', '$1', null],
			photo: [{ bytes: 'AAH/' }],
			points: [{ number: '9223372036854775807' }, { number: '-9223372036854775808' }],
			data: [{ json: 'null' }, { json: '{"a": [1.10, "x"]}' }, null],
			tags: ['{}', '{a,"b c",NULL}', '[2:3]={x,y}'],
			home: ['("Main, 1",Berlin)'],
			span: ['[1,5)', 'empty'],
			wait: ['1 year 2 mons 3 days 04:05:06.789'],
			born: ['infinity', '0044-03-15 BC'],
			is_active: [false],
		},
	},
	statements: {
		read: [
			'select * from orders',
			"select count(*) from customers where name = 'it''s; drop table orders'",
			'values (1)',
			'table logs',
			'show server_version',
			'explain (analyze, buffers off) select 1',
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
			'with gone as (delete from logs returning *) select * from gone',
			"select nextval('orders_id_seq')",
			'truncate order_lines',
		],
		broken: ['sell everything', 'selectt 1', "select '"],
		failing: 'select * from nowhere',
		slow: 'select pg_sleep(30)',
		parameters: { text: 'select {{value}}', name: 'value' },
		leftover: { set: "set application_name to 'left over'", show: 'show application_name' },
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
					'create function rehearsed_log_note() returns trigger language plpgsql as $$ begin insert into rehearsed_log values (new.note); return new; end $$',
					'create trigger logged after update on rehearsed_notes for each row execute function rehearsed_log_note()',
					"insert into rehearsed_notes values (1, 'a'), (2, 'b')",
				],
				statement: "update rehearsed_notes set note = 'c' where id > 0",
				effect: { 'public.rehearsed_notes': { updated: 2 }, 'public.rehearsed_log': { inserted: 2 } },
			},
			cascade: {
				prepare: [
					'create table rehearsed_parents (id int primary key)',
					'create table rehearsed_children (id int, parent int references rehearsed_parents on delete cascade)',
					'insert into rehearsed_parents values (1), (2)',
					'insert into rehearsed_children values (1, 1), (2, 1), (3, 2)',
				],
				statement: 'delete from rehearsed_parents where id = 1',
				effect: { 'public.rehearsed_parents': { deleted: 1 }, 'public.rehearsed_children': { deleted: 2 } },
			},
			sequence: {
				prepare: ['create table rehearsed_numbers (id serial primary key, note text)'],
				statement: "insert into rehearsed_numbers (note) values ('a'), ('b')",
				effect: { 'public.rehearsed_numbers': { inserted: 2 } },
			},
		},
		separator: ';\n',
	},
}

export default conformance(wanted === 'sample' ? { ...onSample, fixture: { sample: true } } : onServer)
