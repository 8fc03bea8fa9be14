import mysql from 'mysql2/promise'
import { connect } from '../../plugins/mariadb/connect.ts'
import { hasServer, password, startServer } from '../../plugins/mariadb/servers/server.ts'
import { printed } from './sql/program.ts'
import { benchSqlDriver, rows } from './sql/sql-driver.ts'

/** The MariaDB driver beside `mysql2` and the program `mariadb`. */

const schema = `
create table wide (id int primary key, name varchar(40), code char(32), total decimal(20, 2), flag boolean, at datetime(3),
	note varchar(40), data json) as select seq as id, concat('Customer ', seq) as name, md5(seq) as code, seq * 1.10 as total,
	seq % 2 = 0 as flag, timestamp'2024-01-01 00:00:00' + interval seq second as at, if(seq % 3 = 0, null, concat('note ', seq)) as note,
	json_object('n', seq) as data from seq_1_to_${rows};
analyze table wide`

export async function bench(): Promise<void> {
	if (!hasServer) {
		console.log('SKIPPED: this machine has no MariaDB server. Install mariadb-server.')
		return
	}
	await using server = await startServer({ schema, options: ['--innodb-buffer-pool-size=256M'] })
	const client = await mysql.createConnection({
		host: '127.0.0.1',
		port: server.port,
		user: 'root',
		password,
		database: 'shop',
	})
	const program =
		(...args: readonly string[]) =>
		() =>
			printed(
				'mariadb',
				['--no-defaults', '-h', '127.0.0.1', '-P', String(server.port), '-u', 'root', ...args, 'shop'],
				{
					MYSQL_PWD: password,
				},
			)
	try {
		await benchSqlDriver({
			table: 'shop.wide',
			connect: (context, call) => connect(server.settings, context, call),
			bare: sql => client.query(sql),
			dumps: { 'mariadb --quick': program('--quick', '--batch', '-e', 'select * from wide') },
			leastRate: 0.8,
			formats: ['csv', 'ndjson', 'json', 'sql'],
		})
	} finally {
		await client.end()
	}
}
