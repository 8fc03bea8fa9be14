import { conformance } from '@roundhouse/kit/conformance'
import { startServer } from './server.ts'

/** What `roundhouse driver check` tries on this driver. */
export default conformance({
	fixture: { start: () => startServer() },
	manyTables: startServer,
	can: {
		verifyCertificates: 'The protocol has no TLS.',
		export: 'The driver has no export.',
		pageWhileWriting: 'A page is a query with an offset.',
	},
	table: 'orders',
	edits: {
		table: 'customers',
		insert: { name: 'Eve', note: 'new' },
		update: { note: 'old' },
		values: { note: ['', ' ', "it's", '"', '🚂', null], photo: [{ bytes: 'AAH/' }] },
	},
	statements: {
		read: [
			'select * from orders',
			"select count(*) from customers where name = 'it''s; drop table orders'",
			'values (1)',
		],
		write: ["insert into customers (name) values ('Tea')", "update orders set state = 'paid' where id = 1"],
		destructive: ["update orders set state = 'new'", 'delete from orders where id = 4', 'select load_extension(1)'],
		broken: ['sell everything', 'selectt 1'],
		failing: 'select * from nowhere',
		slow: 'select * from forever',
		parameters: { text: 'select {{value}}', name: 'value' },
		leftover: { set: 'create temp table kept as select 1', show: 'select count(*) from sqlite_temp_schema' },
		transaction: {
			begin: 'begin',
			write: "update customers set note = 'seen' where id = 1",
			read: 'select note from customers order by id',
			commit: 'commit',
			rollback: 'rollback',
		},
		separator: ';\n',
	},
})
