import type { DriverContext } from '@roundhouse/kit'
import pg from 'pg'
import { connect } from '../../plugins/postgres/connect.ts'
import { startServer, type TestServer } from '../../plugins/postgres/servers/server.ts'
import { printed } from './sql/program.ts'
import { benchSqlDriver, rows } from './sql/sql-driver.ts'

/** The PostgreSQL driver beside `pg` and `psql`. */

export const schema = `
create table wide as select n as id, 'Customer ' || n as name, md5(n::text) as code, n * 1.10 as total, n % 2 = 0 as flag,
	timestamptz '2024-01-01' + n * interval '1 second' as at, case when n % 3 = 0 then null else 'note ' || n end as note,
	jsonb_build_object('n', n) as data from generate_series(1, ${rows}) n;
alter table wide add primary key (id);`

export async function bench(): Promise<void> {
	await using server = await startServer({ schema, settings: { shared_buffers: '256MB' } })
	await server.sql('vacuum analyze wide')
	await benchPostgres(server, { port: server.port })
}

/** Measures the driver and its peers, which reach the server at `port`. The driver is led as `through` says. */
export async function benchPostgres(
	server: TestServer,
	{ port, through = {} }: { readonly port: number; readonly through?: Partial<DriverContext> },
): Promise<void> {
	const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: server.password })
	await client.connect()
	const psql = (sql: string) => () =>
		printed('psql', ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', sql], {
			PGPASSWORD: server.password,
		})
	try {
		await benchSqlDriver({
			table: 'public.wide',
			connect: (context, call) => connect(server.settings, { ...context, ...through }, call),
			bare: sql => client.query(sql),
			dumps: {
				'COPY TO STDOUT': psql('copy wide to stdout'),
				'COPY TO STDOUT, CSV': psql('copy wide to stdout (format csv, header)'),
			},
			leastRate: 0.8,
			formats: ['csv', 'ndjson', 'json', 'sql'],
		})
	} finally {
		await client.end()
	}
}
