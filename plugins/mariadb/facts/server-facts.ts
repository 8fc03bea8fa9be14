import type { FactSection } from '@roundhouse/kit'
import type { Session } from '../wire/session.ts'
import { countWords, type FactsQuery, factsSection, type ListQuery, listSection, sizeWords } from './section.ts'

/** Facts about the server: what runs, who waits for whom, what is large, how it is set. */

const server: FactsQuery = {
	title: 'Server',
	titles: [
		'Version',
		'Host',
		'Database',
		'User',
		'Most sessions',
		'SQL mode',
		'Character set',
		'Collation',
		'Time zone',
		'Read-only',
		'Isolation',
	],
	sql: `
select null, concat(version(), ' ', @@version_comment), @@hostname, database(), current_user(), @@max_connections, @@global.sql_mode,
	@@character_set_server, @@collation_server, if(@@global.time_zone = 'SYSTEM', @@system_time_zone, @@global.time_zone),
	if(@@global.read_only, 'yes', 'no'), replace(lower($isolation), '-', ' ')`,
}

/** Returns SQL of the beginning of a statement, on one line. */
const beginningOf = (statement: string) =>
	`concat(left(replace(replace(${statement}, '\\n', ' '), '\\t', ' '), 200), if(char_length(${statement}) > 200, '…', ''))`

/** Returns a call for a session, with a comment by which the user recognizes the session. */
function call(verb: string, id: string | undefined, about: readonly (string | undefined)[]): string {
	const said = about
		.filter(Boolean)
		.join(', ')
		.replaceAll(/\/\*|\*\/|\{\{|\}\}|!/g, ' ')
	return `${verb} ${Number(id)} /* ${said} */`
}

const processes: ListQuery = {
	title: 'Activity',
	empty: 'No other session is open.',
	columns: ['ID', 'User', 'Host', 'Database', 'Command', 'Seconds', 'State', 'Statement'],
	sql: `
select id, user, host, db, command, time, state, ${beginningOf('info')}, info is not null
from information_schema.processlist where id <> connection_id() and command <> 'Daemon' and user <> 'system user'
order by command = 'Sleep', time desc`,
	row: ([id, user, , , command, seconds, state, statement, isRunning]) => ({
		...(/lock/i.test(state ?? '') && Number(seconds) > 10 && { state: 'warning' as const }),
		actions: [
			...(isRunning === '1' && command !== 'Sleep'
				? [{ label: 'Cancel statement', statement: call('kill query', id, [user, statement]) }]
				: []),
			{ label: 'End session', statement: call('kill', id, [user, statement]) },
		],
	}),
}

const transactions: ListQuery = {
	title: 'Open transactions',
	empty: 'No transaction is open.',
	columns: ['Session', 'Started', 'State', 'Waits since', 'Locked rows', 'Changed rows', 'Isolation', 'Statement'],
	sql: `
select trx_mysql_thread_id, trx_started, lower(trx_state), trx_wait_started, ${countWords('trx_rows_locked')}, ${countWords('trx_rows_modified')},
	lower(trx_isolation_level), ${beginningOf('trx_query')}
from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id() order by trx_started`,
	row: ([id, , state, , , , , statement]) => ({
		...(state === 'lock wait' && { state: 'bad' as const }),
		actions: [{ label: 'End session', statement: call('kill', id, [statement]) }],
	}),
}

const databases: ListQuery = {
	title: 'Databases',
	columns: ['Database', 'Tables', 'Rows, about', 'Size', 'Character set', 'Collation'],
	sql: `
select s.schema_name, count(t.table_name), ${countWords('sum(t.table_rows)')}, ${sizeWords('sum(t.data_length + t.index_length)')},
	s.default_character_set_name, s.default_collation_name
from information_schema.schemata s left join information_schema.tables t on t.table_schema = s.schema_name
group by s.schema_name, s.default_character_set_name, s.default_collation_name order by sum(t.data_length + t.index_length) desc`,
}

const largest: ListQuery = {
	title: 'Largest tables',
	empty: 'There are no tables.',
	columns: ['Table', 'Engine', 'Rows, about', 'Size', 'Indexes', 'Free'],
	sql: `
select concat(table_schema, '.', table_name), engine, ${countWords('table_rows')}, ${sizeWords('data_length')}, ${sizeWords('index_length')},
	${sizeWords('nullif(data_free, 0)')}
from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('mysql', 'sys', 'performance_schema', 'information_schema')
order by data_length + index_length desc limit 20`,
}

const engines: ListQuery = {
	title: 'Engines',
	columns: ['Engine', 'Support', 'Transactions', 'Note'],
	sql: "select engine, lower(support), lower(transactions), comment from information_schema.engines order by support = 'NO', engine",
}

const status: ListQuery = {
	title: 'Status',
	columns: ['Name', 'Value'],
	sql: "show global status where variable_name in ('Uptime', 'Threads_connected', 'Threads_running', 'Questions', 'Slow_queries', 'Aborted_connects', 'Aborted_clients', 'Bytes_received', 'Bytes_sent', 'Created_tmp_disk_tables', 'Innodb_buffer_pool_reads', 'Innodb_buffer_pool_read_requests', 'Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Open_tables', 'Opened_tables', 'Table_locks_waited', 'Max_used_connections')",
}

const variables: ListQuery = {
	title: 'Variables',
	columns: ['Name', 'Value'],
	sql: "show global variables where variable_name not like '%password%' and variable_name not like '%ssl_key%'",
}

/** Replication and rights differ by engine and role, so the server says what it has. */
const grants: ListQuery = { title: 'Your rights', columns: ['Grant'], sql: 'show grants' }

export async function serverFacts(session: Session, signal: AbortSignal): Promise<readonly FactSection[]> {
	const isolation = session.server.product === 'MariaDB' ? '@@global.tx_isolation' : '@@global.transaction_isolation'
	const about = { ...server, sql: server.sql.replace('$isolation', isolation) }
	const sections = [await factsSection(session, about, signal)]
	for (const list of [processes, transactions, databases, largest, engines, status, variables])
		sections.push(await listSection(session, list, signal))
	const own = await listSection(session, grants, signal)
	const rows = own.list?.rows.map(row => ({ cells: row.cells.map(text => text.replace(/ IDENTIFIED .*$/s, '')) }))
	return [...sections, rows === undefined ? own : { ...own, list: { columns: ['Grant'], rows } }]
}
